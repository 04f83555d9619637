package dev.reflector.cache.internal.delivery;

import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * The state of a listener between its first run and its removal. All fields are guarded
 * by {@link #lock}, which is the only lock of the listener.
 */
final class ListenerState {

	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * The run that serves the listener. Calls that pass an earlier run have no effect.
	 */
	private @Nullable Object run;

	/** Whether a thread delivers. */
	private boolean served;

	/** Whether the run is stopping, and only the remaining changes are delivered. */
	private boolean draining;

	/** Whether the thread must end when no changes remain. */
	private boolean closed;

	/** Whether to remove the handler once it has received the queued changes. */
	private boolean leaving;

	private boolean removed;

	/** Whether nothing is delivered until the handler joins again. */
	private boolean stopped;

	ReentrantLock lock() {
		return this.lock;
	}

	/** Begins a run. Returns whether a thread is needed. */
	boolean begin(Object run) {
		this.run = run;
		this.served = !this.removed;
		this.draining = false;
		this.closed = false;
		return this.served;
	}

	/** Whether this run serves the listener, and the end of the run has not begun. */
	boolean isGoingOn(Object run) {
		return this.run == run && !this.draining;
	}

	void drain() {
		this.draining = true;
	}

	void close(Object run) {
		this.closed |= this.run == run;
	}

	/** Notes that the thread has ended. Returns whether to remove the handler now. */
	boolean end() {
		this.served = false;
		return this.removed || this.leaving;
	}

	void leave() {
		this.leaving = true;
	}

	void remove() {
		this.removed = true;
	}

	void stop() {
		this.stopped = true;
	}

	void resume() {
		this.stopped = false;
	}

	boolean isServed() {
		return this.served;
	}

	boolean isRemoved() {
		return this.removed;
	}

	/**
	 * Whether the end of the listener has begun: the handler was notified of the stop,
	 * and the time for queued changes is limited.
	 */
	boolean isEnding() {
		return this.draining || this.leaving;
	}

	/** Whether the run is stopping, and the next run continues with the queue. */
	boolean continuesInNextRun() {
		return this.draining && !this.leaving && !this.removed;
	}

	/** Whether the thread waits for more changes when there is nothing to deliver. */
	boolean expectsMore() {
		return !this.closed && !this.removed && !this.leaving;
	}

	/** Whether more changes may be queued. */
	boolean accepts() {
		return !this.removed && !this.leaving && !this.stopped;
	}

	/** Whether changes that are already queued must still be delivered. */
	boolean keeps() {
		return !this.removed && !this.stopped;
	}

	/** Whether to wait for room in the queue before adding a change. */
	boolean makesRoom() {
		return this.served && !this.draining && accepts();
	}

}
