package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceType;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.SlotHandlers;
import dev.reflector.cache.internal.store.AnnouncedObjects;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.sharding.DesiredSlots;
import org.jspecify.annotations.Nullable;

/**
 * The part of a collection that an informer delivers and stores: the whole collection or
 * slots of it, as the only process or as one of several replicas. Used by any thread.
 *
 * @param <T> the type of the objects
 */
abstract sealed class InformerDelivery<T> permits WholeDelivery, InformerSlots {

	private final String name;

	InformerDelivery(String name) {
		this.name = name;
	}

	/** What an informer delivers that keeps nothing. */
	static <T> InformerDelivery<T> of(RunSetup<T> setup, Handlers<T> handlers, Indexer<T> indexer,
			ResourceType resourceType, List<String> namespaces) {
		return (handlers.delivered() instanceof SlotHandlers<T> slots)
				? new InformerSlots<>(setup.name(), slots, handlers, indexer) : new WholeDelivery<>(setup, handlers);
	}

	/** What an informer delivers that keeps a snapshot. */
	static <T> Maker<T> durable(SnapshotOptions<T> snapshot) {
		return (setup, handlers, indexer, resourceType,
				namespaces) -> (handlers.delivered() instanceof SlotHandlers<T> slots)
						? new DurableInformerSlots<>(setup, slots, handlers, indexer, resourceType, namespaces,
								snapshot)
						: new DurableDelivery<>(setup, handlers, indexer, resourceType, namespaces, snapshot);
	}

	/**
	 * Returns the objects that an earlier process has announced, and of which the server
	 * has not yet shown whether they still exist.
	 */
	AnnouncedObjects<T> announced(RunSetup<T> setup) {
		return new AnnouncedObjects<>(setup.loop().accessor());
	}

	/**
	 * Creates what keeps the mirror of a run durable.
	 * @param setup the setup of the run
	 * @param parts the parts of the run
	 * @param stopping whether the run must end
	 */
	RunDurability<T> durability(RunSetup<T> setup, DurableRun.Parts<T> parts, BooleanSupplier stopping) {
		return new RunDurability<>();
	}

	/**
	 * Returns the share to mirror, {@code null} while the mirror does not have all of it.
	 */
	abstract @Nullable Object share();

	/** The state of what is kept, {@code null} when nothing is. */
	ReflectorStatus.@Nullable Durability durability() {
		return null;
	}

	/** Begins to read what is kept, if it is read at once. */
	void readAhead() {
	}

	/**
	 * Moves the snapshot away, and empties the mirror.
	 * @return where the snapshot is now, human-readable
	 */
	String reset() {
		throw new IllegalStateException("the reflector '" + this.name + "' has no snapshot");
	}

	void close() {
	}

	/** Returns the share with the numbers of slots. */
	ReflectorStatus.Shard withCounts(ReflectorStatus.Shard shard) {
		return shard;
	}

	/** Whether the current run has to write its snapshot. */
	boolean takeOver(Ownership term) {
		throw new IllegalStateException(
				"the reflector '" + this.name + "' is not one of several replicas of which one delivers");
	}

	CompletionStage<Void> standBy(Supplier<@Nullable Run<T>> run) {
		throw new IllegalStateException(
				"the reflector '" + this.name + "' is not one of several replicas of which one delivers");
	}

	void mirror(DesiredSlots slots, @Nullable Run<T> run) {
		throw withoutSlots();
	}

	void acquire(int slot, long epoch) {
		throw withoutSlots();
	}

	CompletableFuture<Void> release(int slot, Supplier<@Nullable Run<T>> run) {
		throw withoutSlots();
	}

	Map<Integer, Duration> undelivered(Duration patience, @Nullable Run<T> run) {
		throw withoutSlots();
	}

	private IllegalStateException withoutSlots() {
		return new IllegalStateException("the reflector '" + this.name + "' does not follow slots");
	}

	final String name() {
		return this.name;
	}

	/**
	 * Makes what an informer delivers.
	 *
	 * @param <T> the type of the objects
	 */
	interface Maker<T> {

		InformerDelivery<T> make(RunSetup<T> setup, Handlers<T> handlers, Indexer<T> indexer, ResourceType resourceType,
				List<String> namespaces);

	}

}
