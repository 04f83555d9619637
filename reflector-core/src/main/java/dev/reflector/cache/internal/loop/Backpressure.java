package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.RequestObserver;

/**
 * Notices when a watch is not read: when as much has come as the loop has requested.
 * Notifies the observer of the begin and the end of each such time, one after the other
 * and without a lock. Reads the clock only then.
 */
final class Backpressure {

	private final RequestObserver observer;

	private final TimeSource time;

	private final AtomicReference<State> state = new AtomicReference<>(State.READ);

	/** How much has come. Used by the thread that delivers. */
	private long delivered;

	/** Written before the source learns of it, so it delivers nothing more before. */
	private volatile long requested;

	private volatile long since;

	Backpressure(RequestObserver observer, TimeSource time) {
		this.observer = observer;
		this.time = time;
	}

	/** The loop is about to request more. */
	void requesting(long count) {
		this.requested = this.requested + count;
		read(State.READ);
	}

	/** Something has come. Called on the thread that delivers. */
	void delivered() {
		if (++this.delivered == this.requested) {
			block();
		}
	}

	private void block() {
		this.since = this.time.nanoTime();
		if (!this.state.compareAndSet(State.READ, State.BLOCKING)) {
			return;
		}
		if (this.delivered != this.requested) {
			// requested since, maybe before the state could be seen
			this.state.compareAndSet(State.BLOCKING, State.READ);
			this.state.compareAndSet(State.READ_MEANWHILE, State.READ);
			return;
		}
		this.observer.blocked();
		if (!this.state.compareAndSet(State.BLOCKING, State.BLOCKED)) {
			// the other thread has left this to the one that reported the begin
			this.state.compareAndSet(State.READ_MEANWHILE, State.READ);
			unblocked();
		}
	}

	/** The watch has ended. */
	void end() {
		read(State.ENDED);
	}

	private void read(State next) {
		State meanwhile = (next == State.READ) ? State.READ_MEANWHILE : next;
		while (true) {
			State present = this.state.get();
			boolean blocking = present == State.BLOCKING || present == State.READ_MEANWHILE;
			if (present == State.ENDED || this.state.compareAndSet(present, blocking ? meanwhile : next)) {
				if (present == State.BLOCKED) {
					unblocked();
				}
				return;
			}
		}
	}

	private void unblocked() {
		this.observer.unblocked(Duration.ofNanos(this.time.nanoTime() - this.since));
	}

	private enum State {

		/** The loop has requested more than has come. */
		READ,

		/** The observer is being notified of the begin. */
		BLOCKING,

		/** The observer was notified of the begin. */
		BLOCKED,

		/** More was requested while the observer was being notified of the begin. */
		READ_MEANWHILE,

		/** The watch has ended. */
		ENDED

	}

}
