package dev.reflector.cache;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.reflector.ReflectorState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pipeline of one handler: a bounded queue and the thread that calls the handler, one
 * change after the other (client-go: {@code processorListener}, with a bound: rule I-14,
 * E-09). When the queue is full, the writer of the mirror waits.
 *
 * @param <T> the type of the objects
 */
final class ProcessorListener<T> implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	/**
	 * Room for notes that are no changes. They must not wait: what comes when there is no
	 * room is merged into one, so that the last state is always told.
	 */
	private static final int NOTES = 64;

	private final String name;

	private final ResourceEventHandler<T> handler;

	private final int capacity;

	private final Duration drainTimeout;

	private final Counters counters;

	private final ReflectorObserver observer;

	private final TimeSource time;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition notEmpty = this.lock.newCondition();

	private final Condition notFull = this.lock.newCondition();

	private final Deque<Notification<T>> queue = new ArrayDeque<>();

	private int notes;

	private Notification.@Nullable StateChanged<T> merged;

	private boolean busy;

	private boolean draining;

	private long deadline;

	private boolean closed;

	ProcessorListener(SharedInformer.Config<T> config, ResourceEventHandler<T> handler, Counters counters) {
		this.name = config.name();
		this.handler = handler;
		this.capacity = config.options().queueCapacity();
		this.drainTimeout = config.options().drainTimeout();
		this.observer = config.observer();
		this.time = config.time();
		this.counters = counters;
	}

	/** Queues a change; waits while the queue is full, unless it is closed. */
	void add(Change<T> change) {
		this.lock.lock();
		try {
			while (this.queue.size() - this.notes >= this.capacity && !this.draining) {
				this.notFull.awaitUninterruptibly();
			}
			this.queue.add(new Notification.Changed<>(change));
			this.notEmpty.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	void synced(String resourceVersion) {
		note(new Notification.Synced<>(resourceVersion));
	}

	void stateChanged(ReflectorState previous, ReflectorState state, String reason) {
		note(new Notification.StateChanged<>(previous, state, reason));
	}

	private void note(Notification<T> note) {
		this.lock.lock();
		try {
			if (note instanceof Notification.StateChanged<T> changed && (this.merged != null || this.notes >= NOTES)) {
				this.merged = (this.merged != null) ? this.merged.then(changed) : changed;
				return;
			}
			this.notes++;
			this.queue.add(note);
			this.notEmpty.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	int size() {
		this.lock.lock();
		try {
			return this.queue.size() - this.notes + (this.busy ? 1 : 0);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Begins the end: nobody waits for room any more, and what the mirror already shows
	 * is still delivered, as far as the time allows (E-33).
	 */
	void drain() {
		this.lock.lock();
		try {
			this.draining = true;
			this.deadline = this.time.nanoTime() + this.drainTimeout.toNanos();
			this.notFull.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Ends the thread once nothing is left to deliver, or the time to do so is over. */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.notEmpty.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void run() {
		Notification<T> next;
		while ((next = next()) != null) {
			deliver(next);
		}
	}

	private @Nullable Notification<T> next() {
		this.lock.lock();
		try {
			this.busy = false;
			while (this.queue.isEmpty() && !this.closed) {
				this.notEmpty.awaitUninterruptibly();
			}
			if (this.queue.isEmpty() || (this.draining && this.time.nanoTime() - this.deadline > 0)) {
				dropped();
				return null;
			}
			Notification<T> next = this.queue.remove();
			if (next instanceof Notification.Changed) {
				this.busy = true;
				this.notFull.signal();
			}
			else {
				this.notes--;
				queueMerged();
			}
			return next;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void queueMerged() {
		if (this.merged != null) {
			this.queue.add(this.merged);
			this.notes++;
			this.merged = null;
		}
	}

	private void dropped() {
		int changes = this.queue.size() - this.notes;
		if (changes > 0) {
			logger.warn("Reflector '{}': stopped with {} changes not delivered to a listener that is too slow",
					this.name, changes);
		}
	}

	private void deliver(Notification<T> notification) {
		long start = this.time.nanoTime();
		boolean failed = false;
		try {
			notification.deliver(this.handler);
		}
		catch (Throwable ex) {
			// I-47: caught, counted, logged, and on with the next
			failed = true;
			this.counters.errors.increment();
			logger.error("Reflector '{}': a listener failed on {}; it goes on with the next change", this.name,
					notification, ex);
		}
		if (notification instanceof Notification.Changed) {
			this.observer.handled(Duration.ofNanos(this.time.nanoTime() - start), failed);
		}
	}

	/** What a handler is told. */
	private sealed interface Notification<T> {

		void deliver(ResourceEventHandler<T> handler);

		record Changed<T>(Change<T> change) implements Notification<T> {

			@Override
			public void deliver(ResourceEventHandler<T> handler) {
				handler.onChange(this.change);
			}

			@Override
			public String toString() {
				return this.change.type() + " " + this.change.key() + " at resource version "
						+ this.change.resourceVersion();
			}

		}

		record Synced<T>(String resourceVersion) implements Notification<T> {

			@Override
			public void deliver(ResourceEventHandler<T> handler) {
				handler.onSynced(this.resourceVersion);
			}

		}

		record StateChanged<T>(ReflectorState previous, ReflectorState state,
				String reason) implements Notification<T> {

			StateChanged<T> then(StateChanged<T> next) {
				return new StateChanged<>(this.previous, next.state(), next.reason());
			}

			@Override
			public void deliver(ResourceEventHandler<T> handler) {
				handler.onStateChange(this.previous, this.state, this.reason);
			}

		}

	}

}
