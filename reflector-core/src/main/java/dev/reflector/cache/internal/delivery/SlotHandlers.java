package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.internal.store.InitialObjects;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.PersistentMapBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of a reflector that delivers a collection slot by slot. A slot begins when
 * this replica owns it and the mirror has all of its objects. The slot's objects are then
 * added to the queues of the handlers, under the lock of {@link Handlers}, followed by
 * changes with later numbers. When the slot is released, its queued changes are dropped.
 *
 * @param <T> the type of the objects
 */
public final class SlotHandlers<T> implements DeliveredObjects<T> {

	private final DeliveredSlots<T> delivered;

	private final Handlers<T> handlers;

	private final Indexer<T> indexer;

	private final RecoveredChanges<T> recovered;

	/**
	 * The number of the last change that was added to the queues of the handlers. Guarded
	 * by the lock of {@link Handlers}, like {@link #waiting}.
	 */
	private long handedOut;

	/** Whether a slot may have become ready since the last change was handed out. */
	private boolean waiting;

	/** Called when a slot can begin. */
	private volatile Runnable slotIsReady = () -> begin(ready());

	SlotHandlers(DeliveredSlots<T> delivered, Handlers<T> handlers, Indexer<T> indexer, RecoveredChanges<T> recovered) {
		this.delivered = delivered;
		this.handlers = handlers;
		this.indexer = indexer;
		this.recovered = recovered;
	}

	/** Returns the slots that are delivered. */
	public DeliveredSlots<T> delivered() {
		return this.delivered;
	}

	/**
	 * Starts the delivery of a slot that this replica owns. Handlers receive its objects
	 * now, or when the mirror has all of them.
	 * @param slot the slot
	 * @param epoch the epoch in which the slot is owned
	 */
	public void acquire(int slot, long epoch) {
		this.handlers.exclusively((sequence) -> {
			this.delivered.acquire(slot, epoch, this.handlers.now());
			if (this.delivered.isReady(slot)) {
				beginOnceHandedOut(sequence);
			}
			return sequence;
		});
	}

	/**
	 * Lets slots begin once all changes that are in the mirror are in the queues, too.
	 * These changes must be queued first: one of them may delete an object of another
	 * slot that has the same name as an object of the new slot.
	 */
	private void beginOnceHandedOut(long sequence) {
		this.waiting = sequence != this.handedOut;
		if (!this.waiting && !ready().isEmpty()) {
			this.slotIsReady.run();
		}
	}

	/**
	 * Ends the delivery of a slot that this replica no longer owns, and drops the slot's
	 * queued changes.
	 * @param slot the slot
	 * @return a future that completes when no call of a handler about an object of the
	 * slot is in progress, and the work that earlier calls began is done
	 */
	public CompletableFuture<Void> release(int slot) {
		Map<ProcessorListener<T>, CompletableFuture<Void>> calls = this.handlers.exclusively((sequence) -> {
			this.delivered.release(slot);
			return drop(slot);
		});
		return CompletableFuture.allOf(calls.entrySet()
			.stream()
			.map((entry) -> entry.getKey().group().doneAfter(entry.getValue()))
			.toArray(CompletableFuture<?>[]::new));
	}

	/**
	 * Stops the delivery of a slot that this replica owns, because another process
	 * delivers it. Drops the slot's queued changes. The slot can begin again later.
	 * @param slot the slot
	 */
	public void standBy(int slot) {
		this.handlers.exclusively((sequence) -> {
			this.delivered.standBy(slot, this.handlers.now());
			return drop(slot);
		});
	}

	/**
	 * Drops the queued changes of a slot. Returns a future for each listener, which
	 * completes when the listener's calls about the slot have returned.
	 */
	private Map<ProcessorListener<T>, CompletableFuture<Void>> drop(int slot) {
		Map<ProcessorListener<T>, CompletableFuture<Void>> quiet = new LinkedHashMap<>();
		this.handlers.told().forEach((listener) -> quiet.put(listener, listener.drop(of(slot))));
		return quiet;
	}

	private BiPredicate<ResourceKey, String> of(int slot) {
		return (key, uid) -> this.delivered.slotOf(key, uid) == slot;
	}

	@Override
	public boolean beginAtOnce() {
		return false;
	}

	@Override
	public boolean isMirrored(ResourceKey key, T object) {
		return this.delivered.isMirrored(key, object);
	}

	/** Returns those of the given objects whose slots are mirrored. */
	@Override
	public Map<ResourceKey, T> mirrored(Map<ResourceKey, T> objects) {
		if (objects.entrySet().stream().allMatch((entry) -> isMirrored(entry.getKey(), entry.getValue()))) {
			return objects;
		}
		Map<ResourceKey, T> mirrored = new LinkedHashMap<>(objects);
		mirrored.entrySet().removeIf((entry) -> !isMirrored(entry.getKey(), entry.getValue()));
		return mirrored;
	}

	/**
	 * Notes that a complete state is in the mirror. Slots begin when the changes of this
	 * state have been handed out.
	 */
	@Override
	public void listed(@Nullable String namespace, long generation) {
		this.delivered.listed(namespace, generation);
		this.handlers.exclusively((sequence) -> {
			this.waiting = true;
			return sequence;
		});
	}

	@Override
	public void handedOut() {
		this.handlers.exclusively((sequence) -> {
			this.handedOut = sequence;
			if (this.waiting) {
				beginOnceHandedOut(sequence);
			}
			return sequence;
		});
	}

	private List<Integer> ready() {
		return IntStream.range(0, this.delivered.count()).filter(this.delivered::isReady).boxed().toList();
	}

	/**
	 * Starts the delivery of slots. Divides the mirror in one pass, because there may be
	 * many slots.
	 */
	private void begin(List<Integer> slots) {
		Map<Integer, List<Map.Entry<ResourceKey, T>>> parts = new LinkedHashMap<>();
		slots.forEach((slot) -> parts.put(slot, new ArrayList<>()));
		this.indexer.initial().entries().forEach((entry) -> {
			List<Map.Entry<ResourceKey, T>> part = parts.get(this.delivered.slotOf(entry.getKey(), entry.getValue()));
			if (part != null) {
				part.add(entry);
			}
		});
		parts.forEach((slot, entries) -> {
			this.delivered.begin(slot, this.handedOut);
			InitialObjects<T> initial = new InitialObjects<>(entries, entries.size());
			this.handlers.told().forEach((listener) -> listener.pending().begin(initial));
		});
	}

	/**
	 * Sets an action that replaces the immediate start of ready slots. Used when it must
	 * first be determined what handlers have completed.
	 * @param slotIsReady called when a slot can begin, under the lock of
	 * {@link Handlers}, so that the mirror does not change during the call
	 */
	public void whenSlotIsReady(Runnable slotIsReady) {
		this.slotIsReady = slotIsReady;
	}

	/**
	 * Returns the slots that are acquired but not delivered, and for how long. A slot is
	 * not delivered if the mirror does not have its objects yet, if nothing is delivered
	 * at all, or if a call of a handler delays everything else. Takes no lock.
	 * @param patience how long a call may take before it counts as a delay
	 * @param idleSince the time since which nothing is delivered, or {@code null} if
	 * something is delivered
	 * @return the slots, and for how long each has not been delivered
	 */
	public Map<Integer, Duration> undelivered(Duration patience, @Nullable Long idleSince) {
		long now = this.handlers.now();
		Map<Integer, Duration> undelivered = new TreeMap<>();
		this.delivered.undelivered((idleSince != null) ? idleSince : this.handlers.stalledSince(patience))
			.forEach((slot, since) -> undelivered.put(slot, Duration.ofNanos(Math.max(0, now - since))));
		return undelivered;
	}

	/** Returns the slots that can begin. */
	public List<Integer> readySlots() {
		return this.handlers.exclusively((sequence) -> ready());
	}

	/**
	 * Starts the delivery of a slot to handlers.
	 * @param slot the slot
	 * @param completed the objects whose changes the handlers of the previous owner have
	 * completed; {@code null} to deliver all objects of the slot
	 * @param present supplies the objects of the slot; called under the lock of
	 * {@link Handlers}, so that the mirror does not change during the call
	 * @param ready returns whether handlers may begin with these objects
	 * @return whether handlers have begun, or why not
	 */
	public StartResult begin(int slot, @Nullable CompletedObjects<T> completed,
			Supplier<PersistentMap<ResourceKey, T>> present, Predicate<PersistentMap<ResourceKey, T>> ready) {
		return this.handlers.exclusively((sequence) -> {
			if (!this.delivered.isReady(slot) || !this.delivered.isOwned(slot)) {
				return StartResult.GONE;
			}
			if (sequence != this.handedOut) {
				this.waiting = true;
				return StartResult.LATER;
			}
			PersistentMap<ResourceKey, T> objects = present.get();
			if (!ready.test(objects)) {
				return StartResult.NOT_READY;
			}
			this.delivered.begin(slot, sequence);
			if (completed == null) {
				InitialObjects<T> initial = InitialObjects.all(objects);
				this.handlers.told().forEach((listener) -> listener.pending().begin(initial));
			}
			else {
				List<Change<T>> changes = this.recovered.between(completed, objects);
				this.handlers.told().forEach((listener) -> listener.pending().begin(changes));
			}
			return StartResult.STARTED;
		});
	}

	/**
	 * Lets handlers whose delivery has stopped continue, for each slot, from the state
	 * that all handlers have completed.
	 * @param completed supplies the objects of a slot whose changes all handlers have
	 * completed
	 */
	public void recoverFrom(IntFunction<CompletedObjects<T>> completed) {
		this.handlers.recover(() -> this.delivered.begunSlots()
			.stream()
			.flatMap((slot) -> this.recovered.between(completed.apply(slot), present(slot)).stream())
			.toList());
	}

	private PersistentMap<ResourceKey, T> present(int slot) {
		PersistentMapBuilder<ResourceKey, T> present = new PersistentMapBuilder<>();
		this.indexer.initial()
			.where((key, object) -> this.delivered.slotOf(key, object) == slot)
			.entries()
			.forEach((entry) -> present.add(entry.getKey(), entry.getValue()));
		return present.build();
	}

	/** The result of an attempt to start the delivery of a slot. */
	public enum StartResult {

		/** Handlers have begun. */
		STARTED,

		/** Handlers may not begin yet. */
		NOT_READY,

		/**
		 * Changes that must be queued first are not in the queues yet. Once they are, the
		 * action for ready slots is called again.
		 */
		LATER,

		/** The slot is no longer owned, or not all of it is mirrored. */
		GONE

	}

}
