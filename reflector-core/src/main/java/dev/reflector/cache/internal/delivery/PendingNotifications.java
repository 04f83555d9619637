package dev.reflector.cache.internal.delivery;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;

import dev.reflector.ResourceKey;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.store.InitialObjects;
import reactor.core.publisher.Operators;

/**
 * The queued notifications of a listener (client-go: {@code pendingNotifications}, but
 * bounded: I-14, E-09). The thread that writes the mirror adds changes, and the
 * listener's thread takes them. {@link ProcessorListener} describes both threads.
 *
 * @param <T> the type of the objects
 */
final class PendingNotifications<T> {

	private final DeliverySetup<T> setup;

	private final boolean stream;

	private final KeyStripe stripe;

	private final ResyncClock resync;

	private final DeliveryGate<T> gate;

	private final ListenerState state;

	private final ReentrantLock lock;

	private final Condition notEmpty;

	private final Condition notFull;

	private final ChangeQueue<T> queue;

	/**
	 * The number of the last change that this listener need not receive any more: the
	 * change was offered to the listener, or is contained in the snapshot with which the
	 * listener began.
	 */
	private long seen;

	/** How many more changes may be delivered; unlimited for handlers. */
	private long demand;

	PendingNotifications(DeliverySetup<T> setup, HandlerGroup<T> group, KeyStripe stripe, ResyncClock resync,
			ListenerState state) {
		this.setup = setup;
		this.stream = group.kind() == ListenerKind.STREAM;
		this.stripe = stripe;
		this.resync = resync;
		this.gate = group.gate();
		this.state = state;
		this.lock = state.lock();
		this.notEmpty = this.lock.newCondition();
		this.notFull = this.lock.newCondition();
		this.queue = new ChangeQueue<>(setup.accessor(), stripe.capacity(setup.queue().queueCapacity()));
		this.demand = this.stream ? 0 : Long.MAX_VALUE;
	}

	/** Adds the objects of a slot whose delivery begins. */
	void begin(InitialObjects<T> initial) {
		this.lock.lock();
		try {
			add(initial);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Adds the missed changes of a slot whose delivery begins, even if the queue is full.
	 */
	void begin(List<Change<T>> changes) {
		this.lock.lock();
		try {
			add(changes);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Drops the queued changes of the objects of a slot. */
	void drop(BiPredicate<ResourceKey, String> dropped) {
		this.lock.lock();
		try {
			this.queue.removeIf(dropped);
			wake();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets the listener begin with a snapshot of the mirror, and continue with the
	 * changes whose numbers are larger than {@code sequence}.
	 */
	void join(InitialObjects<T> initial, long sequence) {
		this.lock.lock();
		try {
			this.seen = sequence;
			this.state.resume();
			add(initial);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets the listener begin with missed changes, even if they exceed the capacity, and
	 * continue with the changes whose numbers are larger than {@code sequence}.
	 */
	void join(List<Change<T>> changes, long sequence) {
		this.lock.lock();
		try {
			this.seen = sequence;
			this.state.resume();
			add(changes);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void add(List<Change<T>> changes) {
		if (this.state.accepts()) {
			changes.stream().filter((change) -> this.stripe.has(change.key())).forEach(this.queue::add);
			this.notEmpty.signal();
		}
	}

	/**
	 * Adds a mark after all queued notifications.
	 * @return a future that completes when the handler has completed everything before
	 * the mark: its calls have returned, and the stage of its {@code completed()} is
	 * done. The future fails if the queue is dropped, if the handler receives nothing
	 * more, or if that stage has failed
	 */
	CompletableFuture<Void> passed() {
		CompletableFuture<Void> passed = new CompletableFuture<>();
		if (!note(new Notification.Passed<>(passed))) {
			passed.completeExceptionally(new CancellationException("the handler takes nothing more"));
		}
		return passed;
	}

	/**
	 * Adds the objects with which the empty mirror was filled. They include all changes
	 * up to the number {@code last}.
	 */
	void fill(InitialObjects<T> initial, long last) {
		this.lock.lock();
		try {
			if (last > this.seen) {
				this.seen = last;
				add(initial);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void add(InitialObjects<T> initial) {
		if (this.state.accepts()) {
			this.queue.add(this.stripe.of(initial));
			this.notEmpty.signal();
		}
	}

	/**
	 * Adds changes while there is room. Returns whether there was room for all changes.
	 */
	boolean offer(List<Change<T>> changes, long first) {
		this.lock.lock();
		try {
			long number = first;
			for (Change<T> change : changes) {
				if (!isKnown(change, number)) {
					if (this.queue.isFull()) {
						return false;
					}
					this.queue.add(change);
				}
				this.seen = Math.max(this.seen, number++);
			}
			return true;
		}
		finally {
			this.notEmpty.signal();
			this.lock.unlock();
		}
	}

	/**
	 * Adds a change. If the queue is full, merges the change into a queued one, or waits
	 * for room as long as a thread delivers from the queue.
	 * @param change the change
	 * @param sequence the number of the change
	 * @return {@code false} if a stream has no room, because a change for a stream does
	 * not wait
	 */
	boolean add(Change<T> change, long sequence) {
		boolean merged = false;
		boolean overflown = false;
		this.lock.lock();
		try {
			if (isKnown(change, sequence)) {
				return true;
			}
			boolean mayMerge = this.stream || this.setup.queue().overflow() == QueueSettings.Overflow.COALESCE;
			merged = this.queue.isFull() && mayMerge && this.queue.merge(change);
			overflown = !merged && this.queue.isFull() && this.stream;
			if (!merged && !overflown) {
				append(change, sequence);
			}
			this.seen = Math.max(this.seen, sequence);
		}
		finally {
			this.lock.unlock();
		}
		if (merged) {
			this.setup.observer().merged();
		}
		return !overflown;
	}

	/** Whether a change was already added, or is not for this listener. */
	private boolean isKnown(Change<T> change, long sequence) {
		return sequence <= this.seen || !this.state.accepts() || !this.stripe.has(change.key())
				|| !this.gate.isHeard(change, sequence)
				|| (change.cause() == Change.Cause.RESYNC && !this.resync.isDue(change.key().namespace()));
	}

	private void append(Change<T> change, long sequence) {
		while (this.queue.isFull() && this.state.makesRoom()) {
			this.notFull.awaitUninterruptibly();
		}
		// checked again: in the meantime, the handler may have joined again, with a
		// snapshot that contains the change
		if (this.state.keeps() && sequence > this.seen && this.gate.isHeard(change, sequence)) {
			this.queue.add(change);
			this.notEmpty.signal();
		}
	}

	/**
	 * Adds a notification that is not about an object. Returns whether the listener still
	 * accepts notifications.
	 */
	boolean note(Notification<T> note) {
		this.lock.lock();
		try {
			boolean accepted = this.state.accepts();
			if (accepted) {
				this.queue.addNote(note);
				this.notEmpty.signal();
			}
			return accepted;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Notes that the subscriber has requested more changes. */
	void request(long count) {
		this.lock.lock();
		try {
			this.demand = Operators.addCap(this.demand, count);
			this.notEmpty.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	// The following methods are called under the lock of the listener

	/** Returns how many changes and initial objects are queued. */
	int changes() {
		return this.queue.changes();
	}

	boolean isReady() {
		return this.queue.beginsWithChange() ? this.demand > 0 : !this.queue.isEmpty();
	}

	void awaitMore() {
		this.notEmpty.awaitUninterruptibly();
	}

	Notification<T> take() {
		Notification<T> next = this.queue.remove();
		if (next.isChange()) {
			this.demand -= (this.demand != Long.MAX_VALUE) ? 1 : 0;
			this.notFull.signal();
		}
		return next;
	}

	/**
	 * Puts back a change, so that it is delivered again. Drops the change if the slot of
	 * its object is no longer delivered.
	 */
	void putBack(Notification<T> change) {
		if (this.gate.hasBegun(change)) {
			this.queue.putBack(change);
		}
	}

	void clear() {
		this.queue.clear();
		wake();
	}

	/** Wakes all threads that wait here, so that they check their conditions again. */
	void wake() {
		this.notEmpty.signalAll();
		this.notFull.signalAll();
	}

}
