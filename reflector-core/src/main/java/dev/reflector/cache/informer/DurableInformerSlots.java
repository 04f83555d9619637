package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceType;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.SlotHandlers;
import dev.reflector.cache.internal.loop.LoopSetup;
import dev.reflector.cache.internal.snapshot.DurableMirror;
import dev.reflector.cache.internal.snapshot.WriterRole;
import dev.reflector.cache.internal.snapshot.OtherApplication;
import dev.reflector.cache.internal.snapshot.PartitionSnapshot;
import dev.reflector.cache.internal.snapshot.PartitionSnapshots;
import dev.reflector.cache.internal.snapshot.StoreThreads;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.snapshot.SnapshotHeader;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.sharding.MirroredSlots;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The delivery of an informer that follows slots and keeps a snapshot of each slot that
 * this replica owns.
 *
 * @param <T> the type of the objects
 */
final class DurableInformerSlots<T> extends InformerSlots<T> {

	/** How long the identity of the server is cached, because all slots request it. */
	private static final Duration IDENTITY_KNOWN = Duration.ofMinutes(1);

	private final PartitionSnapshots<T> snapshots;

	DurableInformerSlots(RunSetup<T> setup, SlotHandlers<T> told, Handlers<T> handlers, Indexer<T> indexer,
			ResourceType resourceType, List<String> namespaces, SnapshotOptions<T> options) {
		super(setup.name(), told, handlers, indexer);
		LoopSetup<T> loop = setup.loop();
		MirroredSlots slots = told.delivered().mirrored();
		// cached, because each slot requests the identity
		Mono<String> identity = loop.listerWatcher()
			.serverIdentity()
			.cache((known) -> known.startsWith("url:") ? Duration.ZERO : IDENTITY_KNOWN, (failure) -> Duration.ZERO,
					() -> IDENTITY_KNOWN);
		SnapshotHeader header = DurableMirror.header(resourceType, options, loop.listerWatcher(), namespaces);
		String suffix = " of " + slots.slots().count() + " by " + slots.field().name().toLowerCase(Locale.ROOT);
		StoreThreads threads = StoreThreads.ofSlots(setup.name(), loop.time());
		OtherApplication other = new OtherApplication(setup.name(), loop.time());
		this.snapshots = new PartitionSnapshots<>(options,
				(slot) -> new PartitionSnapshot<>(
						new DurableMirror<>(setup.name() + " slot " + slot + suffix, options, header, identity,
								loop.accessor(), loop.time(), WriterRole.takingOver(), other, threads),
						false, setup.scopes().size(), loop.observer(), loop.time()),
				threads);
		told.recoverFrom((slot) -> {
			PartitionSnapshot<T> present = this.snapshots.find(slot);
			return (present != null) ? present.completed() : CompletedObjects.none();
		});
	}

	@Override
	RunDurability<T> durability(RunSetup<T> setup, DurableRun.Parts<T> parts, BooleanSupplier stopping) {
		return new DurableRun<>(new SlotPartitions<>(this.snapshots, told(), indexer()), setup, parts, stopping);
	}

	/**
	 * Gives up a slot, and then the snapshot of the slot.
	 * @param slot the number of the slot
	 * @param run returns the current run, which uses the snapshots
	 * @return a future that completes when slot and snapshot are given up
	 */
	@Override
	CompletableFuture<Void> release(int slot, Supplier<@Nullable Run<T>> run) {
		return super.release(slot, run).thenCompose((nothing) -> {
			Run<T> present = run.get();
			return (present != null) ? present.releaseSnapshot(slot) : this.snapshots.handOver(slot);
		});
	}

	@Override
	String reset() {
		throw new IllegalStateException(
				"the reflector '" + name() + "' has a snapshot for each slot, and these are written by several "
						+ "replicas: stop all of them, and remove the snapshots from the store");
	}

	@Override
	ReflectorStatus.Durability durability() {
		return this.snapshots.status();
	}

	@Override
	void close() {
		this.snapshots.close();
	}

}
