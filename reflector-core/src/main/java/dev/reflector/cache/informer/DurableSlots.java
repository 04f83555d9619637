package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.delivery.DeliveredSlots;
import dev.reflector.cache.internal.delivery.Outbox;
import dev.reflector.cache.internal.delivery.SlotHandlers;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.snapshot.CompletedState;
import dev.reflector.cache.internal.snapshot.SlotSnapshot;
import dev.reflector.cache.internal.snapshot.SlotSnapshots;
import dev.reflector.cache.internal.snapshot.SnapshotWriter;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.sharding.ShardOwnership;
import org.jspecify.annotations.Nullable;

/**
 * What a run does to keep the slots durable that this replica owns. Its thread takes over
 * the snapshot of a slot before handlers begin with the slot, stores what they have
 * completed, and gives the snapshot up when the slot is released.
 * <p>
 * <b>Completed.</b> As with a mirror that is durable as a whole, a mark goes from the
 * loop through the mirror and the queues of the handlers. One mark serves all slots. A
 * change of a slot that is lost meanwhile is dropped and not completed, so a state counts
 * for a slot only if the slot is still owned in the same epoch when the mark has passed.
 *
 * @param <T> the type of the objects
 */
final class DurableSlots<T> implements Runnable {

	private static final long RETRY_MILLIS = 1000;

	private static final long SLICE_MILLIS = 100;

	/** With a pause of a second after each. */
	private static final int MOST_WAITS = 30;

	private final SlotSnapshots<T> snapshots;

	private final DurableRun.Parts<T> parts;

	private final SlotHandlers<T> handlers;

	private final DeliveredSlots<T> slots;

	private final int scopes;

	private final BooleanSupplier stopping;

	private final SlotContents<T> contents;

	/**
	 * The epochs in which snapshots were taken over. Used by the thread of this object.
	 */
	private final Map<Integer, Long> taken = new HashMap<>();

	/** How often a slot has waited for the mirror to reach what is stored. */
	private final Map<Integer, Integer> behind = new HashMap<>();

	/** How long the commits of the present round have taken. */
	private Duration commits = Duration.ZERO;

	/** Slots to be given up. Guarded by this object, like the next fields. */
	private final Map<Integer, CompletableFuture<Void>> released = new HashMap<>();

	private @Nullable CompletableFuture<Void> flush;

	private boolean woken;

	/** Whether a slot may have become ready since the last round. */
	private boolean ready;

	private boolean ended;

	/**
	 * Creates what keeps the slots of a run durable.
	 * @param snapshots the snapshots of the slots
	 * @param parts of the run
	 * @param handlers what is told slot by slot
	 * @param scopes how many namespaces are followed on their own, 1 for all
	 * @param stopping whether the run ends, after a last commit
	 */
	DurableSlots(SlotSnapshots<T> snapshots, DurableRun.Parts<T> parts, SlotHandlers<T> handlers, int scopes,
			BooleanSupplier stopping) {
		this.snapshots = snapshots;
		this.parts = parts;
		this.handlers = handlers;
		this.slots = handlers.delivered();
		this.scopes = scopes;
		this.stopping = stopping;
		this.contents = new SlotContents<>(this.slots);
	}

	/** The loops begin. */
	void loopsBegin() {
		this.parts.writer().beforeHandOut(this::announce);
		this.handlers.whenSlotIsReady(this::slotIsReady);
	}

	/**
	 * Stores additions before handlers hear of them. Called by the thread of the mirror.
	 */
	private void announce(Outbox<T> outbox) {
		Map<Integer, Map<ResourceKey, T>> additions = new HashMap<>();
		outbox.forEach((key, object) -> {
			throw new IllegalStateException("slots do not begin with a stock");
		}, (change) -> {
			int slot = this.slots.slotOf(change);
			if (change.type() == Change.Type.ADDED && this.slots.hasBegun(slot)) {
				additions.computeIfAbsent(slot, (number) -> new LinkedHashMap<>()).put(change.key(), change.object());
			}
		});
		try {
			for (Map.Entry<Integer, Map<ResourceKey, T>> slot : additions.entrySet()) {
				SlotSnapshot<T> snapshot = this.snapshots.find(slot.getKey());
				if (snapshot != null) {
					snapshot.announce(slot.getValue());
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void run() {
		try {
			while (!this.stopping.getAsBoolean()) {
				CompletableFuture<Void> flush = takeFlush();
				boolean done;
				try {
					handOver();
					done = takeOver() & commit();
				}
				finally {
					if (flush != null) {
						flush.complete(null);
					}
				}
				pause(done);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			end();
		}
	}

	/** The thread of this object does nothing more, or was not started. */
	void end() {
		synchronized (this) {
			this.ended = true;
		}
		handOver();
		CompletableFuture<Void> flush = takeFlush();
		if (flush != null) {
			flush.complete(null);
		}
	}

	/**
	 * Gives up the snapshot of a slot that is released.
	 * @param slot the slot
	 * @return completes when another process can become its writer
	 */
	CompletableFuture<Void> release(int slot) {
		CompletableFuture<Void> given;
		synchronized (this) {
			given = this.released.computeIfAbsent(slot, (number) -> new CompletableFuture<>());
			if (!this.ended) {
				wake();
				return given;
			}
		}
		handOver();
		return given;
	}

	private void handOver() {
		Map<Integer, CompletableFuture<Void>> released;
		synchronized (this) {
			released = new HashMap<>(this.released);
			this.released.clear();
		}
		released.forEach((slot, given) -> {
			// a late release must not take the snapshot from a later epoch
			if (this.slots.epoch(slot) == ShardOwnership.NOT_OWNED) {
				this.snapshots.handOver(slot);
			}
			given.complete(null);
		});
	}

	private synchronized void slotIsReady() {
		this.ready = true;
		wake();
	}

	/** Has handlers begin with slots; returns whether that was possible for all. */
	private boolean takeOver() throws InterruptedException {
		synchronized (this) {
			this.ready = false;
		}
		boolean all = true;
		for (int slot : this.handlers.readySlots()) {
			all &= takeOver(slot);
		}
		return all;
	}

	private boolean takeOver(int slot) throws InterruptedException {
		long epoch = this.slots.epoch(slot);
		Long before = this.taken.put(slot, epoch);
		if (before != null && before != epoch) {
			// another owner may have written since
			this.snapshots.handOver(slot);
		}
		SlotSnapshot<T> snapshot = this.snapshots.of(slot);
		this.contents.advance(this.parts.indexer().objects());
		SlotSnapshot.TakenOver<T> found = snapshot.takeOver(this.contents.of(slot), this.stopping);
		if (found == null || isBehind(slot, snapshot)) {
			return false;
		}
		while (!this.stopping.getAsBoolean()) {
			SlotHandlers.Begin begin = this.handlers.begin(slot, found.completed(), () -> present(slot),
					(present) -> snapshot.unstored(present).isEmpty());
			if (begin != SlotHandlers.Begin.NOT_READY) {
				return begin == SlotHandlers.Begin.BEGUN;
			}
			// the mirror may have got another object meanwhile
			snapshot.announce(snapshot.unstored(present(slot)));
		}
		return false;
	}

	/**
	 * Whether the mirror has not reached what the owner before has stored: what is newer
	 * there would look as if it had been deleted. Versions may have gone back for good,
	 * so the patience has an end.
	 */
	private boolean isBehind(int slot, SlotSnapshot<T> snapshot) {
		boolean reached = DurableRun.hasReached(snapshot.told(), this.parts.indexer(), this.scopes > 1);
		if (reached || this.behind.merge(slot, 1, Integer::sum) > MOST_WAITS) {
			this.behind.remove(slot);
			return false;
		}
		return true;
	}

	private PersistentMap<ResourceKey, T> present(int slot) {
		this.contents.advance(this.parts.indexer().objects());
		return this.contents.of(slot);
	}

	/** Stores what handlers have completed; returns whether that was possible for all. */
	private boolean commit() throws InterruptedException {
		boolean all = true;
		this.commits = Duration.ZERO;
		for (int scope = 0; scope < this.scopes; scope++) {
			Map<Integer, Long> begun = this.slots.begunEpochs();
			if (begun.isEmpty()) {
				this.contents.advance(PersistentMap.empty());
			}
			if (!isBehind(scope, begun.keySet())) {
				continue;
			}
			Completed<T> completed = await(completed(scope, begun.keySet()));
			if (completed == null || completed.version().isEmpty()) {
				all = false;
				continue;
			}
			this.contents.advance(completed.objects());
			long begin = System.nanoTime();
			for (Map.Entry<Integer, Long> own : begun.entrySet()) {
				int slot = own.getKey();
				SlotSnapshot<T> snapshot = this.snapshots.find(slot);
				Long mark = completed.marks().get(slot);
				if (this.slots.isDelivered(slot, own.getValue())) {
					all &= snapshot != null && mark != null
							&& snapshot.commit(scope, new CompletedState<>(completed.version(), this.contents.of(slot),
									mark, completed.undecided()));
				}
			}
			this.commits = this.commits.plusNanos(System.nanoTime() - begin);
		}
		return all;
	}

	/** Whether something of the slots is to be stored. */
	private boolean isBehind(int scope, Set<Integer> slots) {
		boolean behind = false;
		for (int slot : slots) {
			SlotSnapshot<T> snapshot = this.snapshots.find(slot);
			behind |= snapshot == null
					|| snapshot.isBehind(scope, present(slot), this.parts.indexer().unknown().keys());
		}
		return behind;
	}

	/** A state that every handler has completed, for slots that had begun before. */
	private CompletableFuture<Completed<T>> completed(int scope, Set<Integer> begun) {
		CompletableFuture<Completed<T>> completed = new CompletableFuture<>();
		Checkpoint<T> checkpoint = this.parts.writer().checkpoint();
		// runs on the thread that writes the mirror, while the state is the present one
		checkpoint.content().whenComplete((content, error) -> {
			if (error != null) {
				completed.completeExceptionally(error);
				return;
			}
			Map<Integer, Long> marks = new HashMap<>();
			begun.forEach((slot) -> {
				SlotSnapshot<T> snapshot = this.snapshots.find(slot);
				if (snapshot != null) {
					marks.put(slot, snapshot.lastAnnounced());
				}
			});
			Completed<T> state = new Completed<>(content.version(), content.objects(), marks,
					this.parts.indexer().unknown().keys());
			this.parts.writer().whenHandedOut(() -> passed(state, completed));
		});
		this.parts.loops().mark(scope, checkpoint);
		return completed;
	}

	private void passed(Completed<T> state, CompletableFuture<Completed<T>> completed) {
		if (!this.parts.writer().isIntact()) {
			completed.completeExceptionally(new Checkpoint.BusyException());
			return;
		}
		this.parts.handlers().passed().whenComplete((nothing, lost) -> {
			if (lost != null) {
				completed.completeExceptionally(lost);
			}
			else {
				completed.complete(state);
			}
		});
	}

	private @Nullable Completed<T> await(CompletableFuture<Completed<T>> state) throws InterruptedException {
		while (!this.stopping.getAsBoolean()) {
			try {
				return state.get(SLICE_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (TimeoutException ex) {
				// a handler takes its time; other slots do not wait for it
				handOver();
				if (isReady()) {
					takeOver();
				}
			}
			catch (ExecutionException ex) {
				return null;
			}
		}
		return null;
	}

	/** Has what is completed by now written soon; completes when that was tried. */
	synchronized CompletableFuture<Void> flush() {
		CompletableFuture<Void> present = this.flush;
		if (present == null) {
			present = new CompletableFuture<>();
			this.flush = present;
		}
		if (this.ended) {
			present.complete(null);
		}
		wake();
		return present;
	}

	/** There may be something to do. */
	synchronized void wake() {
		this.woken = true;
		notifyAll();
	}

	private synchronized @Nullable CompletableFuture<Void> takeFlush() {
		CompletableFuture<Void> flush = this.flush;
		this.flush = null;
		return flush;
	}

	/**
	 * Waits for the commit interval, or longer after long commits, and then until there
	 * is something to do.
	 */
	private void pause(boolean done) throws InterruptedException {
		long millis = done ? SnapshotWriter.pauseMillis(this.snapshots.interval(), this.commits) : RETRY_MILLIS;
		long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		synchronized (this) {
			long left;
			while (!isUrgent() && (left = until - System.nanoTime()) > 0) {
				TimeUnit.NANOSECONDS.timedWait(this, left);
			}
			while (!isUrgent() && !this.woken && done) {
				wait();
			}
			this.woken = false;
		}
	}

	private synchronized boolean isReady() {
		return this.ready;
	}

	private boolean isUrgent() {
		return this.flush != null || this.ready || !this.released.isEmpty() || this.stopping.getAsBoolean();
	}

	/**
	 * A state of the mirror that every handler has completed.
	 *
	 * @param version the version of the scope
	 * @param objects the objects of all slots
	 * @param marks the number of the last batch of announcements, by slot
	 * @param undecided see {@link CompletedState}
	 */
	private record Completed<T>(String version, PersistentMap<ResourceKey, T> objects, Map<Integer, Long> marks,
			Set<ResourceKey> undecided) {

	}

}
