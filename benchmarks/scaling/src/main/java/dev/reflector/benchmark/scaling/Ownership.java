package dev.reflector.benchmark.scaling;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import dev.reflector.sharding.membership.ShardMembership;

/**
 * Asks again and again which slots this replica owns, as a listener would, and notes when
 * that changes.
 */
final class Ownership {

	private static final long PERIOD_MILLIS = 2;

	private final ShardMembership membership;

	private final boolean[] owned = new boolean[Tally.SLOTS.count()];

	private final AtomicLongArray begins = new AtomicLongArray(Tally.SLOTS.count());

	private final AtomicLongArray ends = new AtomicLongArray(Tally.SLOTS.count());

	private Ownership(ShardMembership membership) {
		this.membership = membership;
	}

	static Ownership of(ShardMembership membership) {
		Ownership ownership = new Ownership(membership);
		Thread thread = new Thread(ownership::watch, "ownership");
		thread.setDaemon(true);
		thread.start();
		return ownership;
	}

	private void watch() {
		try {
			while (true) {
				look();
				TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private synchronized void look() {
		for (int slot = 0; slot < this.owned.length; slot++) {
			long before = System.nanoTime();
			boolean owned = this.membership.isOwner(slot);
			if (owned != this.owned[slot]) {
				this.owned[slot] = owned;
				// neither makes the time without an owner longer than it was
				if (owned) {
					this.begins.set(slot, before);
				}
				else {
					this.ends.set(slot, System.nanoTime());
				}
			}
		}
	}

	/** Notes the current ownership as well. */
	synchronized void refresh() {
		look();
	}

	synchronized boolean isOwned(int slot) {
		return this.owned[slot];
	}

	long beganAt(int slot) {
		return this.begins.get(slot);
	}

	long endedAt(int slot) {
		return this.ends.get(slot);
	}

}
