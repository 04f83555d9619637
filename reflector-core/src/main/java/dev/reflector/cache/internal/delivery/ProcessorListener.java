package dev.reflector.cache.internal.delivery;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.call.ListenerCall;
import dev.reflector.cache.internal.call.SlowListeners;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * Delivers notifications to a handler on one thread (client-go:
 * {@code processorListener}). A handler may have several such listeners. The
 * notifications are queued in {@link PendingNotifications}.
 * <p>
 * <b>Promises.</b> One thread delivers one notification after the other, and holds no
 * lock during a call. Changes are delivered in the order of the mirror's writes. If
 * changes were merged, the result is delivered in place of the first of them. The handler
 * first receives the objects that the mirror held when the handler joined, and then each
 * later change. To ensure this, changes are numbered. Changes that these first objects
 * already contain, or that were already queued, are left out. After all calls for the
 * first complete state have returned, the handler is notified that it has synced. With a
 * concurrency of more than one, a {@link HandlerGroup} has one listener for each
 * {@link KeyStripe} of the keys, so the order holds for each object.
 * <p>
 * <b>Data.</b> {@link ChangeQueue} is a linked list, so a queued change can be replaced
 * or removed in the middle when a later change of the same object is merged into it. The
 * map that finds queued changes is built when the queue is full, and dropped when half of
 * the queue has been delivered. Initial objects are read one by one from a snapshot of
 * the mirror, and do not count as queued. While a thread delivers, a change is added only
 * if fewer than {@code queueCapacity} changes are queued; if the handler has several
 * listeners, each of them has a part of this capacity.
 * <p>
 * <b>Threads.</b> The thread that writes the mirror adds changes, and
 * {@code reflector-NAME-events} or {@code -stream} takes them. The lock of
 * {@link ListenerState} guards queue and state. This lock may be taken while the lock of
 * {@link Handlers} is held, never the other way round. If the queue is full, the adding
 * thread merges the change if the settings allow it. If not, the adding thread waits, so
 * the mirror waits, too, and finally the watch. Before the adding thread waits, it offers
 * the row of changes to all listeners, so a listener with a full queue does not delay
 * that row for the others. A stream never makes the mirror wait: if its queue is full and
 * merging is impossible, the stream ends with an overflow error.
 * <p>
 * <b>Recovery.</b> If the handler throws an exception, this is logged and counted, and
 * delivery continues with the next change. After a {@code DeliveryStoppedException},
 * however, the queue is dropped, and delivery stops until the handler starts over. A stop
 * still delivers queued changes for {@code drainTimeout}, then interrupts the call in
 * progress, and two seconds later no longer waits for it ({@link ListenerEnd}). The
 * change of an interrupted call is put back. If a stop ends a handler's attempts to
 * handle a change, this change is put back, too, and delivery ends there. The queue is
 * kept after the thread has ended, so the next run continues with it. If the interrupted
 * call is still in progress when the next run begins, the new thread waits for that call.
 * <p>
 * <b>client-go.</b> In client-go, two goroutines and an unbounded buffer serve each
 * handler (I-14). Joining delays all processing of events (I-41), a stop drops the queue,
 * and a panic ends the process by default. Changes are not merged.
 *
 * @param <T> the type of the objects
 */
public final class ProcessorListener<T> implements Runnable {

	private final DeliverySetup<T> setup;

	private final HandlerGroup<T> group;

	private final KeyStripe stripe;

	private final ResyncClock resync;

	private final ListenerState state = new ListenerState();

	private final ReentrantLock lock = this.state.lock();

	private final PendingNotifications<T> pending;

	private final ListenerCall call;

	private final ListenerEnd end;

	private final CompletableFuture<Void> synced = new CompletableFuture<>();

	private final CompletableFuture<Void> ended = new CompletableFuture<>();

	/** Called to let the run of this listener stop waiting for the listener's thread. */
	private volatile Runnable giveUp = () -> {
	};

	/** Whether the handler is being called with a change. */
	private boolean busy;

	/** Whether the handler is being called with any notification, a change or not. */
	private boolean called;

	/** The notification of the current or last call. */
	private @Nullable Notification<T> present;

	/**
	 * The notification of {@link #present} with its ownership, or {@code null} if the
	 * notification must not be delivered. Used by the thread that delivers.
	 */
	private @Nullable Notification<T> admitted;

	/**
	 * Completes when the current call has returned. {@code null} if nothing waits for
	 * this.
	 */
	private @Nullable CompletableFuture<Void> quiet;

	private @Nullable Throwable cause;

	ProcessorListener(DeliverySetup<T> setup, HandlerGroup<T> group, KeyStripe stripe, ResyncClock resync,
			SlowListeners slow) {
		this.setup = setup;
		this.group = group;
		this.stripe = stripe;
		this.resync = resync;
		this.pending = new PendingNotifications<>(setup, group, stripe, resync, this.state);
		this.call = new ListenerCall(setup.time(), slow);
		this.end = new ListenerEnd(setup, this.lock, this.call, this::givenUp);
	}

	HandlerGroup<T> group() {
		return this.group;
	}

	KeyStripe stripe() {
		return this.stripe;
	}

	/** Returns the task of the thread, as part of the thread's name. */
	public String task() {
		return this.group.task(this.stripe);
	}

	ResyncClock resync() {
		return this.resync;
	}

	PendingNotifications<T> pending() {
		return this.pending;
	}

	/** Returns the call that the listener's thread makes. */
	ListenerCall call() {
		return this.call;
	}

	/**
	 * Whether the call in progress was interrupted because the listener is ending and its
	 * time limit is over.
	 */
	boolean isInterrupted() {
		return this.end.isInterrupted();
	}

	/** Whether the handler was removed, so that it receives nothing more. */
	boolean isRemoved() {
		this.lock.lock();
		try {
			return this.state.isRemoved();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether the run is stopping, and the next run delivers the changes that are left.
	 */
	boolean continuesInNextRun() {
		this.lock.lock();
		try {
			return this.state.continuesInNextRun();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes that the handler makes no further attempt to handle the change of the call in
	 * progress, because of a stop. The change is put back, and neither this change nor a
	 * later one is delivered before the next run.
	 */
	void abandon() {
		this.lock.lock();
		try {
			this.end.abandon();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Adds a change, and waits for room if necessary. Ends a stream that has no room. */
	void add(Change<T> change, long sequence) {
		boolean added = this.pending.add(change, sequence);
		// a resync that finds no room is dropped, because it contains nothing new
		if (!added && change.cause() != Change.Cause.RESYNC) {
			remove(Exceptions.failWithOverflow("The subscriber is too slow for the changes of reflector '"
					+ this.setup.name() + "': " + this.setup.queue().queueCapacity() + " wait for it already"));
		}
	}

	/** Notes that the subscriber is ready for more changes. */
	public void request(long count) {
		this.pending.request(count);
	}

	/** Returns how many changes the handler has not completed. */
	int size() {
		this.lock.lock();
		try {
			return this.pending.changes() + (this.busy ? 1 : 0);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes that a thread is about to deliver.
	 * @param run the run of the thread
	 * @param giveUp called when the run must no longer wait for the listener's thread
	 * @return whether the thread is needed
	 */
	public boolean begin(Object run, Runnable giveUp) {
		this.group.started(this.stripe);
		this.lock.lock();
		try {
			this.giveUp = giveUp;
			return this.state.begin(run);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Begins the end of the listener's thread. After that, no change waits for room in
	 * the queue. Changes that are already in the mirror are still delivered, within the
	 * time limit (E-33).
	 * @param run the run of the thread
	 */
	public void drain(Object run) {
		boolean told;
		boolean fromWithin;
		this.lock.lock();
		try {
			if (!this.state.isGoingOn(run)) {
				return;
			}
			told = endBegins();
			this.state.drain();
			this.pending.wake();
			fromWithin = this.end.isFromWithin();
			if (fromWithin) {
				this.end.giveUp();
			}
		}
		finally {
			this.lock.unlock();
		}
		if (!told) {
			this.group.stopping(this.stripe);
		}
		if (fromWithin) {
			givenUp();
		}
	}

	/**
	 * Whether waiting for the end of this listener would be a deadlock: the current
	 * thread runs within a call of the handler, or the call ends the JVM.
	 */
	public boolean isEndedFromWithin() {
		this.lock.lock();
		try {
			return this.end.isFromWithin();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Called when the end of the listener no longer waits for the call in progress. The
	 * call may continue.
	 */
	private void givenUp() {
		Runnable giveUp = this.giveUp;
		end();
		giveUp.run();
	}

	/**
	 * Begins the end of the listener. Returns whether the end had already begun, so that
	 * the handler was already notified.
	 */
	private boolean endBegins() {
		boolean told = this.state.isEnding();
		if (!told) {
			this.end.begin();
		}
		return told;
	}

	/** Lets the thread end when nothing is left to deliver, or the time limit is over. */
	public void close(Object run) {
		this.lock.lock();
		try {
			this.state.close(run);
			this.pending.wake();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void run() {
		enter();
		try {
			Notification<T> next = null;
			while ((next = next(next)) != null) {
				// clears an interrupt that remains from the last call
				Thread.interrupted();
				if (next instanceof Notification.Passed<T> passed) {
					this.group.passed(passed.reached());
					continue;
				}
				this.group.deliver(this.stripe.index(), next, this.admitted);
				if (next instanceof Notification.Synced<T>) {
					this.synced.complete(null);
				}
			}
		}
		finally {
			if (leaveThread()) {
				end();
			}
		}
	}

	private void enter() {
		this.call.attach();
		this.lock.lock();
		try {
			this.end.enter();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean leaveThread() {
		ListenerCall.detach();
		this.lock.lock();
		try {
			return this.end.leave();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Notes that the thread has ended. No thread delivers after that. */
	public void end() {
		boolean left;
		this.lock.lock();
		try {
			left = this.state.end();
			callHasEnded();
			this.pending.wake();
		}
		finally {
			this.lock.unlock();
		}
		if (left && !remove(null)) {
			completeEnd();
		}
	}

	private @Nullable Notification<T> next(@Nullable Notification<T> before) {
		this.lock.lock();
		try {
			if (before != null) {
				returned(before);
			}
			while (this.end.isEntered() && !isReady() && this.state.expectsMore()) {
				this.pending.awaitMore();
			}
			if (this.state.isRemoved() || !this.end.isEntered() || !isReady()
					|| (this.state.isEnding() && this.end.isOver(this.group.name(), this.pending.changes()))) {
				return null;
			}
			Notification<T> next = this.pending.take();
			this.end.called();
			this.busy = next.isChange();
			this.called = !(next instanceof Notification.Passed);
			this.present = next;
			this.admitted = this.group.gate().admit(next);
			return next;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isReady() {
		return !this.end.isStuck() && !this.end.isAbandoned() && this.pending.isReady();
	}

	/**
	 * Called after a call has returned. If the call was interrupted or abandoned, puts
	 * its change back, so that it is delivered again.
	 */
	private void returned(Notification<T> told) {
		boolean completed = this.end.returned();
		if (!completed && told.isChange() && this.group.kind() == ListenerKind.EVENTS && this.state.keeps()) {
			this.pending.putBack(told);
		}
		if (this.end.isEntered()) {
			callHasEnded();
		}
		else {
			// wakes the new thread, which waits until this call has returned
			this.pending.wake();
		}
	}

	/**
	 * Drops the queued changes of the objects of a slot.
	 * @param dropped receives the key and the uid of an object, and returns whether the
	 * object belongs to the slot
	 * @return a future that completes when no call about an object of the slot is in
	 * progress
	 */
	CompletableFuture<Void> drop(BiPredicate<ResourceKey, String> dropped) {
		this.lock.lock();
		try {
			this.pending.drop(dropped);
			Notification<T> present = this.present;
			ResourceKey key = (present != null) ? present.key() : null;
			boolean concerned = present != null && key != null && dropped.test(key, present.uid(this.setup.accessor()));
			// does not wait for a call that itself waits for the end of this listener
			return (concerned && !this.end.isFromWithin()) ? quiet() : CompletableFuture.completedFuture(null);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Returns a future that completes when no call of the handler is in progress. */
	CompletableFuture<Void> quiet() {
		this.lock.lock();
		try {
			if (!this.called) {
				return CompletableFuture.completedFuture(null);
			}
			CompletableFuture<Void> present = this.quiet;
			if (present == null) {
				present = new CompletableFuture<>();
				this.quiet = present;
			}
			return present;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Notes the end of a call. Called under the lock. */
	private void callHasEnded() {
		this.busy = false;
		this.called = false;
		this.present = null;
		CompletableFuture<Void> waiting = this.quiet;
		this.quiet = null;
		if (waiting != null) {
			waiting.complete(null);
		}
	}

	CompletionStage<Void> synced() {
		return this.synced;
	}

	/** Drops the queue, and accepts no notifications until the handler joins again. */
	void stopDelivery() {
		this.lock.lock();
		try {
			this.state.stop();
			this.pending.clear();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes the handler after it has received the queued changes, or when the time
	 * limit is over.
	 */
	void leave() {
		boolean running;
		boolean told;
		this.lock.lock();
		try {
			running = this.state.isServed();
			told = running && endBegins();
			if (running) {
				this.state.leave();
			}
			this.pending.wake();
		}
		finally {
			this.lock.unlock();
		}
		if (!running) {
			remove(null);
		}
		else if (!told) {
			this.group.stopping(this.stripe);
		}
	}

	/**
	 * Removes the handler, because of a failure or on request. Returns {@code false} if
	 * it had already been removed.
	 */
	public boolean remove(@Nullable Throwable cause) {
		boolean last;
		boolean told;
		this.lock.lock();
		try {
			if (this.state.isRemoved()) {
				return false;
			}
			told = this.state.isEnding();
			this.state.remove();
			this.cause = cause;
			this.pending.clear();
			last = !this.state.isServed();
		}
		finally {
			this.lock.unlock();
		}
		if (!told) {
			this.group.stopping(this.stripe);
		}
		this.synced.completeExceptionally(new CancellationException("the handler was removed"));
		if (last) {
			completeEnd();
		}
		return true;
	}

	private void completeEnd() {
		if (this.cause != null) {
			this.ended.completeExceptionally(this.cause);
		}
		else {
			this.ended.complete(null);
		}
	}

	/**
	 * Returns a stage that completes when the handler has been removed and no thread
	 * serves it. The stage fails if the handler was removed because of a failure.
	 */
	public CompletionStage<Void> ended() {
		return this.ended;
	}

}
