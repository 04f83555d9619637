package dev.reflector.cache.internal.delivery;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.handler.CalledListener;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.store.Stock;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;

/**
 * The pipeline of a handler, or of its share of the objects: a bounded queue and the
 * thread that calls the handler, one change after the other (client-go:
 * {@code processorListener}, with a bound: rule I-14, E-09). The queue outlives the
 * thread, which exists while the reflector runs. What the mirror held when the handler
 * joined is read from a snapshot as it is delivered, and takes no place in the queue.
 *
 * @param <T> the type of the objects
 */
public final class ProcessorListener<T> implements Runnable {

	private final DeliverySetup<T> setup;

	private final HandlerGroup<T> group;

	/** Its place in the group, which decides about its share. */
	private final int index;

	private final ResyncClock resync;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition notEmpty = this.lock.newCondition();

	private final Condition notFull = this.lock.newCondition();

	private final ChangeQueue<T> queue;

	private final ListenerCall call;

	private final ListenerEnd end;

	private final CompletableFuture<Void> synced = new CompletableFuture<>();

	private final CompletableFuture<Void> ended = new CompletableFuture<>();

	/** Changes up to this number are in the snapshot, or have been offered since. */
	private long seen;

	/** How many changes the handler is ready for. */
	private long demand;

	private boolean busy;

	/** Whether a thread delivers. */
	private boolean served;

	/** The run that serves it. Calls of an earlier run have no effect. */
	private @Nullable Object run;

	/** Tells that run that the thread is not waited for any more. */
	private volatile Runnable giveUp = () -> {
	};

	private boolean draining;

	private boolean closed;

	private boolean removed;

	/** Whether it is to be removed once it has heard what waits. */
	private boolean leaving;

	/** Whether the handler is to hear nothing more until it joins again. */
	private boolean stopped;

	private @Nullable Throwable cause;

	ProcessorListener(DeliverySetup<T> setup, HandlerGroup<T> group, int index, ResyncClock resync, int capacity) {
		this.setup = setup;
		this.group = group;
		this.index = index;
		this.resync = resync;
		this.queue = new ChangeQueue<>(setup.accessor(), capacity);
		this.call = new ListenerCall(setup.time());
		this.end = new ListenerEnd(setup, this.lock, this.call, this::givenUp);
		this.demand = isStream() ? 0 : Long.MAX_VALUE;
	}

	HandlerGroup<T> group() {
		return this.group;
	}

	private boolean isStream() {
		return this.group.kind() == ListenerKind.STREAM;
	}

	boolean isFirst() {
		return this.index == 0;
	}

	/** What its thread does, as part of the name of that. */
	public String task() {
		return this.group.task(this.index);
	}

	public ResyncClock resync() {
		return this.resync;
	}

	/** What its thread calls. */
	ListenerCall call() {
		return this.call;
	}

	/** Whether the call in progress was interrupted, because the time is over. */
	boolean isInterrupted() {
		return this.end.isInterrupted();
	}

	/** Begins with what is stored, and goes on with changes after a certain one. */
	void join(Stock<T> stock, long sequence) {
		this.lock.lock();
		try {
			this.seen = sequence;
			this.stopped = false;
			begin(stock);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Begins with what the mirror has been filled with up to a change. */
	void fill(Stock<T> stock, long last) {
		this.lock.lock();
		try {
			if (last > this.seen) {
				this.seen = last;
				begin(stock);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void begin(Stock<T> stock) {
		if (!this.removed && !this.leaving && !this.stopped) {
			this.queue.add(this.group.share(this.index, stock));
			this.notEmpty.signal();
		}
	}

	/** Queues changes at once while there is room; returns whether there is for all. */
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

	/** Queues a change; if there is no room merges it, or waits when somebody takes. */
	public void add(Change<T> change, long sequence) {
		boolean merged = false;
		boolean overflown = false;
		this.lock.lock();
		try {
			if (isKnown(change, sequence)) {
				return;
			}
			boolean mayMerge = isStream() || this.setup.queue().overflow() == QueueSettings.Overflow.COALESCE;
			merged = this.queue.isFull() && mayMerge && this.queue.merge(change);
			overflown = !merged && this.queue.isFull() && isStream();
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
		// a resync brings nothing new: not worth the end of a stream
		if (overflown && change.cause() != Change.Cause.RESYNC) {
			remove(Exceptions.failWithOverflow("The subscriber is too slow for the changes of reflector '"
					+ this.setup.name() + "': " + this.setup.queue().queueCapacity() + " wait for it already"));
		}
	}

	/** Whether it has come already, or is not to be heard. */
	private boolean isKnown(Change<T> change, long sequence) {
		return sequence <= this.seen || this.removed || this.stopped || this.leaving
				|| !this.group.isShare(this.index, change.key())
				|| (change.cause() == Change.Cause.RESYNC && !this.resync.hears(change.key().namespace()));
	}

	private void append(Change<T> change, long sequence) {
		while (this.queue.isFull() && this.served && !this.draining && !this.leaving && !this.removed
				&& !this.stopped) {
			this.notFull.awaitUninterruptibly();
		}
		// meanwhile it may have begun anew, with what the change has led to
		if (!this.removed && !this.stopped && sequence > this.seen) {
			this.queue.add(change);
			this.notEmpty.signal();
		}
	}

	void synced(String resourceVersion) {
		note(this.group.synced(resourceVersion));
	}

	/** Queues what is no change. */
	void note(Notification<T> note) {
		this.lock.lock();
		try {
			if (!this.removed && !this.stopped && !this.leaving) {
				this.queue.addNote(note);
				this.notEmpty.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Has the handler ready for more changes. */
	public void request(long count) {
		this.lock.lock();
		try {
			this.demand = Operators.addCap(this.demand, count);
			this.notEmpty.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	public int size() {
		this.lock.lock();
		try {
			return this.queue.changes() + (this.busy ? 1 : 0);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A thread is about to deliver.
	 * @param run whose thread it is
	 * @param giveUp called when the thread is not waited for any more
	 * @return whether it is of use
	 */
	public boolean begin(Object run, Runnable giveUp) {
		this.group.started(this.index);
		this.lock.lock();
		try {
			this.run = run;
			this.giveUp = giveUp;
			this.served = !this.removed;
			this.draining = false;
			this.closed = false;
			return this.served;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Begins the end of the thread: nobody waits for room any more, and what the mirror
	 * already shows is still delivered, as far as the time allows (E-33).
	 */
	public void drain(Object run) {
		boolean told;
		boolean fromWithin;
		this.lock.lock();
		try {
			if (this.run != run || this.draining) {
				return;
			}
			told = endBegins();
			this.draining = true;
			this.notFull.signalAll();
			fromWithin = this.end.isFromWithin();
			if (fromWithin) {
				this.end.giveUp();
			}
		}
		finally {
			this.lock.unlock();
		}
		if (!told) {
			this.group.stopping(this.index);
		}
		if (fromWithin) {
			givenUp();
		}
	}

	/** Whether its end, begun now, would wait for itself. */
	boolean isEndedFromWithin() {
		this.lock.lock();
		try {
			return this.end.isFromWithin();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The call in progress may go on, but is not waited for any more. */
	private void givenUp() {
		Runnable giveUp = this.giveUp;
		end();
		giveUp.run();
	}

	/** Whether the end had begun before, and the handler has been told. */
	private boolean endBegins() {
		boolean told = this.draining || this.leaving;
		if (!told) {
			this.end.begin();
		}
		return told;
	}

	/** Ends the thread once nothing is left to deliver, or the time to do so is over. */
	public void close(Object run) {
		this.lock.lock();
		try {
			this.closed |= this.run == run;
			this.notEmpty.signalAll();
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
				// an interrupt that a handler has left behind is not meant for the next
				Thread.interrupted();
				this.group.deliver(this.index, next);
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
		CalledListener.deliverOnThisThread(this.call);
		this.lock.lock();
		try {
			this.end.enter();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean leaveThread() {
		CalledListener.end();
		this.lock.lock();
		try {
			return this.end.leave();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** No thread delivers any more. */
	public void end() {
		boolean left;
		this.lock.lock();
		try {
			this.served = false;
			this.busy = false;
			this.notFull.signalAll();
			left = this.removed || this.leaving;
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
			while (this.end.isEntered() && !isReady() && !this.closed && !this.removed && !this.leaving) {
				this.notEmpty.awaitUninterruptibly();
			}
			if (this.removed || !this.end.isEntered() || !isReady()) {
				return null;
			}
			boolean ending = this.draining || this.leaving;
			return (ending && this.end.isOver(this.group.name(), this.queue.changes())) ? null : take();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** A change on which the handler was interrupted waits to be told once more. */
	private void returned(Notification<T> told) {
		boolean completed = this.end.returned();
		if (!completed && told.isChange() && !isStream() && !this.removed && !this.stopped) {
			this.queue.putBack(told);
		}
		if (this.end.isEntered()) {
			this.busy = false;
		}
		else {
			// the thread that delivers now has waited for this
			this.notEmpty.signalAll();
		}
	}

	private boolean isReady() {
		return !this.end.isStuck() && (this.queue.beginsWithChange() ? this.demand > 0 : !this.queue.isEmpty());
	}

	private Notification<T> take() {
		boolean change = this.queue.beginsWithChange();
		Notification<T> next = this.queue.remove();
		this.end.called();
		if (change) {
			this.busy = true;
			this.demand -= (this.demand != Long.MAX_VALUE) ? 1 : 0;
			this.notFull.signal();
		}
		return next;
	}

	CompletionStage<Void> synced() {
		return this.synced;
	}

	/** Forgets what waits, and takes nothing more until it joins again. */
	void stopDelivery() {
		this.lock.lock();
		try {
			this.stopped = true;
			this.queue.clear();
			this.notFull.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Has the handler removed when it has heard what waits, as far as time allows. */
	void leave() {
		boolean running;
		boolean told;
		this.lock.lock();
		try {
			running = this.served;
			told = running && endBegins();
			this.leaving |= running;
			this.notEmpty.signalAll();
			this.notFull.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		if (!running) {
			remove(null);
		}
		else if (!told) {
			this.group.stopping(this.index);
		}
	}

	/** Removes the handler, for a cause or on request; returns whether it was there. */
	public boolean remove(@Nullable Throwable cause) {
		boolean last;
		boolean told;
		this.lock.lock();
		try {
			if (this.removed) {
				return false;
			}
			told = this.draining || this.leaving;
			this.removed = true;
			this.cause = cause;
			this.queue.clear();
			this.notEmpty.signalAll();
			this.notFull.signalAll();
			last = !this.served;
		}
		finally {
			this.lock.unlock();
		}
		if (!told) {
			this.group.stopping(this.index);
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

	/** Completes on the thread of the last call, exceptionally when that was too slow. */
	public CompletionStage<Void> ended() {
		return this.ended;
	}

}
