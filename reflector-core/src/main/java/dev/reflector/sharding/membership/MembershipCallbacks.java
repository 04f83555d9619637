package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.reflector.internal.lease.SerialCalls;
import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.membership.OwnSlots.OwnSlot;
import dev.reflector.sharding.membership.ShardCallbacks.ReleaseReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls callbacks on the threads of an executor. The calls about one slot come one after
 * the other, in the order of the events, because the membership holds its lock while it
 * adds them. A call that hangs delays only the calls about its slot, unless
 * {@link #SLOTS_AT_A_TIME} calls hang. Calls that are not about a slot are never delayed
 * by calls about slots.
 */
final class MembershipCallbacks {

	private static final Logger logger = LoggerFactory.getLogger(MembershipCallbacks.class);

	/** The largest number of slots whose callbacks run at the same time. */
	private static final int SLOTS_AT_A_TIME = 8;

	private final ShardCallbacks callbacks;

	private final Map<Integer, SerialCalls> slots = new HashMap<>();

	private final SerialCalls desired;

	private final SerialCalls unowned;

	private final Executor bounded;

	MembershipCallbacks(ShardCallbacks callbacks, Executor executor) {
		this.callbacks = callbacks;
		this.bounded = new BoundedExecutor(executor, SLOTS_AT_A_TIME);
		this.desired = calls(executor);
		this.unowned = calls(executor);
	}

	void desired(DesiredSlots slots) {
		this.desired.add(() -> this.callbacks.onDesired(slots));
	}

	void acquired(OwnSlot slot) {
		of(slot).add(() -> {
			try {
				this.callbacks.onAcquired(slot.slot(), slot.epoch());
			}
			finally {
				slot.acquiredIsKnown();
			}
		});
	}

	/**
	 * Requests the release of a slot.
	 * @param drained called when no delivery of the slot is running
	 */
	void release(OwnSlot slot, Consumer<OwnSlot> drained) {
		of(slot).add(() -> drain(slot).whenComplete((nothing, failure) -> {
			if (failure != null) {
				logger.warn("The handover of slot {} has failed; the slot counts as handed over", slot.slot(), failure);
			}
			drained.accept(slot);
		}));
	}

	private CompletionStage<?> drain(OwnSlot slot) {
		try {
			return this.callbacks.onRelease(slot.slot(), slot.epoch());
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	void released(OwnSlot slot, ReleaseReason reason) {
		of(slot).add(() -> this.callbacks.onReleased(slot.slot(), slot.epoch(), reason));
	}

	private static SerialCalls calls(Executor executor) {
		return new SerialCalls("reflector-sharding", logger, executor);
	}

	private SerialCalls of(OwnSlot slot) {
		return this.slots.computeIfAbsent(slot.slot(), (number) -> calls(this.bounded));
	}

	void unowned(Set<Integer> slots) {
		this.unowned.add(() -> this.callbacks.onUnowned(slots));
	}

	/** Returns the owned slots whose objects are not delivered, and for how long. */
	Map<Integer, Duration> undelivered() {
		return this.callbacks.undelivered();
	}

	/** Returns a stage that completes when all calls added so far have ended. */
	CompletionStage<Void> end() {
		return CompletableFuture
			.allOf(Stream.concat(Stream.of(this.desired, this.unowned), this.slots.values().stream())
				.map(SerialCalls::end)
				.toArray(CompletableFuture<?>[]::new));
	}

}
