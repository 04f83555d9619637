package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.RequestObserver;

/**
 * Notices when the loop blocks a watch: all requested frames have arrived, and the loop
 * has not requested more. Notifies the observer of the start and of the end of each
 * blocked period. Takes no lock, and reads the clock only at the start and the end of a
 * period.
 */
final class Backpressure {

	private final RequestObserver observer;

	private final TimeSource time;

	private final AtomicReference<State> state = new AtomicReference<>(State.READ);

	/** How many frames have arrived. Used only by the thread that delivers frames. */
	private long delivered;

	/**
	 * How many frames the loop has requested. Increased before the source receives the
	 * request, so it is never less than the number of delivered frames.
	 */
	private volatile long requested;

	private volatile long since;

	Backpressure(RequestObserver observer, TimeSource time) {
		this.observer = observer;
		this.time = time;
	}

	/**
	 * Ends a blocked period. Called before the loop requests more frames.
	 * @param count how many more frames the loop will request
	 */
	void requesting(long count) {
		this.requested = this.requested + count;
		read(State.READ);
	}

	/**
	 * Starts a blocked period if the frame that has arrived was the last one that the
	 * loop has requested. Called on the thread that delivers.
	 */
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
			// the loop has requested more frames in the meantime, maybe before the state
			// was set to BLOCKING
			this.state.compareAndSet(State.BLOCKING, State.READ);
			this.state.compareAndSet(State.READ_MEANWHILE, State.READ);
			return;
		}
		this.observer.blocked();
		if (!this.state.compareAndSet(State.BLOCKING, State.BLOCKED)) {
			// the period has ended during the notification: this thread, which reported
			// the start, also reports the end
			this.state.compareAndSet(State.READ_MEANWHILE, State.READ);
			unblocked();
		}
	}

	/**
	 * Ends the current blocked period and prevents further ones. Called when the watch
	 * has ended.
	 */
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

		/** The loop has requested more frames than have arrived. */
		READ,

		/** The observer is being notified of the start of a blocked period. */
		BLOCKING,

		/** The observer was notified of the start of a blocked period. */
		BLOCKED,

		/** The loop requested more while the observer was being notified of the start. */
		READ_MEANWHILE,

		/** The watch has ended. */
		ENDED

	}

}
