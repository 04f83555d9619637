package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.reflector.ResourceKey;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.delivery.DeliveredSlots;
import dev.reflector.cache.internal.delivery.Outbox;
import dev.reflector.cache.internal.delivery.Passing;
import dev.reflector.cache.internal.delivery.SlotHandlers;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.snapshot.AnnounceDeadline;
import dev.reflector.cache.internal.snapshot.CompletionMarks;
import dev.reflector.cache.internal.snapshot.Flushes;
import dev.reflector.cache.internal.snapshot.MarkedStates;
import dev.reflector.cache.internal.snapshot.CompletedState;
import dev.reflector.cache.internal.snapshot.Pauses;
import dev.reflector.cache.internal.snapshot.SlotSnapshot;
import dev.reflector.cache.internal.snapshot.SlotSnapshots;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.sharding.ShardOwnership;
import org.jspecify.annotations.Nullable;

/**
 * What a run does to keep the slots durable that this replica owns. Its thread takes over
 * the snapshot of a slot before handlers begin with the slot, stores what they have
 * completed, and gives the snapshot up when the slot is released.
 * <p>
 * <b>Completed.</b> As with a mirror that is durable as a whole, marks go from the loop
 * through the mirror and the queues of the handlers. A mark serves all slots. A change of
 * a slot that is lost in the meantime is dropped and not completed, so a state counts for
 * a slot only if the slot is still owned in the same epoch when the mark has passed.
 *
 * @param <T> the type of the objects
 */
final class DurableSlots<T> implements Runnable, MarkedStates.Source<DurableSlots.Completed<T>> {

	private static final long RETRY_MILLIS = 1000;

	private final SlotSnapshots<T> snapshots;

	private final DurableRun.Parts<T> parts;

	private final SlotHandlers<T> handlers;

	private final DeliveredSlots<T> slots;

	private final int scopes;

	private final TimeSource time;

	private final BooleanSupplier stopping;

	private final SlotContents<T> contents;

	/**
	 * The epochs in which snapshots were taken over. Used by the thread of this object.
	 */
	private final Map<Integer, Long> taken = new HashMap<>();

	private final MarkedStates<Completed<T>> marks;

	private final Flushes flushes = new Flushes();

	/** Slots to be given up. Guarded by this object, like the next fields. */
	private final Map<Integer, CompletableFuture<Void>> released = new HashMap<>();

	private final Pauses pauses = new Pauses();

	/** Whether a slot may have become ready since the last round. */
	private boolean ready;

	private boolean ended;

	/**
	 * Creates what keeps the slots of a run durable.
	 * @param snapshots the snapshots of the slots
	 * @param parts of the run
	 * @param handlers what is told slot by slot
	 * @param scopes how many namespaces are followed on their own, 1 for all
	 * @param time source of time
	 * @param stopping whether the run ends, after a last commit
	 */
	DurableSlots(SlotSnapshots<T> snapshots, DurableRun.Parts<T> parts, SlotHandlers<T> handlers, int scopes,
			TimeSource time, BooleanSupplier stopping) {
		this.snapshots = snapshots;
		this.parts = parts;
		this.handlers = handlers;
		this.slots = handlers.delivered();
		this.scopes = scopes;
		this.time = time;
		this.stopping = stopping;
		this.contents = new SlotContents<>(this.slots);
		this.marks = new MarkedStates<>(scopes, snapshots.interval(), time, this);
		snapshots.marks(this.marks);
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
		AnnounceDeadline deadline = this.snapshots.deadline(this.stopping);
		try {
			for (Map.Entry<Integer, Map<ResourceKey, T>> slot : additions.entrySet()) {
				SlotSnapshot<T> snapshot = this.snapshots.find(slot.getKey());
				if (snapshot != null) {
					snapshot.announce(slot.getValue(), deadline);
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
				boolean flush = this.flushes.accept();
				handOver();
				boolean done = takeOver() & commit(flush);
				this.flushes.await(this.marks.last());
				if (done) {
					this.flushes.passed(this.marks);
				}
				else {
					this.flushes.complete();
					this.marks.stalled();
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
		this.flushes.end();
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
				this.snapshots.handOver(slot).thenRun(() -> given.complete(null));
			}
			else {
				given.complete(null);
			}
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
		if (found == null || snapshot.waits(this::hasReached)) {
			return false;
		}
		while (!this.stopping.getAsBoolean()) {
			SlotHandlers.Begin begin = this.handlers.begin(slot, found.completed(), () -> present(slot),
					(present) -> snapshot.unstored(present).isEmpty());
			if (begin == SlotHandlers.Begin.BEGUN) {
				// the mirror may be at this version for long
				this.marks.again();
				return true;
			}
			if (begin != SlotHandlers.Begin.NOT_READY) {
				return false;
			}
			// the mirror may have got another object meanwhile
			snapshot.announce(snapshot.unstored(present(slot)), this.snapshots.deadline(this.stopping));
		}
		return false;
	}

	private boolean hasReached(Map<String, String> told) {
		return DurableRun.hasReached(told, this.parts.indexer(), this.scopes > 1);
	}

	private PersistentMap<ResourceKey, T> present(int slot) {
		this.contents.advance(this.parts.indexer().objects());
		return this.contents.of(slot);
	}

	/** Stores what handlers have completed; returns whether that was possible for all. */
	private boolean commit(boolean flush) throws InterruptedException {
		if (this.slots.begunEpochs().isEmpty()) {
			this.contents.advance(PersistentMap.empty());
		}
		this.marks.mark(flush, this::wake);
		boolean all = this.marks.commit(this.flushes.isPending(), this::commit);
		return standBy() && all;
	}

	/**
	 * Delivers nothing more of slots that another application has taken over; returns
	 * whether there are none.
	 */
	private boolean standBy() {
		boolean none = true;
		for (int slot : this.slots.begunEpochs().keySet()) {
			SlotSnapshot<T> snapshot = this.snapshots.find(slot);
			if (snapshot != null && snapshot.isHeldByOther()) {
				this.handlers.standBy(slot);
				none = false;
			}
		}
		if (!none) {
			// what is dropped would look as if it had been completed
			this.marks.forget();
		}
		return none;
	}

	private @Nullable Duration commit(int scope, Completed<T> completed) throws InterruptedException {
		if (completed.version().isEmpty()) {
			return null;
		}
		boolean all = true;
		this.contents.advance(completed.objects());
		long begin = this.time.nanoTime();
		for (Map.Entry<Integer, Own> own : completed.slots().entrySet()) {
			int slot = own.getKey();
			SlotSnapshot<T> snapshot = this.snapshots.find(slot);
			if (this.slots.isDelivered(slot, own.getValue().epoch())) {
				all &= snapshot != null && snapshot.commit(scope, new CompletedState<>(completed.version(),
						this.contents.of(slot), own.getValue().mark(), completed.undecided()), this.stopping);
			}
		}
		return all ? Duration.ofNanos(this.time.nanoTime() - begin) : null;
	}

	@Override
	public String version(int scope) {
		return DurableRun.version(this.parts, scope, this.scopes > 1);
	}

	@Override
	public boolean isStored(int scope, String version) {
		return false;
	}

	/** Whether something of the slots is to be stored. */
	@Override
	public boolean isBehind(int scope) {
		boolean behind = false;
		for (int slot : this.slots.begunEpochs().keySet()) {
			SlotSnapshot<T> snapshot = this.snapshots.find(slot);
			behind |= snapshot == null
					|| snapshot.isBehind(scope, present(slot), this.parts.indexer().unknown().keys());
		}
		return behind;
	}

	/** The state counts for slots that have begun before. */
	@Override
	public void send(int scope, CompletionMarks<Completed<T>>.Mark mark) {
		Map<Integer, Long> begun = this.slots.begunEpochs();
		Checkpoint<T> checkpoint = this.parts.writer().checkpoint();
		// runs on the thread that writes the mirror, while the state is the current one
		checkpoint.content().whenComplete((content, error) -> {
			if (error != null) {
				mark.state().completeExceptionally(error);
				return;
			}
			mark.inMirror(content.version());
			Map<Integer, Own> own = new HashMap<>();
			begun.forEach((slot, epoch) -> {
				SlotSnapshot<T> snapshot = this.snapshots.find(slot);
				if (snapshot != null) {
					own.put(slot, new Own(epoch, snapshot.lastAnnounced()));
				}
			});
			Completed<T> state = new Completed<>(content.version(), content.objects(), own,
					this.parts.indexer().unknown().keys());
			this.parts.writer().whenHandedOut(() -> passes(state, mark));
		});
		this.parts.loops().mark(scope, checkpoint);
	}

	private void passes(Completed<T> state, CompletionMarks<Completed<T>>.Mark mark) {
		if (!this.parts.writer().isIntact()) {
			mark.state().completeExceptionally(new Checkpoint.BusyException());
			return;
		}
		Passing passing = this.parts.handlers().passed();
		mark.passes(passing.all(), passing::waitedFor, state);
	}

	/** Has what is completed by now written soon; completes when that was tried. */
	CompletableFuture<Void> flush() {
		CompletableFuture<Void> flush = this.flushes.request();
		wake();
		return flush;
	}

	/** The mirror has reached a version. Called by the thread that writes the mirror. */
	void reached() {
		this.marks.reached();
		wake();
	}

	/** There may be something to do. */
	void wake() {
		this.pauses.end();
	}

	/** Waits until there is something to do, and it is due. */
	private void pause(boolean done) throws InterruptedException {
		long retry = this.time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
		boolean due = false;
		while (!due && !isUrgent()) {
			long left = done ? this.marks.untilDue(this.flushes.isPending()) : retry - this.time.nanoTime();
			if (left > 0) {
				this.pauses.await(left);
			}
			due = left <= 0;
		}
	}

	private synchronized boolean isUrgent() {
		return this.flushes.isRequested() || this.ready || !this.released.isEmpty() || this.stopping.getAsBoolean();
	}

	/**
	 * A state of the mirror that every handler has completed.
	 *
	 * @param version the version of the scope
	 * @param objects the objects of all slots
	 * @param slots the slots that had begun
	 * @param undecided see {@link CompletedState}
	 */
	record Completed<T>(String version, PersistentMap<ResourceKey, T> objects, Map<Integer, Own> slots,
			Set<ResourceKey> undecided) {

	}

	/**
	 * A slot that is owned.
	 *
	 * @param epoch the epoch of that
	 * @param mark the number of the last batch of announcements
	 */
	private record Own(long epoch, long mark) {

	}

}
