package dev.reflector.actuate;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Measures how long a stream waits for its subscriber to ask for more.
 */
final class Demand {

	private final Consumer<Duration> blocked;

	/** Guarded by itself, like what follows. */
	private long outstanding;

	private long since;

	private boolean waiting;

	Demand(Consumer<Duration> blocked) {
		this.blocked = blocked;
	}

	void requested(long count) {
		long waited = -1;
		synchronized (this) {
			this.outstanding = (this.outstanding + count < 0) ? Long.MAX_VALUE : this.outstanding + count;
			if (this.waiting) {
				this.waiting = false;
				waited = System.nanoTime() - this.since;
			}
		}
		if (waited >= 0) {
			this.blocked.accept(Duration.ofNanos(waited));
		}
	}

	synchronized void delivered() {
		if (this.outstanding != Long.MAX_VALUE && --this.outstanding == 0) {
			this.waiting = true;
			this.since = System.nanoTime();
		}
	}

}
