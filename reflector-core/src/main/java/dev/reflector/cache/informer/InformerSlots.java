package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.internal.delivery.DeliveredSlots;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.SlotHandlers;
import dev.reflector.cache.internal.loop.LoopSetup;
import dev.reflector.cache.internal.loop.LoopSignal;
import dev.reflector.cache.internal.snapshot.DurableMirror;
import dev.reflector.cache.internal.snapshot.Duty;
import dev.reflector.cache.internal.snapshot.OtherApplication;
import dev.reflector.cache.internal.snapshot.SlotSnapshot;
import dev.reflector.cache.internal.snapshot.SlotSnapshots;
import dev.reflector.cache.internal.snapshot.StoreThreads;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.snapshot.SnapshotHeader;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.MirroredSlots;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What an informer does about the slots that it follows. Used by any thread.
 *
 * @param <T> the type of the objects
 */
final class InformerSlots<T> extends InformerDelivery<T> {

	/** How long the identity of the server counts, which all slots ask for. */
	private static final Duration IDENTITY_KNOWN = Duration.ofMinutes(1);

	private final SlotHandlers<T> told;

	private final DeliveredSlots<T> delivered;

	private final Handlers<T> handlers;

	private final Indexer<T> indexer;

	private final @Nullable SlotSnapshots<T> snapshots;

	/** Since when nothing is delivered, as far as somebody has asked. */
	private volatile @Nullable Long idleSince;

	InformerSlots(String name, SlotHandlers<T> told, Handlers<T> handlers, Indexer<T> indexer,
			@Nullable SlotSnapshots<T> snapshots) {
		super(name);
		this.told = told;
		this.delivered = told.delivered();
		this.handlers = handlers;
		this.indexer = indexer;
		this.snapshots = snapshots;
		if (snapshots != null) {
			told.recoverFrom((slot) -> {
				SlotSnapshot<T> present = snapshots.find(slot);
				return (present != null) ? present.completed() : CompletedObjects.none();
			});
		}
	}

	/** Makes the snapshots of the slots of a reflector. */
	static <T> SlotSnapshots<T> snapshots(RunSetup<T> setup, SlotHandlers<T> told, ResourceType resourceType,
			List<String> namespaces, SnapshotOptions<T> options) {
		LoopSetup<T> loop = setup.loop();
		MirroredSlots slots = told.delivered().mirrored();
		// each slot asks
		Mono<String> identity = loop.listerWatcher()
			.serverIdentity()
			.cache((known) -> known.startsWith("url:") ? Duration.ZERO : IDENTITY_KNOWN, (failure) -> Duration.ZERO,
					() -> IDENTITY_KNOWN);
		SnapshotHeader header = DurableMirror.header(resourceType, options, loop.listerWatcher(), namespaces);
		String suffix = " of " + slots.slots().count() + " by " + slots.field().name().toLowerCase(Locale.ROOT);
		StoreThreads threads = StoreThreads.ofSlots(setup.name(), loop.time());
		OtherApplication other = new OtherApplication(setup.name(), loop.time());
		return new SlotSnapshots<>(options,
				(slot) -> new SlotSnapshot<>(
						new DurableMirror<>(setup.name() + " slot " + slot + suffix, options, header, identity,
								loop.accessor(), loop.time(), new Duty(true), other, threads),
						setup.scopes().size(), loop.observer(), loop.time()),
				threads);
	}

	@Override
	Snapshots<T> snapshots() {
		return new Snapshots<>(null, this.snapshots);
	}

	@Override
	void mirror(DesiredSlots slots, @Nullable Run<T> run) {
		AtomicReference<MirroredSlots.Difference> change = new AtomicReference<>();
		this.handlers.write(() -> {
			MirroredSlots.Difference difference = this.delivered.mirrored().change(slots);
			change.set(difference);
			if (difference.removed().size() > 0) {
				forget(difference.removed());
			}
		});
		MirroredSlots.Difference difference = Objects.requireNonNull(change.get());
		if (run != null && difference.added()) {
			run.signal(new LoopSignal.RelistRequested(false, true));
		}
		else if (run != null && difference.removed().size() > 0) {
			run.narrowed();
		}
	}

	private void forget(DesiredSlots removed) {
		List<ResourceKey> forgotten = new ArrayList<>();
		this.indexer.forEach((key, object) -> {
			if (removed.contains(this.delivered.slotOf(key, object))) {
				forgotten.add(key);
			}
		});
		this.indexer.replace(Map.of(), forgotten, this.indexer.resourceVersion());
		this.indexer.unknown().removeIf((key, object) -> removed.contains(this.delivered.slotOf(key, object.uid())));
	}

	@Override
	void acquire(int slot, long epoch) {
		this.told.acquire(slot, epoch);
	}

	/**
	 * Gives up a slot, and then its snapshot.
	 * @param slot the slot
	 * @param run gives the present run, which uses the snapshots
	 * @return completes when both are done
	 */
	@Override
	CompletableFuture<Void> release(int slot, Supplier<@Nullable Run<T>> run) {
		CompletableFuture<Void> quiet = this.told.release(slot);
		SlotSnapshots<T> snapshots = this.snapshots;
		if (snapshots == null) {
			return quiet;
		}
		return quiet.thenCompose((nothing) -> {
			Run<T> present = run.get();
			if (present != null) {
				return present.releaseSnapshot(slot);
			}
			return snapshots.handOver(slot);
		});
	}

	@Override
	Map<Integer, Duration> undelivered(Duration patience, @Nullable Run<T> run) {
		if (run == null || (run.state() == ReflectorState.AWAITING_TYPE && !run.hasSynced())) {
			return Map.of();
		}
		Long since = switch (run.state()) {
			case STOPPED, PAUSED, AWAITING_TYPE -> idleSince();
			default -> (this.handlers.stopped() != null) ? idleSince() : null;
		};
		this.idleSince = since;
		return this.told.undelivered(patience, since);
	}

	private Long idleSince() {
		Long since = this.idleSince;
		return (since != null) ? since : Long.valueOf(this.handlers.now());
	}

	@Override
	MirroredSlots.@Nullable Share share() {
		MirroredSlots.Share share = this.delivered.mirrored().share();
		return share.slots().toSet().stream().allMatch(this.delivered::isComplete) ? share : null;
	}

	@Override
	ReflectorStatus.Shard withCounts(ReflectorStatus.Shard shard) {
		MirroredSlots mirrored = this.delivered.mirrored();
		return shard.with(new ReflectorStatus.Shard.SlotCounts(mirrored.slots().count(), mirrored.present().size(),
				this.delivered.begunSlots().size()));
	}

	/** The snapshot of a slot is read when the slot is acquired. */
	@Override
	void readAhead() {
	}

	@Override
	String reset() {
		throw new IllegalStateException((this.snapshots != null)
				? "the reflector '" + name() + "' has a snapshot for each slot, and these are written by several "
						+ "replicas: stop all of them, and remove the snapshots from the store"
				: "the reflector '" + name() + "' has no snapshot");
	}

	@Override
	ReflectorStatus.@Nullable Durability durability() {
		return (this.snapshots != null) ? this.snapshots.status() : null;
	}

	@Override
	void close() {
		if (this.snapshots != null) {
			this.snapshots.close();
		}
	}

}
