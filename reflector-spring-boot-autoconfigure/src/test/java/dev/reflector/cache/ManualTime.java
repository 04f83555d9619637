package dev.reflector.cache;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Time that stands still until a test moves it.
 */
public final class ManualTime implements TimeSource {

	private final List<Task> tasks = new ArrayList<>();

	private long nanos = 1_000_000_000L;

	@Override
	public synchronized Instant now() {
		return Instant.EPOCH.plusNanos(this.nanos);
	}

	@Override
	public synchronized long nanoTime() {
		return this.nanos;
	}

	@Override
	public synchronized Runnable schedule(Duration delay, Runnable task) {
		Task scheduled = new Task(this.nanos + delay.toNanos(), delay, task);
		this.tasks.add(scheduled);
		return () -> {
			synchronized (this) {
				this.tasks.remove(scheduled);
			}
		};
	}

	/** The delays that something waits for, soonest first. */
	public synchronized List<Duration> waiting() {
		return this.tasks.stream().sorted(Comparator.comparingLong(Task::at)).map(Task::delay).toList();
	}

	public void advance(Duration duration) {
		List<Task> due;
		synchronized (this) {
			this.nanos += duration.toNanos();
			due = this.tasks.stream()
				.filter((task) -> task.at() <= this.nanos)
				.sorted(Comparator.comparingLong(Task::at))
				.toList();
			this.tasks.removeAll(due);
		}
		due.forEach((task) -> task.action().run());
	}

	private record Task(long at, Duration delay, Runnable action) {

	}

}
