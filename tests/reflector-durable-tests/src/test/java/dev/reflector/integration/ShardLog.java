package dev.reflector.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.reflector.cache.handler.Ownership;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ShardAcquiredEvent;
import dev.reflector.event.ShardReleasedEvent;
import dev.reflector.event.ShardsUnownedEvent;
import dev.reflector.sharding.membership.ShardCallbacks.ReleaseReason;

import org.springframework.context.event.EventListener;

/**
 * The events that a replica has received for its slots. It forgets a slot when the slot
 * is released, like an application that derives state from the events.
 */
final class ShardLog {

	/** The received events of slots and of objects. */
	final List<String> events = new CopyOnWriteArrayList<>();

	final List<String> mistakes = new CopyOnWriteArrayList<>();

	final List<ShardsUnownedEvent> unowned = new CopyOnWriteArrayList<>();

	volatile Consumer<ResourceEvent<Widget>> hook = (event) -> {
	};

	/** Called first when a slot is acquired. */
	private final Consumer<ShardAcquiredEvent> acquiring;

	private final Map<Integer, Map<String, String>> told = new ConcurrentHashMap<>();

	private final Map<Integer, Long> epochs = new ConcurrentHashMap<>();

	/**
	 * The last epoch of each slot that was lost because the Lease lapsed. The call that
	 * was in progress then may come here after the release.
	 */
	private final Map<Integer, Long> lapsed = new ConcurrentHashMap<>();

	ShardLog(Consumer<ShardAcquiredEvent> acquiring) {
		this.acquiring = acquiring;
	}

	@EventListener
	void acquired(ShardAcquiredEvent event) {
		this.acquiring.accept(event);
		this.events.add("acquired " + event.slot());
		this.told.put(event.slot(), new ConcurrentHashMap<>());
		Long before = this.epochs.put(event.slot(), event.epoch());
		if (before != null && before >= event.epoch()) {
			this.mistakes.add("epoch " + event.epoch() + " after " + before);
		}
	}

	@EventListener
	void released(ShardReleasedEvent event) {
		this.events.add("released " + event.slot() + " " + event.reason());
		if (event.reason() == ReleaseReason.LAPSED) {
			this.lapsed.put(event.slot(), event.epoch());
		}
		if (this.told.remove(event.slot()) == null) {
			this.mistakes.add("released without having been acquired: " + event);
		}
	}

	@EventListener
	void unowned(ShardsUnownedEvent event) {
		this.unowned.add(event);
	}

	@EventListener
	void told(ResourceEvent<Widget> event) {
		this.hook.accept(event);
		Ownership ownership = event.ownership();
		Map<String, String> slot = (ownership != null) ? this.told.get(ownership.slot()) : null;
		if (ownership == null || slot == null || ownership.epoch() != this.epochs.get(ownership.slot())) {
			if (ownership == null || !this.lapsed.remove(ownership.slot(), ownership.epoch())) {
				this.mistakes.add(event + " by " + ownership + ", which is not owned");
			}
			return;
		}
		this.events.add(event.getClass().getSimpleName() + " " + event.key().name());
		if (event instanceof ResourceDeletedEvent<?>) {
			slot.remove(event.key().toString());
		}
		else {
			slot.put(event.key().toString(), event.resourceVersion());
		}
	}

	/** The state that the events add up to. */
	Map<String, String> folded() {
		Map<String, String> all = new TreeMap<>();
		new ArrayList<>(this.told.values()).forEach(all::putAll);
		return all;
	}

}
