package dev.reflector.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.Change;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The records of a publisher that the broker has not acknowledged yet.
 * <p>
 * <b>Promises.</b> For each key, one record is sent at a time. The next record of the key
 * is sent when the broker has acknowledged the previous one. Records of other keys are
 * sent independently. A record that has failed is sent again, after a pause that grows to
 * five seconds, until the broker has it. So the records of a key are written in the order
 * in which they were added, even after failures. The number of records and their total
 * size are limited. If the limit is reached, a caller that adds a record waits.
 * <p>
 * <b>Threads.</b> The thread that adds a record sends it at once if possible. Records
 * that must wait for their turn, and records that have failed, are sent by the thread
 * {@code reflector-NAME-kafka}, which exists only while it has work. Acknowledgements
 * come on the thread of the producer. One lock guards all fields. It is not held while a
 * record is sent.
 */
final class PendingRecords {

	/**
	 * Largest total size, in bytes, of the values of all pending records. A larger record
	 * is accepted if it is the only one.
	 */
	static final long MOST_BYTES = 32 * 1024 * 1024;

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(500);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

	/** How long the sender thread waits for more work before it ends. */
	private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

	private final String name;

	private final int capacity;

	private final Sender target;

	private final Outcomes outcomes;

	private final TimeSource time;

	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Signaled when a record is removed. Wakes threads that wait for room to add a
	 * record, and threads that wait until all records are acknowledged.
	 */
	private final Condition left = this.lock.newCondition();

	/** Wakes the sender thread. */
	private final Condition due = this.lock.newCondition();

	/**
	 * The records by key, the oldest record of a key first. Only the oldest record of a
	 * key may have been sent. The map is sorted and not hashed, because users may create
	 * objects whose keys share a hash code.
	 */
	private final Map<String, Deque<PendingRecord>> entries = new TreeMap<>();

	/** All records, the oldest first. */
	private final Set<PendingRecord> all = new LinkedHashSet<>();

	/** Total size, in bytes, of the values of all records. */
	private long bytes;

	/**
	 * The records that may be sent now, because no earlier record of the same key is
	 * pending.
	 */
	private final Deque<PendingRecord> ready = new ArrayDeque<>();

	/** The records that have failed and will be sent again after the pause. */
	private final List<PendingRecord> failed = new ArrayList<>();

	private @Nullable Thread sender;

	private Duration pause = SHORTEST_PAUSE;

	/** When to send the failed records again, as a value of {@link System#nanoTime()}. */
	private long retryAt;

	private boolean closed;

	PendingRecords(String name, int capacity, Sender target, Outcomes outcomes, TimeSource time) {
		this.name = name;
		this.capacity = capacity;
		this.target = target;
		this.outcomes = outcomes;
		this.time = time;
	}

	/**
	 * Adds a record. The record is sent as soon as no earlier record of its key is
	 * pending.
	 * @param record the record
	 * @param type type of the change
	 * @param due decides whether to send the record; called before each attempt, by the
	 * thread that sends
	 * @throws InterruptedException if the thread is interrupted while it waits for room
	 */
	void add(ProducerRecord<String, byte[]> record, Change.Type type, Supplier<Due> due) throws InterruptedException {
		PendingRecord entry = new PendingRecord(record, type, due, this.time.nanoTime());
		boolean first;
		this.lock.lockInterruptibly();
		try {
			while (isFull(entry)) {
				this.left.await();
			}
			this.bytes += entry.bytes();
			Deque<PendingRecord> ofKey = this.entries.computeIfAbsent(record.key(), (key) -> new ArrayDeque<>(1));
			first = ofKey.isEmpty();
			ofKey.add(entry);
			this.all.add(entry);
		}
		finally {
			this.lock.unlock();
		}
		if (first) {
			send(entry);
		}
	}

	private boolean isFull(PendingRecord next) {
		return this.all.size() >= this.capacity || (!this.all.isEmpty() && this.bytes + next.bytes() > MOST_BYTES);
	}

	private void send(PendingRecord entry) {
		Due due;
		try {
			due = entry.due.get();
		}
		catch (RuntimeException | Error ex) {
			// errors are caught, too, because later records of the key would wait forever
			failed(entry, ex);
			return;
		}
		switch (due) {
			case SEND -> transmit(entry);
			case LEAVE_OUT -> leave(entry, null);
			case GIVE_UP ->
				leave(entry, new CancellationException("another replica has taken over " + entry.record.key()));
		}
	}

	private void transmit(PendingRecord entry) {
		CompletableFuture<?> sent;
		try {
			sent = this.target.send(entry.record);
		}
		catch (RuntimeException | Error ex) {
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

	private void acknowledged(PendingRecord entry) {
		try {
			this.outcomes.acknowledged(entry.type);
		}
		finally {
			this.lock.lock();
			try {
				this.pause = SHORTEST_PAUSE;
			}
			finally {
				this.lock.unlock();
			}
			leave(entry, null);
		}
	}

	private void leave(PendingRecord entry, @Nullable Throwable failure) {
		try {
			remove(entry);
		}
		finally {
			if (failure == null) {
				entry.done.complete(null);
			}
			else {
				entry.done.completeExceptionally(failure);
			}
		}
	}

	/** Removes a record, and makes the next record of its key ready to be sent. */
	private void remove(PendingRecord entry) {
		this.lock.lock();
		try {
			if (this.all.remove(entry)) {
				this.bytes -= entry.bytes();
				this.left.signalAll();
			}
			Deque<PendingRecord> ofKey = this.entries.get(entry.record.key());
			if (ofKey != null) {
				ofKey.remove();
				PendingRecord next = ofKey.peek();
				if (next == null) {
					this.entries.remove(entry.record.key());
				}
				else {
					this.ready.add(next);
					wakeSender();
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void failed(PendingRecord entry, Throwable failure) {
		Verdict verdict;
		try {
			verdict = this.outcomes.failed(entry.record, failure);
		}
		catch (RuntimeException | Error ex) {
			// such as a lack of memory for the log line
			verdict = Verdict.SEND_AGAIN;
		}
		switch (verdict) {
			case SEND_AGAIN -> again(entry);
			case PASS_OVER -> leave(entry, null);
			case STOP -> leave(entry, failure);
		}
	}

	private void again(PendingRecord entry) {
		this.lock.lock();
		try {
			if (this.failed.isEmpty()) {
				this.retryAt = System.nanoTime() + this.pause.toNanos();
				Duration next = this.pause.multipliedBy(2);
				this.pause = (next.compareTo(LONGEST_PAUSE) < 0) ? next : LONGEST_PAUSE;
			}
			this.failed.add(entry);
			wakeSender();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Wakes or starts the sender thread. Called under the lock. */
	private void wakeSender() {
		if (this.sender == null && !this.closed) {
			Thread thread = new Thread(this::sendDue, "reflector-" + this.name + "-kafka");
			thread.setDaemon(true);
			// if the start fails, the next wake tries again
			thread.start();
			this.sender = thread;
		}
		this.due.signal();
	}

	/** Sends due records, until no record has been due for a while. */
	private void sendDue() {
		Deque<PendingRecord> taken = new ArrayDeque<>();
		try {
			while (takeDue(taken)) {
				while (!taken.isEmpty()) {
					sendTaken(taken.remove());
				}
			}
		}
		finally {
			ended(taken);
		}
	}

	private void sendTaken(PendingRecord entry) {
		if (entry.sent) {
			try {
				this.outcomes.again();
			}
			catch (RuntimeException | Error ex) {
				failed(entry, ex);
				return;
			}
		}
		send(entry);
	}

	/**
	 * Notes that the sender thread ends. Only after an error, some of the records that it
	 * has taken are left. Another thread sends them.
	 */
	private void ended(Deque<PendingRecord> left) {
		this.lock.lock();
		try {
			if (this.sender == Thread.currentThread()) {
				this.sender = null;
				this.ready.addAll(left);
				wakeSender();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits for due records and takes them. Returns {@code false} if there are none and
	 * the sender thread must end.
	 */
	private boolean takeDue(Deque<PendingRecord> taken) {
		this.lock.lock();
		try {
			long idle = IDLE_NANOS;
			while (!this.closed && !moveDue(taken) && (idle > 0 || !this.failed.isEmpty())) {
				long rest = this.failed.isEmpty() ? idle : this.retryAt - System.nanoTime();
				long left = this.due.awaitNanos(rest);
				idle = this.failed.isEmpty() ? left : IDLE_NANOS;
			}
			if (taken.isEmpty()) {
				this.sender = null;
			}
			return !taken.isEmpty();
		}
		catch (InterruptedException ex) {
			this.sender = null;
			return false;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Moves due records, and returns whether there are any. */
	private boolean moveDue(Deque<PendingRecord> taken) {
		taken.addAll(this.ready);
		this.ready.clear();
		if (!this.failed.isEmpty() && System.nanoTime() - this.retryAt >= 0) {
			this.failed.forEach((entry) -> entry.sent = true);
			taken.addAll(this.failed);
			this.failed.clear();
		}
		return !taken.isEmpty();
	}

	/**
	 * Returns a future that completes when all records that were added before this call
	 * are acknowledged.
	 * @return the future; it completes exceptionally if one of the records can never be
	 * accepted or is given up
	 */
	CompletableFuture<Void> settled() {
		this.lock.lock();
		try {
			return CompletableFuture
				.allOf(this.all.stream().map((entry) -> entry.done).toArray(CompletableFuture<?>[]::new));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until all records that were added before this call are acknowledged or given
	 * up. A record is given up if its change belongs to an earlier epoch. If this replica
	 * delivers again, it delivers the object in the new epoch, too.
	 * @return {@code false} if one of the records can never be accepted
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitSettled() throws InterruptedException {
		try {
			settled().get();
			return true;
		}
		catch (ExecutionException ex) {
			return ex.getCause() instanceof CancellationException;
		}
	}

	int size() {
		this.lock.lock();
		try {
			return this.all.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Returns how long the oldest record has been waiting, or zero if there is none. */
	Duration age() {
		this.lock.lock();
		try {
			return this.all.stream()
				.findFirst()
				.map((entry) -> Duration.ofNanos(this.time.nanoTime() - entry.since))
				.orElse(Duration.ZERO);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Stops sending records. */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.due.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Waits until all records are acknowledged, for a limited time. */
	void await(Duration timeout) throws InterruptedException {
		long nanos = timeout.toNanos();
		this.lock.lock();
		try {
			while (nanos > 0 && !this.all.isEmpty()) {
				nanos = this.left.awaitNanos(nanos);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Sends records. */
	@FunctionalInterface
	interface Sender {

		CompletableFuture<?> send(ProducerRecord<String, byte[]> record);

	}

	/** Receives the outcomes of records. */
	interface Outcomes {

		void acknowledged(Change.Type type);

		/** Called when a record has failed. Returns what to do with the record. */
		Verdict failed(ProducerRecord<String, byte[]> record, Throwable failure);

		/** Called when a record is about to be sent again. */
		void again();

	}

	/** What to do with a record that is about to be sent. */
	enum Due {

		/** The record is sent. */
		SEND,

		/**
		 * The record is no longer needed. It is removed as if the broker had acknowledged
		 * it.
		 */
		LEAVE_OUT,

		/**
		 * The record is not sent, because another replica must send it. It is not treated
		 * as acknowledged.
		 */
		GIVE_UP

	}

	/** What to do with a record that has failed. */
	enum Verdict {

		/** The record is sent again until the broker has it. */
		SEND_AGAIN,

		/**
		 * The record can never be accepted. It is skipped, as if the broker had
		 * acknowledged it.
		 */
		PASS_OVER,

		/**
		 * The record can never be accepted. It is not treated as acknowledged, and the
		 * delivery stops.
		 */
		STOP

	}

}
