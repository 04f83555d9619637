package dev.reflector.guide;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ShardAcquiredEvent;
import dev.reflector.event.ShardReleasedEvent;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class WantedReplicas {

	private final Map<Integer, Map<ResourceKey, Integer>> slots = new ConcurrentHashMap<>();

	@EventListener
	void on(ShardAcquiredEvent event) {
		// all objects of the slot follow, as additions
		this.slots.put(event.slot(), new ConcurrentHashMap<>());
	}

	@EventListener
	void on(ResourceEvent<Deployment> event) {
		Ownership ownership = event.ownership();
		Map<ResourceKey, Integer> slot = (ownership != null) ? this.slots.get(ownership.slot()) : null;
		if (slot != null && event instanceof ResourceDeletedEvent) {
			slot.remove(event.key());
		}
		else if (slot != null) {
			slot.put(event.key(), event.resource().spec().replicas());
		}
	}

	@EventListener
	void on(ShardReleasedEvent event) {
		// another replica has the slot now; no deletions are told
		this.slots.remove(event.slot());
	}

	int total() {
		return this.slots.values()
			.stream()
			.flatMap((slot) -> slot.values().stream())
			.mapToInt((wanted) -> wanted)
			.sum();
	}

}
