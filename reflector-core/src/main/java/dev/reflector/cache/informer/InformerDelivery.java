package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceType;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.SlotHandlers;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.sharding.DesiredSlots;
import org.jspecify.annotations.Nullable;

/**
 * What an informer delivers and keeps as the only process that does, or as one of several
 * replicas: the whole collection, or slots of it. Used by any thread.
 *
 * @param <T> the type of the objects
 */
abstract sealed class InformerDelivery<T> permits WholeDelivery, InformerSlots {

	private final String name;

	InformerDelivery(String name) {
		this.name = name;
	}

	/** What an informer with these settings delivers. */
	static <T> InformerDelivery<T> of(RunSetup<T> setup, Handlers<T> handlers, Indexer<T> indexer,
			ResourceType resourceType, List<String> namespaces, @Nullable SnapshotOptions<T> snapshot) {
		SlotHandlers<T> slots = handlers.slots();
		return (slots != null)
				? new InformerSlots<>(setup.name(), slots, handlers, indexer,
						(snapshot != null) ? InformerSlots.snapshots(setup, slots, resourceType, namespaces, snapshot)
								: null)
				: new WholeDelivery<>(setup, handlers, indexer,
						(snapshot != null) ? WholeDelivery.durable(setup, resourceType, namespaces, snapshot) : null);
	}

	/** The snapshots that a run keeps. */
	abstract Snapshots<T> snapshots();

	/** What is to be mirrored, {@code null} while not all of it is. */
	abstract @Nullable Object share();

	abstract ReflectorStatus.@Nullable Durability durability();

	abstract void readAhead();

	/**
	 * Moves the snapshot away, and empties the mirror.
	 * @return where the snapshot is now
	 */
	abstract String reset();

	abstract void close();

	/** The share with the numbers of slots. */
	ReflectorStatus.Shard withCounts(ReflectorStatus.Shard shard) {
		return shard;
	}

	/** Whether the present run has to write its snapshot. */
	boolean takeOver() {
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

}
