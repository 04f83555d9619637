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
 * slots of it, in the only process or in one of several replicas. Used by any thread.
 *
 * @param <T> the type of the objects
 */
abstract sealed class InformerDelivery<T> permits WholeDelivery, InformerSlots {

	private final String name;

	InformerDelivery(String name) {
		this.name = name;
	}

	/** Creates the delivery of an informer without a snapshot. */
	static <T> InformerDelivery<T> of(RunSetup<T> setup, Handlers<T> handlers, Indexer<T> indexer,
			ResourceType resourceType, List<String> namespaces) {
		return (handlers.delivered() instanceof SlotHandlers<T> slots)
				? new InformerSlots<>(setup.name(), slots, handlers, indexer) : new WholeDelivery<>(setup, handlers);
	}

	/** Returns a factory for the delivery of an informer with a snapshot. */
	static <T> Maker<T> durable(SnapshotOptions<T> snapshot) {
		return (setup, handlers, indexer, resourceType,
				namespaces) -> (handlers.delivered() instanceof SlotHandlers<T> slots)
						? new DurableInformerSlots<>(setup, slots, handlers, indexer, resourceType, namespaces,
								snapshot)
						: new DurableDelivery<>(setup, handlers, indexer, resourceType, namespaces, snapshot);
	}

	/**
	 * Returns the objects that an earlier process has announced, until the server has
	 * shown whether they still exist.
	 */
	AnnouncedObjects<T> announced(RunSetup<T> setup) {
		return new AnnouncedObjects<>(setup.loop().accessor());
	}

	/**
	 * Creates the part of a run that keeps the mirror durable.
	 * @param setup the setup of the run
	 * @param parts the other parts of the run
	 * @param stopping whether the run must end
	 */
	RunDurability<T> durability(RunSetup<T> setup, DurableRun.Parts<T> parts, BooleanSupplier stopping) {
		return new RunDurability<>();
	}

	/**
	 * Returns the mirrored share of the collection, or {@code null} while the mirror does
	 * not contain all of the share.
	 */
	abstract @Nullable Object share();

	/** Returns the state of the snapshot, or {@code null} if there is none. */
	ReflectorStatus.@Nullable Durability durability() {
		return null;
	}

	/**
	 * Begins to read the snapshot of the whole collection before the start, if there is
	 * one.
	 */
	void readAhead() {
	}

	/**
	 * Moves the snapshot aside, and empties the mirror.
	 * @return the place of the moved snapshot, human-readable
	 */
	String reset() {
		throw new IllegalStateException("the reflector '" + this.name + "' has no snapshot");
	}

	void close() {
	}

	/**
	 * Adds the numbers of slots to a share, if the informer follows slots.
	 */
	ReflectorStatus.Shard withCounts(ReflectorStatus.Shard shard) {
		return shard;
	}

	/**
	 * Makes this replica deliver under an ownership. Returns whether the current run must
	 * take over the snapshot.
	 */
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
	 * Creates the delivery of an informer.
	 *
	 * @param <T> the type of the objects
	 */
	interface Maker<T> {

		InformerDelivery<T> make(RunSetup<T> setup, Handlers<T> handlers, Indexer<T> indexer, ResourceType resourceType,
				List<String> namespaces);

	}

}
