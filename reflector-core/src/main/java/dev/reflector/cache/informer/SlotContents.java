package dev.reflector.cache.informer;

import java.util.HashMap;
import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.delivery.DeliveredSlots;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.PersistentMapDifferences;

/**
 * The objects of a mirror by slot. A new state of the mirror changes only the maps of
 * those slots whose objects have changed. Used by one thread.
 *
 * @param <T> the type of the objects
 */
final class SlotContents<T> {

	private final DeliveredSlots<T> slots;

	private PersistentMap<ResourceKey, T> all = PersistentMap.empty();

	private final Map<Integer, PersistentMap<ResourceKey, T>> bySlot = new HashMap<>();

	SlotContents(DeliveredSlots<T> slots) {
		this.slots = slots;
	}

	/** Applies the differences between the last state of the mirror and the next one. */
	void advance(PersistentMap<ResourceKey, T> next) {
		PersistentMap<ResourceKey, T> before = this.all;
		PersistentMapDifferences.forEachRemoved(before, next, this::remove);
		PersistentMapDifferences.forEachSet(before, next, (key, object) -> {
			T former = before.get(key);
			int slot = this.slots.slotOf(key, object);
			if (former != null && this.slots.slotOf(key, former) != slot) {
				remove(key, former);
			}
			this.bySlot.put(slot, of(slot).with(key, object));
		});
		this.all = next;
	}

	private void remove(ResourceKey key, T object) {
		int slot = this.slots.slotOf(key, object);
		this.bySlot.put(slot, of(slot).without(key));
	}

	PersistentMap<ResourceKey, T> of(int slot) {
		PersistentMap<ResourceKey, T> objects = this.bySlot.get(slot);
		return (objects != null) ? objects : PersistentMap.empty();
	}

}
