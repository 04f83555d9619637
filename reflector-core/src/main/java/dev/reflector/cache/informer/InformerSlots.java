package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.delivery.DeliveredSlots;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.SlotHandlers;
import dev.reflector.cache.internal.loop.LoopSignal;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.MirroredSlots;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of an informer that follows slots. Used by any thread.
 *
 * @param <T> the type of the objects
 */
sealed class InformerSlots<T> extends InformerDelivery<T> permits DurableInformerSlots {

	private final SlotHandlers<T> told;

	private final DeliveredSlots<T> delivered;

	private final Handlers<T> handlers;

	private final Indexer<T> indexer;

	/**
	 * The time at which a call of {@link #undelivered} first noticed that nothing is
	 * delivered; {@code null} while changes are delivered.
	 */
	private volatile @Nullable Long idleSince;

	InformerSlots(String name, SlotHandlers<T> told, Handlers<T> handlers, Indexer<T> indexer) {
		super(name);
		this.told = told;
		this.delivered = told.delivered();
		this.handlers = handlers;
		this.indexer = indexer;
	}

	final SlotHandlers<T> told() {
		return this.told;
	}

	final Indexer<T> indexer() {
		return this.indexer;
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
			run.signal(LoopSignal.RelistRequested.ofAddedSlots());
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

	@Override
	CompletableFuture<Void> release(int slot, Supplier<@Nullable Run<T>> run) {
		return this.told.release(slot);
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

}
