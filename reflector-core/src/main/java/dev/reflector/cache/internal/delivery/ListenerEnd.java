package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.Lock;

import dev.reflector.cache.internal.call.ListenerCall;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a listener (E-33). For a limited time, the listener still receives queued
 * changes. Then the call in progress is interrupted. If the call still does not return,
 * the end of the listener no longer waits for the call. Used under the lock of the
 * listener.
 */
final class ListenerEnd {

	/** How long a call may continue after it has been interrupted. */
	private static final Duration GRACE = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private final DeliverySetup<?> setup;

	private final Lock lock;

	private final ListenerCall call;

	private final Runnable afterGivingUp;

	/** The thread that delivers. */
	private @Nullable Thread thread;

	/**
	 * The thread of a call that has not returned, but that the end of the listener no
	 * longer waits for.
	 */
	private @Nullable Thread stuck;

	private boolean calling;

	private volatile boolean interrupted;

	/** Whether the thread that delivers must not make another call. */
	private boolean abandoned;

	private long deadline;

	/** Increased when a timer becomes stale. Timers with an earlier number do nothing. */
	private int round;

	private @Nullable Runnable timer;

	/**
	 * Creates the end of a listener. The end has not begun yet.
	 * @param setup contains the time limit
	 * @param lock the lock of the listener
	 * @param call the call that the listener's thread makes
	 * @param afterGivingUp called without the lock, when the end of the listener no
	 * longer waits for a call
	 */
	ListenerEnd(DeliverySetup<?> setup, Lock lock, ListenerCall call, Runnable afterGivingUp) {
		this.setup = setup;
		this.lock = lock;
		this.call = call;
		this.afterGivingUp = afterGivingUp;
	}

	/** Notes that the calling thread delivers from now on. */
	void enter() {
		this.thread = Thread.currentThread();
		this.abandoned = false;
	}

	/**
	 * Notes that the calling thread no longer delivers.
	 * @return whether the calling thread was the one that delivers
	 */
	boolean leave() {
		if (this.thread != Thread.currentThread()) {
			return false;
		}
		release();
		return true;
	}

	private void release() {
		this.thread = null;
		this.calling = false;
		nextRound();
	}

	private int nextRound() {
		Runnable timer = this.timer;
		this.timer = null;
		if (timer != null) {
			timer.run();
		}
		return ++this.round;
	}

	/** Notes that the thread that delivers is about to call the handler. */
	void called() {
		this.calling = true;
	}

	/**
	 * Notes that a call of the current thread has returned.
	 * @return whether the call was not interrupted
	 */
	boolean returned() {
		boolean completed = !this.interrupted;
		this.interrupted = false;
		if (!completed) {
			// clears the interrupt, which was meant only for this call
			Thread.interrupted();
		}
		if (this.stuck == Thread.currentThread()) {
			this.stuck = null;
		}
		else {
			this.calling = false;
		}
		return completed;
	}

	boolean isInterrupted() {
		return this.interrupted;
	}

	/**
	 * Treats the call of the current thread as interrupted, because its handler makes no
	 * further attempt. If the current thread delivers, it must not make another call.
	 */
	void abandon() {
		this.interrupted = true;
		this.abandoned = isEntered();
	}

	/** Whether the thread that delivers must not make another call. */
	boolean isAbandoned() {
		return this.abandoned;
	}

	/**
	 * Whether a call is still in progress that the end of the listener no longer waits
	 * for. While there is such a call, no other call may begin.
	 */
	boolean isStuck() {
		return this.stuck != null;
	}

	/** Whether the current thread is the one that delivers. */
	boolean isEntered() {
		return this.thread == Thread.currentThread();
	}

	/** Begins the time in which queued changes are still delivered. */
	void begin() {
		Duration time = this.setup.delivery().drainTimeout();
		this.deadline = this.setup.time().nanoTime() + time.toNanos();
		int round = nextRound();
		this.timer = this.setup.time().schedule(time, () -> interrupt(round));
	}

	/**
	 * Whether the time for queued changes is over. Logs a warning if there are changes
	 * left.
	 */
	boolean isOver(String handler, int left) {
		boolean over = this.setup.time().nanoTime() - this.deadline >= 0;
		if (over && left > 0) {
			logger.atWarn()
				.addKeyValue("reflector", this.setup.name())
				.addKeyValue("listener", handler)
				.log("Reflector '{}': ended before {} changes were delivered to {}, which was too slow",
						this.setup.name(), left, handler);
		}
		return over;
	}

	private void interrupt(int round) {
		this.lock.lock();
		try {
			Thread thread = this.thread;
			if (round != this.round || !this.calling || thread == null) {
				return;
			}
			warn("was still busy with {} at the end of the stop's time limit (reflector.events.drain-timeout), "
					+ "and is interrupted");
			this.interrupted = true;
			thread.interrupt();
			this.timer = this.setup.time().schedule(GRACE, () -> giveUp(round));
		}
		finally {
			this.lock.unlock();
		}
	}

	private void giveUp(int round) {
		this.lock.lock();
		try {
			if (round != this.round || !this.calling) {
				return;
			}
			warn("has not returned from {} since it was interrupted. The stop no longer waits for it");
			giveUp();
		}
		finally {
			this.lock.unlock();
		}
		this.afterGivingUp.run();
	}

	/** Stops waiting for the call in progress. */
	void giveUp() {
		this.stuck = this.thread;
		release();
	}

	private void warn(String what) {
		ListenerCall.InProgress call = this.call.inProgress();
		// between two attempts to deliver a change, no listener is being called
		String listener = (call != null) ? call.listener() : "that failed";
		logger.atWarn()
			.addKeyValue("reflector", this.setup.name())
			.addKeyValue("listener", listener)
			.log("Reflector '{}': the listener {} " + what, this.setup.name(), listener,
					(call != null) ? call.subject() : "a change");
	}

	/**
	 * Whether waiting for the call in progress would be a deadlock: the current thread
	 * runs within this call, or the call ends the JVM, which waits for the end of the
	 * listener.
	 */
	boolean isFromWithin() {
		Thread thread = this.thread;
		return this.calling && thread != null && (thread == Thread.currentThread() || endsJvm(thread));
	}

	private static boolean endsJvm(Thread thread) {
		return Arrays.stream(thread.getStackTrace())
			.anyMatch((frame) -> frame.getClassName().equals("java.lang.Shutdown"));
	}

}
