package dev.reflector.guide;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.cache.handler.Ownership;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ShardAcquiredEvent;
import dev.reflector.event.ShardReleasedEvent;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class WantedReplicas {

	private final Map<Integer, Slot> slots = new ConcurrentHashMap<>();

	@EventListener
	void on(ShardAcquiredEvent event) {
		// all objects of the slot follow, as additions
		this.slots.put(event.slot(), new Slot(event.epoch(), new ConcurrentHashMap<>()));
	}

	@EventListener
	void on(ResourceEvent<Deployment> event) {
		Ownership ownership = event.ownership();
		Slot slot = (ownership != null) ? this.slots.get(ownership.slot()) : null;
		// an earlier call may end after the slot was lost and acquired again
		if (slot != null && slot.epoch() == ownership.epoch()) {
			String uid = event.resource().metadata().uid();
			if (event instanceof ResourceDeletedEvent) {
				slot.wanted().remove(uid);
			}
			else {
				slot.wanted().put(uid, event.resource().spec().replicas());
			}
		}
	}

	@EventListener
	void on(ShardReleasedEvent event) {
		// another replica may own the slot now; no deletions follow
		this.slots.remove(event.slot());
	}

	int total() {
		return this.slots.values()
			.stream()
			.flatMap((slot) -> slot.wanted().values().stream())
			.mapToInt((wanted) -> wanted)
			.sum();
	}

	private record Slot(long epoch, Map<String, Integer> wanted) {
	}

}
