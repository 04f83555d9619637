package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.SlotHandlers;
import dev.reflector.cache.internal.snapshot.CompletedState;
import dev.reflector.cache.internal.snapshot.CompletionMarks;
import dev.reflector.cache.internal.snapshot.Flushes;
import dev.reflector.cache.internal.snapshot.MarkedStates;
import dev.reflector.cache.internal.snapshot.PartitionSnapshot;
import dev.reflector.cache.internal.snapshot.PartitionSnapshots;
import dev.reflector.cache.internal.snapshot.Pauses;
import dev.reflector.cache.internal.store.Indexer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the mirror of a run durable, in the same way for each partition. The thread of
 * this object takes over the snapshot of a partition before the handlers start on the
 * partition, stores the states that the handlers have completed, and gives up the
 * snapshot when another process takes over.
 * <p>
 * <b>Commits.</b> While something changes, a mark is set at each commit interval
 * ({@link CompletedMirror}). A commit stores the newest completed state, even if many
 * later changes are still queued. A state counts for a partition only if the partition is
 * still delivered in the epoch in which the mark was sent, because queued changes of a
 * lost partition are dropped without being completed. A failed commit is tried again
 * every second. Otherwise, only three things delay a commit: a change that was lost on
 * its way into the mirror; a handler that was removed, has stopped, or whose stage has
 * failed; and a queue by key that is not empty.
 * <p>
 * <b>Threads.</b> {@link #flush()}, {@link #release} and {@link #wake()} may be called by
 * any thread. The thread that writes the mirror announces additions and calls
 * {@link #reached()}. Everything else runs on the thread of this object until the run
 * ends. While this thread waits for a store, it holds no lock. When the reflector stops,
 * this thread tries one last commit before the handlers end, for at most
 * {@code drainTimeout}. If the store has stopped responding, there is no last commit.
 *
 * @param <T> the type of the objects
 */
final class DurableRun<T> extends RunDurability<T> implements Runnable {

	private static final long RETRY_MILLIS = 1000;

	private final DurablePartitions<T> partitions;

	private final PartitionSnapshots<T> snapshots;

	private final Parts<T> parts;

	private final CompletedMirror<T> completed;

	private final TimeSource time;

	private final BooleanSupplier stopping;

	private final MarkedStates<CompletedMirror.State<T>> marks;

	private final Flushes flushes = new Flushes();

	private final Pauses pauses = new Pauses();

	/**
	 * The partitions to give up. This field and the fields below are guarded by the
	 * monitor of this object.
	 */
	private final Map<Integer, CompletableFuture<Void>> released = new HashMap<>();

	/**
	 * Whether a partition may have become ready since the last iteration of the thread.
	 */
	private boolean ready;

	private boolean begun;

	private boolean ended;

	/** Whether a commit of this iteration has failed. */
	private boolean failed;

	/**
	 * Creates the part of a run that keeps the mirror durable.
	 * @param partitions the partitions of the mirror
	 * @param setup the setup of the run
	 * @param parts the other parts of the run
	 * @param stopping whether the run must end
	 */
	DurableRun(DurablePartitions<T> partitions, RunSetup<T> setup, Parts<T> parts, BooleanSupplier stopping) {
		this.partitions = partitions;
		this.snapshots = partitions.snapshots();
		this.parts = parts;
		this.completed = new CompletedMirror<>(partitions, setup, parts);
		this.time = setup.loop().time();
		this.stopping = stopping;
		this.marks = new MarkedStates<>(setup.scopes().size(), this.snapshots.interval(), this.time, this.completed);
		this.snapshots.marks(this.marks);
	}

	@Override
	boolean isRestored() {
		return this.partitions.isRestored();
	}

	@Override
	void restore(boolean inStep) throws InterruptedException {
		this.partitions.restore(inStep);
	}

	@Override
	void loopsBegin() {
		this.partitions.loopsBegin(this::partitionIsReady);
		this.parts.writer().onReached(this::reached);
		if (this.snapshots.isWrittenAhead()) {
			this.parts.writer().beforeHandOut(new PartitionAnnouncements<>(this.partitions, this.stopping)::announce);
		}
	}

	@Override
	Set<Runnable> tasks() {
		synchronized (this) {
			this.begun = true;
		}
		return Set.of(this);
	}

	@Override
	public void run() {
		try {
			while (!this.stopping.getAsBoolean()) {
				boolean flush = this.flushes.accept();
				handOver();
				boolean done = takeOver() & write(flush);
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

	/** Called when the thread of this object has ended, or was not started. */
	@Override
	void end() {
		synchronized (this) {
			this.ended = true;
		}
		handOver();
		this.flushes.end();
	}

	@Override
	CompletableFuture<Void> release(int partition) {
		CompletableFuture<Void> given;
		synchronized (this) {
			given = this.released.computeIfAbsent(partition, (number) -> new CompletableFuture<>());
			if (this.begun && !this.ended) {
				wake();
				// if a call of the store hangs, the snapshot is given up later, but the
				// caller does not wait for it
				return this.snapshots.isSilent() ? CompletableFuture.completedFuture(null) : given;
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
		released.forEach((partition, given) -> this.partitions.handOver(partition).thenRun(() -> given.complete(null)));
	}

	private synchronized void partitionIsReady() {
		this.ready = true;
		wake();
	}

	/**
	 * Starts the handlers on the partitions that are ready. Returns whether the handlers
	 * have started on all of them.
	 */
	private boolean takeOver() throws InterruptedException {
		synchronized (this) {
			this.ready = false;
		}
		boolean all = true;
		for (int partition : this.partitions.ready()) {
			if (!takeOver(partition)) {
				all = false;
				this.partitions.notBegun(partition);
			}
		}
		return all;
	}

	private boolean takeOver(int partition) throws InterruptedException {
		PartitionSnapshot<T> snapshot = this.partitions.takeOver(partition);
		PartitionSnapshot.TakenOver<T> found = snapshot.takeOver(this.partitions.present(partition), this.stopping);
		if (found == null || snapshot.waits(this.completed::hasReached)) {
			return false;
		}
		while (!this.stopping.getAsBoolean()) {
			SlotHandlers.StartResult result = this.partitions.begin(partition, found.completed(),
					(present) -> snapshot.unstored(present).isEmpty());
			if (result == SlotHandlers.StartResult.STARTED) {
				// the partition needs a mark even if the version of the mirror no longer
				// changes
				this.marks.begun();
				return true;
			}
			if (result != SlotHandlers.StartResult.NOT_READY) {
				return false;
			}
			// the mirror has received another object, which must be stored before the
			// handlers start
			snapshot.announce(snapshot.unstored(this.partitions.present(partition)), Map.of(),
					this.snapshots.deadline(this.stopping));
		}
		return false;
	}

	/**
	 * Stores the states that handlers have completed. Returns whether this was possible
	 * for all partitions.
	 */
	private boolean write(boolean flush) throws InterruptedException {
		boolean inOrder = true;
		// read only here: in the loop, a partition that another application holds stops
		// counting as begun, but standBy still needs the partition
		Set<Integer> begun = this.partitions.begun().keySet();
		for (int partition : begun) {
			PartitionSnapshot<T> snapshot = this.snapshots.find(partition);
			PartitionSnapshot.Order order = (snapshot != null) ? snapshot.restoreOrder(this.stopping)
					: PartitionSnapshot.Order.MISSING;
			if (order == PartitionSnapshot.Order.RESTORED) {
				this.marks.again();
			}
			inOrder &= order != PartitionSnapshot.Order.MISSING;
		}
		this.failed = false;
		this.marks.mark(flush, this::wake);
		boolean possible = this.marks.commit(this.flushes.isPending(), this::commit);
		return standBy(begun) && inOrder && possible && !this.failed;
	}

	/**
	 * Stops the delivery of partitions that another application has taken over. Returns
	 * {@code true} if there are no such partitions.
	 */
	private boolean standBy(Set<Integer> begun) {
		boolean none = true;
		for (int partition : begun) {
			PartitionSnapshot<T> snapshot = this.snapshots.find(partition);
			if (snapshot != null && snapshot.isHeldByOther()) {
				this.partitions.standBy(partition);
				none = false;
			}
		}
		if (!none) {
			// otherwise, dropped changes would count as completed
			this.marks.forget();
		}
		return none;
	}

	/**
	 * Commits a state for all partitions. If the state lacks objects of a partition, a
	 * later mark will include them. Returns the duration, or {@code null} if not all
	 * partitions were committed.
	 */
	private @Nullable Duration commit(int scope, CompletedMirror.State<T> state) throws InterruptedException {
		if (!CompletionMarks.isVersion(state.version())) {
			this.failed = true;
			return null;
		}
		boolean all = true;
		long begin = this.time.nanoTime();
		for (Map.Entry<Integer, Long> begun : this.partitions.begun().entrySet()) {
			int partition = begun.getKey();
			CompletedMirror.Begun own = state.begun().get(partition);
			PartitionSnapshot<T> snapshot = this.snapshots.find(partition);
			if (own == null || own.epoch() != begun.getValue() || snapshot == null
					|| snapshot.isFromBefore(own.mark())) {
				all = false;
			}
			else if (this.partitions.isDelivered(partition, own.epoch())
					&& !snapshot.commit(scope, new CompletedState<>(state.version(),
							this.partitions.of(state.objects(), partition), own.mark(), state.undecided()),
							this.stopping)) {
				all = false;
				this.failed = true;
			}
		}
		return all ? Duration.ofNanos(this.time.nanoTime() - begin) : null;
	}

	@Override
	CompletableFuture<Void> flush() {
		synchronized (this) {
			if (!this.begun) {
				return CompletableFuture.completedFuture(null);
			}
		}
		if (this.snapshots.isSilent()) {
			// the end of the run does not wait for a store that does not respond
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<Void> flush = this.flushes.request();
		wake();
		return flush;
	}

	/**
	 * Called by the thread that writes the mirror when the mirror has reached a version.
	 */
	private void reached() {
		this.marks.reached();
		wake();
	}

	@Override
	void wake() {
		this.pauses.end();
	}

	/** Waits until a commit or a retry is due, or until there is other work. */
	private void pause(boolean done) throws InterruptedException {
		long retry = this.time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
		boolean due = false;
		while (!due && !isUrgent()) {
			long left = done ? this.marks.untilDue(this.flushes.isPending()) : retry - this.time.nanoTime();
			boolean woken = left > 0 && this.pauses.await(left);
			due = left <= 0 || (woken && (left == Long.MAX_VALUE || (done && !this.partitions.ready().isEmpty())));
		}
	}

	private synchronized boolean isUrgent() {
		return this.flushes.isRequested() || this.ready || !this.released.isEmpty() || this.stopping.getAsBoolean();
	}

	/**
	 * The other parts of a run that a {@link DurableRun} uses.
	 *
	 * @param <T> the type of the objects
	 * @param indexer stores the mirror
	 * @param loops the loops that follow the server
	 * @param writer the writer of the mirror
	 * @param handlers the handlers of the informer
	 */
	record Parts<T>(Indexer<T> indexer, Loops<T> loops, MirrorWriter<T> writer, Handlers<T> handlers) {

	}

}
