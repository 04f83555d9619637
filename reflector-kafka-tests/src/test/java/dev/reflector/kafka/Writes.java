package dev.reflector.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import dev.reflector.test.ResourceCollection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes widgets to a server again and again, and remembers each write.
 */
final class Writes implements AutoCloseable {

	private final ResourceCollection widgets;

	private final int names;

	private final int pauseMicros;

	private final Random random;

	/** Held while something is written. */
	private final ReentrantLock lock = new ReentrantLock(true);

	private final Map<String, List<Write>> byKey = new HashMap<>();

	private final Thread thread;

	private volatile boolean ended;

	private Writes(ResourceCollection widgets, int names, int pauseMicros, long seed) {
		this.widgets = widgets;
		this.names = names;
		this.pauseMicros = pauseMicros;
		this.random = new Random(seed);
		this.thread = new Thread(this::write, "writes");
	}

	/**
	 * Begins to write.
	 * @param widgets what to write
	 * @param names to how many widgets
	 * @param pauseMicros longest pause between two writes
	 * @param seed of what is random
	 */
	static Writes begin(ResourceCollection widgets, int names, int pauseMicros, long seed) {
		Writes writes = new Writes(widgets, names, pauseMicros, seed);
		writes.thread.start();
		return writes;
	}

	private void write() {
		try {
			while (!this.ended) {
				this.lock.lockInterruptibly();
				try {
					writeOne("w" + this.random.nextInt(this.names));
				}
				finally {
					this.lock.unlock();
				}
				TimeUnit.MICROSECONDS.sleep(this.random.nextInt(this.pauseMicros));
			}
		}
		catch (InterruptedException ex) {
			// it ends
		}
	}

	private void writeOne(String name) {
		Write write;
		if (this.widgets.get("default", name).isPresent() && this.random.nextInt(4) == 0) {
			this.widgets.delete("default", name);
			write = new Write(Long.parseLong(this.widgets.resourceVersion()), false);
		}
		else {
			write = new Write(
					this.widgets
						.apply(Map.of("metadata", Map.of("namespace", "default", "name", name), "spec",
								Map.of("size", this.random.nextInt(1_000_000))))
						.at("/metadata/resourceVersion")
						.asLong(0),
					true);
		}
		this.byKey.computeIfAbsent("default/" + name, (key) -> new ArrayList<>()).add(write);
	}

	int count() {
		this.lock.lock();
		try {
			return this.byKey.values().stream().mapToInt(List::size).sum();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Ends the writing. */
	void end() {
		this.ended = true;
		try {
			this.thread.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		end();
	}

	/** Whether the last record of each key is the last write. For after the end. */
	boolean areLastOn(PlainConsumer consumer) {
		Map<String, List<PlainConsumer.Entry>> records = consumer.byKey();
		return this.byKey.entrySet().stream().allMatch((writes) -> {
			List<PlainConsumer.Entry> entries = records.getOrDefault(writes.getKey(), List.of());
			List<Write> written = writes.getValue();
			return !entries.isEmpty()
					&& Write.of(entries.get(entries.size() - 1)).equals(written.get(written.size() - 1));
		});
	}

	/**
	 * Checks that each write is there, and that the order of each key was kept: a record
	 * follows the one before it, or goes back because changes are told again.
	 * @param consumer what has read the topic
	 * @return how often records went back
	 */
	int check(PlainConsumer consumer) {
		int repeats = 0;
		Map<String, List<PlainConsumer.Entry>> records = consumer.byKey();
		assertThat(records.keySet()).containsAll(this.byKey.keySet());
		for (Map.Entry<String, List<Write>> writes : this.byKey.entrySet()) {
			List<Write> told = records.getOrDefault(writes.getKey(), List.of()).stream().map(Write::of).toList();
			String key = writes.getKey() + ": " + writes.getValue() + " as " + told;
			assertThat(told).as(key).containsAll(writes.getValue());
			int before = -1;
			for (Write write : told) {
				int index = writes.getValue().indexOf(write);
				assertThat(index).as(key).isNotNegative().isLessThanOrEqualTo(before + 1);
				repeats += (index <= before) ? 1 : 0;
				before = index;
			}
			assertThat(before).as(key).isEqualTo(writes.getValue().size() - 1);
		}
		return repeats;
	}

	/**
	 * A write.
	 *
	 * @param version the version it has made
	 * @param there whether the object is there after it
	 */
	private record Write(long version, boolean there) {

		static Write of(PlainConsumer.Entry entry) {
			return new Write(entry.version(), entry.value() != null);
		}

	}

}
