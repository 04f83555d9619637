package dev.reflector.cache.internal.loop;

import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.RequestObserver;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.SignalType;
import reactor.util.context.Context;

/**
 * The messages for a list/watch loop. They are handled in order by one thread at a time,
 * the thread that has the turn. Normally, the loop's thread has the turn. While the
 * loop's thread waits for messages, a source's thread that delivers only a few frames can
 * take the turn and handle these frames itself, without waking the loop's thread. The
 * mailbox needs no bound, because no more frames arrive than the loop has requested.
 *
 * @param <T> the type of the objects
 */
final class Mailbox<T> {

	private static final Logger logger = LoggerFactory.getLogger(Mailbox.class);

	/** How many frames of a watch the loop requests in advance. */
	static final int PREFETCH = 64;

	/** If at least this many messages are queued, they are left to the loop's thread. */
	private static final int MANY = 16;

	/**
	 * The context of subscriptions to requests. If a request fails after it was canceled,
	 * the failure is logged at DEBUG instead of being reported as an unhandled error
	 * (R-09).
	 */
	static final Context GIVEN_UP = Context.of("reactor.onErrorDropped.local",
			(Consumer<Throwable>) (error) -> logger.debug("A request has failed after it was canceled", error));

	private final Queue<LoopMessage<T>> messages = new ConcurrentLinkedQueue<>();

	/** Locked by the thread that takes and handles messages. */
	private final ReentrantLock turn = new ReentrantLock();

	/** Handles frames on the thread that delivers them. */
	private final Direct<T> direct;

	/**
	 * The message that the loop's thread must handle before all others. Guarded by
	 * {@link #turn}.
	 */
	private @Nullable LoopMessage<T> first;

	/** The loop's thread while it waits for a message, or {@code null}. */
	private volatile @Nullable Thread waiting;

	/**
	 * Creates an empty mailbox.
	 * @param direct handles frames on the thread that delivers them
	 */
	Mailbox(Direct<T> direct) {
		this.direct = direct;
	}

	void post(LoopMessage<T> message) {
		postQuietly(message);
		wake();
	}

	/**
	 * Adds a message without waking the loop's thread. {@link #wake()} must be called
	 * after the last of several messages.
	 */
	private void postQuietly(LoopMessage<T> message) {
		this.messages.add(message);
	}

	private void wake() {
		Thread waiting = this.waiting;
		if (waiting != null) {
			LockSupport.unpark(waiting);
		}
	}

	/**
	 * If the loop's thread waits for messages, handles the queued frames on the calling
	 * thread. Leaves the remaining messages to the loop's thread.
	 */
	private void deliver() {
		if (this.waiting == null) {
			return;
		}
		boolean done = false;
		try {
			done = handleDirectly();
		}
		finally {
			if (!done) {
				wake();
			}
		}
	}

	/**
	 * Handles queued frames, if the calling thread can take the turn. Returns whether no
	 * message is left.
	 */
	private boolean handleDirectly() {
		// a large batch is left to the loop's thread
		if (areMany() || this.turn.isHeldByCurrentThread() || !this.turn.tryLock()) {
			return false;
		}
		try {
			boolean handled = false;
			while (this.first == null && this.messages.peek() instanceof LoopMessage.ReceivedFrame<T> frame
					&& this.direct.receiveDirectly(frame)) {
				this.messages.remove();
				handled = true;
			}
			if (handled) {
				this.direct.handOver();
			}
			return this.first == null && this.messages.isEmpty();
		}
		catch (Throwable ex) {
			putFirst(new LoopMessage.Defect<>(ex));
			return false;
		}
		finally {
			this.turn.unlock();
		}
	}

	/**
	 * Whether at least {@value #MANY} messages are queued. Stops counting at this number,
	 * because the queue can only be counted message by message.
	 */
	private boolean areMany() {
		int count = 0;
		for (Iterator<LoopMessage<T>> messages = this.messages.iterator(); messages.hasNext(); messages.next()) {
			if (++count >= MANY) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Adds a message that is handled before all queued ones. Called by the thread that
	 * has the turn.
	 */
	void putFirst(LoopMessage<T> message) {
		this.first = message;
	}

	/**
	 * Takes the turn for the calling thread, which keeps the turn except while it waits
	 * for messages.
	 */
	void enter() {
		this.turn.lock();
	}

	/** Gives up the turn of the calling thread. */
	void leave() {
		this.turn.unlock();
	}

	/**
	 * Returns the next message, or {@code null} if there is none. Called by the thread
	 * that has the turn.
	 */
	@Nullable LoopMessage<T> poll() {
		LoopMessage<T> first = this.first;
		this.first = null;
		return (first != null) ? first : this.messages.poll();
	}

	/**
	 * Waits for the next message. Called by the loop's thread while it has the turn. The
	 * thread gives up the turn while it waits.
	 */
	LoopMessage<T> take() throws InterruptedException {
		this.waiting = Thread.currentThread();
		try {
			LoopMessage<T> message;
			// polls after the field is set: a thread that posts a message later sees the
			// field and wakes this thread
			while ((message = poll()) == null) {
				park();
				if (Thread.interrupted()) {
					throw new InterruptedException();
				}
			}
			return message;
		}
		finally {
			this.waiting = null;
		}
	}

	private void park() {
		this.turn.unlock();
		try {
			LockSupport.park(this);
		}
		finally {
			this.turn.lock();
		}
	}

	/**
	 * Handles frames on the thread that delivers them, while that thread has the turn.
	 */
	interface Direct<T> {

		/**
		 * Handles a frame that contains an object, if this is possible without waiting.
		 * @return whether the frame was handled; if not, the loop's thread must handle it
		 */
		boolean receiveDirectly(LoopMessage.ReceivedFrame<T> frame);

		/**
		 * Called after the last of several frames, to hand over the changes that they
		 * have queued.
		 */
		void handOver();

	}

	/** Posts the frames of a watch, never more than were requested. */
	static final class WatchSubscriber<T> extends BaseSubscriber<WatchEvent<T>> implements RequestListener {

		private final Mailbox<T> mailbox;

		private final long activity;

		private final RequestObserver observer;

		private final ResourceAccessor<T> accessor;

		/** Reports blocked periods; {@code null} if nothing observes the watch. */
		private final @Nullable Backpressure backpressure;

		private final AtomicReference<BurstState> burst = new AtomicReference<>(BurstState.NONE);

		private int consumed;

		WatchSubscriber(Mailbox<T> mailbox, long activity, RequestObserver observer, ResourceAccessor<T> accessor,
				TimeSource time) {
			this.mailbox = mailbox;
			this.activity = activity;
			this.observer = observer;
			this.accessor = accessor;
			this.backpressure = (observer != RequestObserver.NONE) ? new Backpressure(observer, time) : null;
		}

		@Override
		public Context currentContext() {
			return RequestListener.in(GIVEN_UP, this);
		}

		@Override
		public void broken(BrokenAnswer answer) {
			if (answer != BrokenAnswer.MALFORMED) {
				this.mailbox.post(new LoopMessage.Broken<>(this.activity, answer));
			}
		}

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			requestMore(PREFETCH);
		}

		private void requestMore(int count) {
			if (this.backpressure != null) {
				this.backpressure.requesting(count);
			}
			request(count);
		}

		@Override
		protected void hookOnNext(WatchEvent<T> event) {
			this.observer.arrived(event, this.accessor);
			this.mailbox.postQuietly(new LoopMessage.ReceivedFrame<>(this.activity, event));
			// checked after posting, because the burst may have ended before the message
			// was posted
			if (this.burst.get() != BurstState.OPEN) {
				this.mailbox.wake();
			}
			if (this.backpressure != null) {
				this.backpressure.delivered();
			}
		}

		@Override
		protected void hookOnComplete() {
			this.mailbox.post(new LoopMessage.Closed<>(this.activity, false));
		}

		@Override
		protected void hookOnError(Throwable error) {
			this.mailbox.post(new LoopMessage.Failed<>(this.activity, error));
		}

		@Override
		public void burstBegins() {
			this.burst.compareAndSet(BurstState.NONE, BurstState.OPEN);
		}

		@Override
		public void burstEnds() {
			if (this.burst.compareAndSet(BurstState.OPEN, BurstState.NONE)) {
				this.mailbox.deliver();
			}
		}

		/**
		 * Ends a burst that the source has not ended, because the source hung or was
		 * canceled, and wakes the loop's thread.
		 */
		@Override
		protected void hookFinally(SignalType type) {
			if (this.burst.getAndSet(BurstState.OVER) == BurstState.OPEN) {
				this.mailbox.wake();
			}
			if (this.backpressure != null) {
				this.backpressure.end();
			}
		}

		/** Called by the loop for each frame that it has handled. */
		void consumed() {
			if (++this.consumed == PREFETCH / 2) {
				this.consumed = 0;
				requestMore(PREFETCH / 2);
			}
		}

	}

	private enum BurstState {

		NONE, OPEN, OVER

	}

}
