package dev.reflector.cache.informer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.loop.LoopSetup;
import dev.reflector.cache.internal.snapshot.DurableMirror;
import dev.reflector.cache.internal.snapshot.WriterRole;
import dev.reflector.cache.internal.snapshot.MirrorStart;
import dev.reflector.cache.internal.snapshot.OtherApplication;
import dev.reflector.cache.internal.snapshot.PartitionSnapshot;
import dev.reflector.cache.internal.snapshot.PartitionSnapshots;
import dev.reflector.cache.internal.snapshot.StoreThreads;
import dev.reflector.cache.internal.store.AnnouncedObjects;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.snapshot.SnapshotOptions;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of an informer that delivers the whole collection and keeps a snapshot of
 * it.
 *
 * @param <T> the type of the objects
 */
final class DurableDelivery<T> extends WholeDelivery<T> {

	private final Indexer<T> indexer;

	private final DurableMirror<T> mirror;

	private final MirrorStart<T> start;

	private final PartitionSnapshots<T> snapshots;

	DurableDelivery(RunSetup<T> setup, Handlers<T> handlers, Indexer<T> indexer, ResourceType resourceType,
			List<String> namespaces, SnapshotOptions<T> options) {
		super(setup, handlers);
		LoopSetup<T> loop = setup.loop();
		StoreThreads threads = StoreThreads.one(setup.name(), loop.time());
		this.indexer = indexer;
		this.mirror = new DurableMirror<>(setup.name(), options,
				DurableMirror.header(resourceType, options, loop.listerWatcher(), namespaces),
				loop.listerWatcher().serverIdentity(), loop.accessor(), loop.time(),
				new WriterRole(setup.gate().takesTurns()), new OtherApplication(setup.name(), loop.time()), threads);
		this.start = new MirrorStart<>(this.mirror);
		PartitionSnapshot<T> whole = new PartitionSnapshot<>(this.mirror, true, setup.scopes().size(), loop.observer(),
				loop.time());
		this.snapshots = new PartitionSnapshots<>(options, (partition) -> whole, threads);
		this.snapshots.of(WholePartition.WHOLE);
		handlers.recoverFrom(this.mirror::completed);
	}

	@Override
	AnnouncedObjects<T> announced(RunSetup<T> setup) {
		return this.mirror.announced();
	}

	@Override
	RunDurability<T> durability(RunSetup<T> setup, DurableRun.Parts<T> parts, BooleanSupplier stopping) {
		return new DurableRun<>(new WholePartition<>(this.snapshots, this.start, setup, parts, stopping), setup, parts,
				stopping);
	}

	@Override
	boolean begin() {
		this.mirror.role().takeOver();
		return true;
	}

	@Override
	CompletableFuture<Void> end(Supplier<@Nullable Run<T>> run) {
		this.mirror.role().standBy();
		CompletableFuture<Void> quiet = handlers().standBy();
		Run<T> present = run.get();
		CompletableFuture<Void> released = (present != null) ? present.releaseSnapshot(WholePartition.WHOLE)
				: this.mirror.handOver();
		return released.thenCombine(quiet, (handedOver, nothing) -> nothing);
	}

	@Override
	ReflectorStatus.Durability durability() {
		return this.mirror.status();
	}

	@Override
	void readAhead() {
		this.start.readAhead();
	}

	@Override
	String reset() {
		String where = this.start.reset();
		List<ResourceKey> all = new ArrayList<>();
		this.indexer.forEach((key, object) -> all.add(key));
		handlers().write(() -> {
			this.indexer.replace(Map.of(), all, "");
			this.indexer.unknown().clear();
		});
		return where;
	}

	@Override
	void close() {
		this.mirror.close();
	}

}
