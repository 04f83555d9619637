package dev.reflector.benchmark.scaling;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceUpdatedEvent;
import dev.reflector.event.ShardAcquiredEvent;
import dev.reflector.sharding.Slots;

import org.springframework.context.event.EventListener;

/**
 * Counts the events of listeners, in total and for each slot since its acquisition.
 */
final class Tally {

	static final Slots SLOTS = new Slots(64);

	private final AtomicLong additions = new AtomicLong();

	private final AtomicLong updates = new AtomicLong();

	/** By slot, the additions since its last acquisition. */
	private final AtomicLongArray told = new AtomicLongArray(SLOTS.count());

	/** By slot, the time of the last addition. */
	private final AtomicLongArray toldAt = new AtomicLongArray(SLOTS.count());

	@EventListener
	void on(ResourceEvent<Workload> event) {
		if (event instanceof ResourceAddedEvent) {
			int slot = SLOTS.slotOf(event.resource().metadata().uid());
			this.additions.getAndIncrement();
			this.told.getAndIncrement(slot);
			this.toldAt.set(slot, System.nanoTime());
		}
		else if (event instanceof ResourceUpdatedEvent) {
			this.updates.getAndIncrement();
		}
	}

	@EventListener
	void on(ShardAcquiredEvent event) {
		this.told.set(event.slot(), 0);
	}

	long additions() {
		return this.additions.get();
	}

	long updates() {
		return this.updates.get();
	}

	long told(int slot) {
		return this.told.get(slot);
	}

	long toldAt(int slot) {
		return this.toldAt.get(slot);
	}

}
