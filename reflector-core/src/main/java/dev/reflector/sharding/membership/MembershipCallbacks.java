package dev.reflector.sharding.membership;

import java.util.BitSet;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.membership.ShardCallbacks.ReleaseReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls callbacks one after the other, on the threads of an executor. The membership
 * holds its lock while it adds calls, so their order is that of what has happened.
 */
final class MembershipCallbacks {

	private static final Logger logger = LoggerFactory.getLogger(MembershipCallbacks.class);

	private final ShardCallbacks callbacks;

	private final Executor executor;

	private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

	MembershipCallbacks(ShardCallbacks callbacks, Executor executor) {
		this.callbacks = callbacks;
		this.executor = executor;
	}

	void desired(DesiredSlots slots) {
		add(() -> this.callbacks.onDesired(slots));
	}

	void acquired(OwnSlots.OwnSlot slot) {
		int number = slot.slot();
		long epoch = slot.epoch();
		add(() -> this.callbacks.onAcquired(number, epoch));
	}

	/**
	 * Asks for the release of a slot.
	 * @param drained called when no delivery of it is running
	 */
	void release(OwnSlots.OwnSlot slot, Consumer<OwnSlots.OwnSlot> drained) {
		add(() -> drain(slot).whenComplete((nothing, failure) -> {
			if (failure != null) {
				logger.warn("The deliveries of slot {} have ended with a failure", slot.slot(), failure);
			}
			drained.accept(slot);
		}));
	}

	private CompletionStage<?> drain(OwnSlots.OwnSlot slot) {
		try {
			return this.callbacks.onRelease(slot.slot(), slot.epoch());
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	void released(OwnSlots.OwnSlot slot, ReleaseReason reason) {
		add(() -> this.callbacks.onReleased(slot.slot(), slot.epoch(), reason));
	}

	void unowned(BitSet slots) {
		Set<Integer> numbers = Collections.unmodifiableSet(new TreeSet<>(slots.stream().boxed().toList()));
		add(() -> this.callbacks.onUnowned(numbers));
	}

	/** Completes when the calls that were added so far have returned. */
	CompletionStage<Void> end() {
		return this.last.exceptionally((failure) -> null);
	}

	private void add(Runnable call) {
		this.last = this.last.handleAsync((nothing, failure) -> {
			run(call);
			return null;
		}, this.executor);
	}

	private static void run(Runnable call) {
		Thread thread = Thread.currentThread();
		String formerName = thread.getName();
		thread.setName("reflector-sharding");
		try {
			call.run();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("A callback of the shards has failed", ex);
		}
		finally {
			thread.setName(formerName);
		}
	}

}
