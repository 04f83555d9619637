package dev.reflector.actuate.metrics;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Measures how long a stream waits for its subscriber to ask for more, as long as it
 * waits and when it does no longer.
 */
final class Demand {

	private final LongSupplier nanoTime;

	private final Consumer<Duration> blocked;

	/** Guarded by itself, like what follows. */
	private long outstanding;

	private long since;

	private boolean waiting;

	/**
	 * A stream that nobody has asked for anything.
	 * @param nanoTime the time
	 * @param blocked told of each wait that is over
	 */
	Demand(LongSupplier nanoTime, Consumer<Duration> blocked) {
		this.nanoTime = nanoTime;
		this.blocked = blocked;
	}

	void requested(long count) {
		long waited;
		synchronized (this) {
			this.outstanding = (this.outstanding + count < 0) ? Long.MAX_VALUE : this.outstanding + count;
			waited = waited();
		}
		record(waited);
	}

	synchronized void delivered() {
		if (this.outstanding != Long.MAX_VALUE && --this.outstanding == 0) {
			this.waiting = true;
			this.since = this.nanoTime.getAsLong();
		}
	}

	/** Nothing more will come: who was waited for will not ask any more. */
	void ended() {
		long waited;
		synchronized (this) {
			waited = waited();
		}
		record(waited);
	}

	/**
	 * How long the stream has been waiting by now.
	 * @return the time, zero when it does not wait
	 */
	synchronized Duration waiting() {
		return this.waiting ? Duration.ofNanos(this.nanoTime.getAsLong() - this.since) : Duration.ZERO;
	}

	private long waited() {
		if (!this.waiting) {
			return -1;
		}
		this.waiting = false;
		return this.nanoTime.getAsLong() - this.since;
	}

	private void record(long waited) {
		if (waited >= 0) {
			this.blocked.accept(Duration.ofNanos(waited));
		}
	}

}
