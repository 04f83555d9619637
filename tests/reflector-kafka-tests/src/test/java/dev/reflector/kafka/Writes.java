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

	/** The keys whose last record is not the last write, with both. For after the end. */
	List<String> behind(PlainConsumer consumer) {
		Map<String, List<PlainConsumer.Entry>> records = consumer.byKey();
		List<String> behind = new ArrayList<>();
		this.byKey.forEach((key, written) -> {
			List<PlainConsumer.Entry> entries = records.getOrDefault(key, List.of());
			Write wanted = written.get(written.size() - 1);
			if (entries.isEmpty() || !Write.of(entries.get(entries.size() - 1)).equals(wanted)) {
				behind.add(key + " " + wanted + ": "
						+ (entries.isEmpty() ? "nothing" : entries.get(entries.size() - 1).toString()));
			}
		});
		return behind;
	}

	/**
	 * Checks that each write is in the topic, and that the order of each key was kept: a
	 * record is the next version, or an earlier one because changes are delivered again.
	 * A redelivery may begin with the deletion of an object whose addition the killed
	 * process had announced. That deletion has the version of the addition.
	 * @param consumer the consumer that has read the topic
	 * @return how often a record repeated or preceded an earlier one
	 */
	int check(PlainConsumer consumer) {
		int repeats = 0;
		Map<String, List<PlainConsumer.Entry>> records = consumer.byKey();
		assertThat(records.keySet()).containsAll(this.byKey.keySet());
		for (Map.Entry<String, List<Write>> writes : this.byKey.entrySet()) {
			List<Write> told = records.getOrDefault(writes.getKey(), List.of()).stream().map(Write::of).toList();
			repeats += check(writes.getKey(), writes.getValue(), told);
		}
		return repeats;
	}

	private static int check(String key, List<Write> written, List<Write> told) {
		int repeats = 0;
		int before = -1;
		boolean goesBack = false;
		for (int i = 0; i < told.size(); i++) {
			Write write = told.get(i);
			String where = key + ", record " + i + " in " + told.subList(Math.max(0, i - 5), i + 1);
			int index = written.indexOf(write);
			if (index < 0) {
				assertThat(write.there).as(where).isFalse();
				assertThat(written).as(where).contains(new Write(write.version, true));
				goesBack = true;
				continue;
			}
			assertThat(index).as(where).isLessThanOrEqualTo(goesBack ? before : before + 1);
			goesBack = false;
			repeats += (index <= before) ? 1 : 0;
			before = index;
		}
		// with the above, each write is there
		assertThat(before).as(key).isEqualTo(written.size() - 1);
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
