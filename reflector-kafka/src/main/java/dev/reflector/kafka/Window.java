package dev.reflector.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.Change;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The records that were sent and are not acknowledged.
 * <p>
 * <b>Promises.</b> There is one record of a key at most, and a bounded number of all. A
 * record that has failed is sent again, after a pause that grows to five seconds, until
 * the broker has it. Whoever adds a record waits for both: until the one before it of the
 * same key is acknowledged, and until there is room. So records of a key are written in
 * the order in which they were added, whatever fails, and memory is bounded.
 * <p>
 * <b>Threads.</b> The thread that adds a record sends it. Acknowledgements come on the
 * thread of the producer. While something has failed, there is a thread
 * {@code reflector-NAME-kafka}, which sends it again. One lock guards all; it is not held
 * while something is sent.
 */
final class Window {

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(500);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

	private final String name;

	private final int capacity;

	private final Transport transport;

	private final Outcomes outcomes;

	private final TimeSource time;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/** By key, the oldest first. */
	private final Map<String, Entry> entries = new LinkedHashMap<>();

	private final List<Entry> failed = new ArrayList<>();

	private @Nullable Thread repeater;

	private Duration pause = SHORTEST_PAUSE;

	private boolean closed;

	Window(String name, int capacity, Transport transport, Outcomes outcomes, TimeSource time) {
		this.name = name;
		this.capacity = capacity;
		this.transport = transport;
		this.outcomes = outcomes;
		this.time = time;
	}

	/**
	 * Sends a record, when it is its turn.
	 * @param record the record
	 * @param type what it tells
	 * @param wanted asked when it is its turn; without it, the record is left out
	 * @throws InterruptedException when the thread is interrupted before that
	 */
	void add(ProducerRecord<String, byte[]> record, Change.Type type, BooleanSupplier wanted)
			throws InterruptedException {
		Entry entry = new Entry(record, type, this.time.nanoTime());
		this.lock.lockInterruptibly();
		try {
			while (this.entries.containsKey(record.key()) || this.entries.size() >= this.capacity) {
				this.changed.await();
			}
			this.entries.put(record.key(), entry);
		}
		finally {
			this.lock.unlock();
		}
		if (wanted.getAsBoolean()) {
			send(entry);
		}
		else {
			leave(entry);
		}
	}

	private void send(Entry entry) {
		CompletableFuture<?> sent;
		try {
			sent = this.transport.send(entry.record);
		}
		catch (RuntimeException ex) {
			failed(entry, ex);
			return;
		}
		sent.whenComplete((result, failure) -> {
			if (failure != null) {
				failed(entry, failure);
			}
			else {
				acknowledged(entry);
			}
		});
	}

	private void acknowledged(Entry entry) {
		this.outcomes.acknowledged(entry.type);
		this.lock.lock();
		try {
			this.pause = SHORTEST_PAUSE;
		}
		finally {
			this.lock.unlock();
		}
		leave(entry);
	}

	private void leave(Entry entry) {
		remove(entry);
		entry.done.complete(null);
	}

	private void remove(Entry entry) {
		this.lock.lock();
		try {
			this.entries.remove(entry.record.key());
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void failed(Entry entry, Throwable failure) {
		switch (this.outcomes.failed(entry.record, failure)) {
			case SEND_AGAIN -> again(entry);
			case PASS_OVER -> leave(entry);
			case STOP -> {
				remove(entry);
				entry.done.completeExceptionally(failure);
			}
		}
	}

	private void again(Entry entry) {
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			this.failed.add(entry);
			if (this.repeater == null) {
				Thread thread = new Thread(this::repeat, "reflector-" + this.name + "-kafka");
				thread.setDaemon(true);
				this.repeater = thread;
				thread.start();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Sends what has failed, until nothing has. */
	private void repeat() {
		List<Entry> due;
		while (!(due = takeFailed()).isEmpty()) {
			for (Entry entry : due) {
				this.outcomes.again();
				send(entry);
			}
		}
	}

	/** Takes what has failed, after a pause; nothing when the thread is to end. */
	private List<Entry> takeFailed() {
		this.lock.lock();
		try {
			long nanos = this.pause.toNanos();
			while (nanos > 0 && !this.closed && !this.failed.isEmpty()) {
				nanos = this.changed.awaitNanos(nanos);
			}
			List<Entry> due = this.closed ? List.of() : List.copyOf(this.failed);
			this.failed.clear();
			if (due.isEmpty()) {
				this.repeater = null;
			}
			Duration next = this.pause.multipliedBy(2);
			this.pause = (next.compareTo(LONGEST_PAUSE) < 0) ? next : LONGEST_PAUSE;
			return due;
		}
		catch (InterruptedException ex) {
			this.repeater = null;
			return List.of();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Tells when all that is in flight now is acknowledged.
	 * @return completes then; exceptionally when one of the records is refused for good
	 */
	CompletableFuture<Void> settled() {
		this.lock.lock();
		try {
			return CompletableFuture
				.allOf(this.entries.values().stream().map((entry) -> entry.done).toArray(CompletableFuture<?>[]::new));
		}
		finally {
			this.lock.unlock();
		}
	}

	int size() {
		this.lock.lock();
		try {
			return this.entries.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** For how long the oldest record waits, zero when there is none. */
	Duration age() {
		this.lock.lock();
		try {
			return this.entries.values()
				.stream()
				.findFirst()
				.map((entry) -> Duration.ofNanos(this.time.nanoTime() - entry.since))
				.orElse(Duration.ZERO);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Sends nothing again. */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.failed.clear();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Waits until everything is acknowledged, for a limited time. */
	void await(Duration timeout) throws InterruptedException {
		long nanos = timeout.toNanos();
		this.lock.lock();
		try {
			while (nanos > 0 && !this.entries.isEmpty()) {
				nanos = this.changed.awaitNanos(Math.min(nanos, TimeUnit.SECONDS.toNanos(1)));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Sends records. */
	@FunctionalInterface
	interface Transport {

		CompletableFuture<?> send(ProducerRecord<String, byte[]> record);

	}

	/** Is told what becomes of records. */
	interface Outcomes {

		void acknowledged(Change.Type type);

		/** A record has failed; returns what is to become of it. */
		Verdict failed(ProducerRecord<String, byte[]> record, Throwable failure);

		/** A record is about to be sent again. */
		void again();

	}

	/** What is to become of a record that has failed. */
	enum Verdict {

		/** It is sent again until the broker has it. */
		SEND_AGAIN,

		/** It can never be accepted, and the next one follows. */
		PASS_OVER,

		/** It can never be accepted, and nothing more is to be sent. */
		STOP

	}

	/** A record that is not acknowledged. */
	private static final class Entry {

		private final ProducerRecord<String, byte[]> record;

		private final Change.Type type;

		private final long since;

		private final CompletableFuture<Void> done = new CompletableFuture<>();

		Entry(ProducerRecord<String, byte[]> record, Change.Type type, long since) {
			this.record = record;
			this.type = type;
			this.since = since;
		}

	}

}
