package dev.reflector.actuate.metrics;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Measures how long a stream waits until its subscriber requests more: the current wait,
 * and each wait that has ended.
 */
final class Demand {

	private final LongSupplier nanoTime;

	private final Consumer<Duration> blocked;

	/** Guarded by this object, as the two fields below. */
	private long outstanding;

	private long since;

	private boolean waiting;

	/**
	 * Creates the measure of a stream without requests.
	 * @param nanoTime source of time
	 * @param blocked is told of each wait that has ended
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

	/** The stream has ended, and with it the wait. */
	void ended() {
		long waited;
		synchronized (this) {
			waited = waited();
		}
		record(waited);
	}

	/**
	 * How long the stream has been waiting.
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
