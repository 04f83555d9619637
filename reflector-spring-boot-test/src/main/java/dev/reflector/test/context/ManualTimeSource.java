package dev.reflector.test.context;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.reflector.cache.config.TimeSource;

/**
 * A time source that stands still until a test moves it. Back-off, resync and every other
 * delay of the reflectors end only when the test calls {@link #advance(Duration)}.
 * Network traffic and its time-outs do not depend on this time.
 *
 * @since 0.1.0
 */
public final class ManualTimeSource implements TimeSource {

	private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition scheduled = this.lock.newCondition();

	private final List<Task> tasks = new ArrayList<>();

	private long nanos;

	@Override
	public Instant now() {
		return BEGINNING.plusNanos(nanoTime());
	}

	@Override
	public long nanoTime() {
		this.lock.lock();
		try {
			return this.nanos;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public Runnable schedule(Duration delay, Runnable action) {
		this.lock.lock();
		try {
			Task task = new Task(this.nanos + Math.max(0, delay.toNanos()), action);
			this.tasks.add(task);
			this.scheduled.signalAll();
			return () -> cancel(task);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void cancel(Task task) {
		this.lock.lock();
		try {
			this.tasks.remove(task);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Moves the time forward, and runs the tasks that become due, in the order of their
	 * due times and on the calling thread. While a task runs, {@link #now()} is the time
	 * at which the task was due. If a task schedules another task that becomes due within
	 * the same move, that task runs, too. Reflectors react on their own threads, so a
	 * test must wait for the reaction.
	 * @param duration by how much to move the time
	 */
	public void advance(Duration duration) {
		if (duration.isNegative()) {
			throw new IllegalArgumentException("'duration' must not be negative");
		}
		long target = nanoTime() + duration.toNanos();
		Optional<Task> due = nextDue(target);
		while (due.isPresent()) {
			due.get().action().run();
			due = nextDue(target);
		}
	}

	private Optional<Task> nextDue(long target) {
		this.lock.lock();
		try {
			Optional<Task> due = soonest().filter((task) -> task.at() <= target);
			this.nanos = Math.max(this.nanos, due.map(Task::at).orElse(target));
			due.ifPresent(this.tasks::remove);
			return due;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether any delay is in progress.
	 * @return whether there is a delay in progress
	 */
	public boolean isWaitedFor() {
		return !waiting().isEmpty();
	}

	/**
	 * Returns the delays that are in progress.
	 * @return the remaining time of each delay, shortest first
	 */
	public List<Duration> waiting() {
		this.lock.lock();
		try {
			return this.tasks.stream()
				.mapToLong((task) -> task.at() - this.nanos)
				.sorted()
				.mapToObj(Duration::ofNanos)
				.toList();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until a delay is in progress, for at most ten seconds of real time.
	 * @return the remaining time of the delay that ends first
	 */
	public Duration awaitWaiting() {
		long remaining = PATIENCE.toNanos();
		this.lock.lock();
		try {
			while (this.tasks.isEmpty() && remaining > 0) {
				remaining = this.scheduled.awaitNanos(remaining);
			}
			return soonest().map((task) -> Duration.ofNanos(task.at() - this.nanos))
				.orElseThrow(() -> new AssertionError("Nothing waits for time to pass"));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError("Interrupted while waiting for something to wait for time to pass");
		}
		finally {
			this.lock.unlock();
		}
	}

	private Optional<Task> soonest() {
		return this.tasks.stream().min(Comparator.comparingLong(Task::at));
	}

	/**
	 * A task and the time at which it is due. Tasks are compared by identity.
	 */
	private static final class Task {

		private final long at;

		private final Runnable action;

		private Task(long at, Runnable action) {
			this.at = at;
			this.action = action;
		}

		long at() {
			return this.at;
		}

		Runnable action() {
			return this.action;
		}

	}

}
