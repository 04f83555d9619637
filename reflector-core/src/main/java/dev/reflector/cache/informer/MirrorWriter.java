package dev.reflector.cache.informer;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.PendingChanges;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.queue.Delta;
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.internal.store.AnnouncedObjects;
import dev.reflector.cache.internal.store.Counters;
import dev.reflector.cache.internal.store.Indexer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves deltas from the queue into the mirror, and hands out the resulting changes to the
 * listeners (client-go: the {@code processLoop} of a controller).
 * <p>
 * <b>Promises.</b> The mirror is written before a change is handed out, so a handler that
 * reads the mirror sees the state of its change or a newer one (rules D-60 to D-64). The
 * changes of one object are handed out in the order of its deltas. A complete state is
 * written in one step. The mirror counts as synced after the first complete state was
 * written and handed out, unless a delta was lost since.
 * <p>
 * <b>Threads.</b> One thread at a time writes: the thread that holds the {@link #turn}.
 * This thread is usually {@code reflector-NAME-store}. A thread that has queued only a
 * few deltas writes them directly, because waking another thread would take longer than
 * the write. A thread that writes directly never waits, neither for the turn nor for a
 * handler that is being added. If the queue of a listener is full, this thread leaves the
 * rest to {@code reflector-NAME-store}. Only {@code reflector-NAME-store} writes complete
 * states and repairs losses. All writes also happen on {@code reflector-NAME-store} if
 * the mirror has slots, is ordered by key, or stores additions before listeners receive
 * them. The writer holds the write lock of {@link Handlers} while it applies a batch, so
 * a handler that is added gets a state of the mirror and exactly the changes after that
 * state. It does not hold the lock while changes are handed out.
 * <p>
 * <b>Bounds.</b> A batch has at most 1000 deltas, and at most a tenth of the capacity of
 * a listener's queue. The changes of one batch, or of one complete state, wait in the
 * {@link PendingChanges}. No further delta is taken until all of them are handed out.
 * <p>
 * <b>Recovery.</b> A delta that cannot be applied is logged, and the other deltas of its
 * batch are still applied. A new list delivers the lost change; the list is requested at
 * once if losses are repaired. Until that list is written, the mirror reports no new
 * version as reached. A stop drops the queued deltas: the next run lists again.
 *
 * @param <T> the type of the objects
 */
final class MirrorWriter<T> implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	/** The largest batch (D-55). */
	private static final int MAX_BATCH = 1000;

	/**
	 * The largest number of batches that a thread writes directly. Several changes of one
	 * object need one batch each.
	 */
	private static final int DIRECT = 4;

	private final String name;

	private final DeltaFifo<T> fifo;

	private final Indexer<T> indexer;

	private final Handlers<T> handlers;

	private final Counters counters;

	private final DeltaProcessor<T> processor;

	/** Called when a change was lost. */
	private volatile Runnable onLoss = () -> {
	};

	/** Keys of snapshot objects in namespaces that are no longer followed. */
	private List<ResourceKey> uncovered = List.of();

	/** Called when the mirror is in step with the server again. */
	private Runnable onRecovered = () -> {
	};

	/**
	 * Called after each batch that has reached a new version, and when the mirror has
	 * synced.
	 */
	private volatile Runnable onReached = () -> {
	};

	/** Called before changes are handed out. */
	private Consumer<PendingChanges<T>> beforeHandOut = (pendingChanges) -> {
	};

	/** Actions that run when all earlier changes are in the queues of the listeners. */
	private final List<Runnable> handedOut = new ArrayList<>();

	/**
	 * Whether a list is requested after a change was lost. If not, the mirror still
	 * counts as synced.
	 */
	private final boolean repairsLosses;

	private final int batch;

	private volatile boolean synced;

	private final PendingChanges<T> pendingChanges;

	/** Whether nothing has been lost since the last complete state. */
	private boolean intact = true;

	private volatile boolean stopping;

	/** Whether the thread of this writer has ended without a failure. */
	private volatile boolean finished;

	/**
	 * Held by the writing thread, from taking deltas until their changes are handed out.
	 */
	private final ReentrantLock turn = new ReentrantLock();

	/**
	 * The failure that interrupted a direct write after the mirror was changed, before
	 * all changes were handed out to the listeners. Guarded by {@link #turn}.
	 */
	private @Nullable Throwable brokenOff;

	/**
	 * Whether a write only updates the mirror and notifies listeners, so that any thread
	 * may do it.
	 */
	private volatile boolean plain;

	MirrorWriter(RunSetup<T> setup, DeltaFifo<T> fifo, Indexer<T> indexer, AnnouncedObjects<T> announced,
			Handlers<T> handlers, Counters counters) {
		this.name = setup.name();
		this.fifo = fifo;
		this.indexer = indexer;
		this.handlers = handlers;
		this.pendingChanges = new PendingChanges<>(handlers);
		this.counters = counters;
		// small compared with the capacity of a queue, because the changes of a batch are
		// queued there together
		this.batch = Math.max(1, Math.min(MAX_BATCH, setup.loop().options().queue().queueCapacity() / 10));
		this.repairsLosses = setup.loop().behaviour().repairsLosses();
		this.processor = new DeltaProcessor<>(setup, indexer, announced, this.pendingChanges, handlers, counters);
		this.plain = handlers.delivered().beginAtOnce();
	}

	/**
	 * Ends the thread after the batch in progress. Queued deltas are dropped (D-67): the
	 * list of a later start finds their changes.
	 */
	void stop() {
		this.stopping = true;
	}

	boolean hasSynced() {
		return this.synced;
	}

	/**
	 * Whether the mirror contains everything that the loops have received, and the
	 * listeners' queues contain all changes of the mirror. Called when all threads of the
	 * run have ended.
	 */
	boolean hasWrittenEverything() {
		return this.finished && this.synced && this.intact && this.fifo.size() == 0 && pending() == 0;
	}

	/** Whether nothing has been lost since the last complete state. */
	boolean isIntact() {
		return this.intact;
	}

	/**
	 * Notes that the mirror was filled from a snapshot, so that differences from the
	 * snapshot are delivered as recovered changes. Must be called before the run.
	 * @param uncovered keys of the snapshot that no list will contain
	 * @param onRecovered called when the differences are in the mirror
	 */
	void recover(List<ResourceKey> uncovered, Runnable onRecovered) {
		this.processor.recovering(true);
		this.uncovered = uncovered;
		this.onRecovered = onRecovered;
	}

	/**
	 * Sets the test for whether two objects with the same version have the same content.
	 * Must be called before the run.
	 */
	void compareBy(BiPredicate<T, T> sameContent) {
		this.processor.compareBy(sameContent);
	}

	/** Sets the action to run when a change was lost. */
	void onLoss(Runnable onLoss) {
		this.onLoss = onLoss;
	}

	/**
	 * Sets the action to run after each batch that has reached a new version, and when
	 * the mirror has synced.
	 */
	void onReached(Runnable onReached) {
		this.onReached = onReached;
	}

	/**
	 * Sets the function to call before changes are handed out, on the thread that writes
	 * the mirror. Must be called before the run.
	 */
	void beforeHandOut(Consumer<PendingChanges<T>> beforeHandOut) {
		this.plain = false;
		this.beforeHandOut = beforeHandOut;
	}

	/**
	 * Creates a mark. When the mark has passed the queue of deltas, the mark reads the
	 * content of the mirror.
	 */
	Checkpoint<T> checkpoint() {
		return new Checkpoint<>(this.indexer);
	}

	/**
	 * Runs an action once, when all changes so far are in the queues of the listeners.
	 * Called while the mirror is written.
	 */
	void whenHandedOut(Runnable action) {
		this.handedOut.add(action);
	}

	@Override
	public void run() {
		this.handlers.unsynced();
		this.pendingChanges.begin();
		this.handlers.delivered().handedOut();
		try {
			this.handlers.write(() -> this.uncovered.forEach(this.processor::leave));
			this.fifo.directly(this::writeDirectly);
			write();
		}
		finally {
			end();
			this.handlers.unsynced();
		}
	}

	private void write() {
		boolean open = true;
		while (open && !this.stopping) {
			open = this.fifo.awaitMore();
			this.turn.lock();
			try {
				endIfBrokenOff();
				guarded(() -> this.fifo.pop(this::process, this.batch));
				checkReached();
				handOut();
				checkSynced();
				tellHandedOut();
			}
			finally {
				this.turn.unlock();
			}
		}
		end();
		// hands out changes that a direct write may have left behind
		handOut();
		this.finished = this.brokenOff == null;
	}

	/**
	 * Throws the failure that has interrupted a direct write, so that the failure ends
	 * the run like a failure of the writer's own thread.
	 */
	private void endIfBrokenOff() {
		Throwable brokenOff = this.brokenOff;
		if (brokenOff instanceof Error error) {
			throw error;
		}
		if (brokenOff != null) {
			throw new IllegalStateException("changes could not be handed out", brokenOff);
		}
	}

	/** Prevents further direct writes, and waits for one in progress. */
	private void end() {
		this.turn.lock();
		this.stopping = true;
		this.turn.unlock();
	}

	/**
	 * Writes a few queued deltas on the thread that has queued them, if the thread need
	 * not wait.
	 * @return whether all deltas are written, so that the thread of the writer need not
	 * be woken
	 */
	private boolean writeDirectly() {
		if (!this.plain || this.turn.isHeldByCurrentThread() || !this.turn.tryLock()) {
			return false;
		}
		try {
			boolean possible = this.synced && !this.stopping && this.brokenOff == null && this.pendingChanges.isEmpty()
					&& this.handedOut.isEmpty() && !this.indexer.hasIndexFunctions();
			for (int i = 0; possible && i < DIRECT && this.fifo.size() > 0; i++) {
				possible = this.intact && popUnlessBusy();
				checkReached();
				if (!this.pendingChanges.handOutUnlessFull()) {
					this.fifo.nudge();
					possible = false;
				}
			}
			return possible && this.fifo.size() == 0;
		}
		catch (Throwable ex) {
			this.brokenOff = ex;
			this.fifo.nudge();
			return false;
		}
		finally {
			this.turn.unlock();
		}
	}

	/**
	 * Writes deltas if the write lock is free. Does not wait for the lock, because
	 * another thread may hold it for a while, for example to add a handler.
	 * @return whether the lock was free
	 */
	private boolean popUnlessBusy() {
		Lock writeLock = this.handlers.writeLock();
		if (!writeLock.tryLock()) {
			return false;
		}
		try {
			guarded(() -> this.fifo.popObjects(this::apply, this.batch));
			return true;
		}
		finally {
			writeLock.unlock();
		}
	}

	private void guarded(Runnable pop) {
		try {
			pop.run();
		}
		catch (Throwable ex) {
			// E-11: the failure is logged, and a new list delivers the lost changes
			this.intact = !this.repairsLosses;
			this.fifo.lost();
			if (this.repairsLosses) {
				this.onLoss.run();
			}
			logger.atError()
				.addKeyValue("reflector", this.name)
				.setCause(ex)
				.log("Reflector '{}': a change could not be applied to the mirror. The collection is listed " + "again",
						this.name);
		}
		this.intact = this.intact || this.fifo.isRepaired();
	}

	private void handOut() {
		if (!this.pendingChanges.isEmpty()) {
			this.beforeHandOut.accept(this.pendingChanges);
		}
		this.pendingChanges.handOut();
		this.handlers.delivered().handedOut();
	}

	private void tellHandedOut() {
		if (!this.handedOut.isEmpty()) {
			List.copyOf(this.handedOut).forEach(Runnable::run);
			this.handedOut.clear();
		}
	}

	/** Notifies the listeners once, when the first complete state is in the mirror. */
	private void checkSynced() {
		if (!this.synced && this.intact && this.fifo.hasSynced()) {
			this.synced = true;
			this.processor.recovering(false);
			this.onRecovered.run();
			this.handlers.synced();
			this.onReached.run();
		}
	}

	/** Reports the versions that the mirror has reached, unless a delta was lost. */
	private void checkReached() {
		// the queue keeps the versions until the loss is repaired
		Map<String, Deque<String>> reached = this.intact ? this.fifo.takeReached() : null;
		if (reached != null) {
			this.indexer.reached(reached);
			this.onReached.run();
		}
	}

	private void process(List<Delta<T>> deltas, boolean isInInitialList) {
		this.handlers.write(() -> apply(deltas, isInInitialList));
	}

	/**
	 * Applies all deltas of a batch, even if one of them fails (D-65). Called under the
	 * write lock.
	 */
	private void apply(List<Delta<T>> deltas, boolean isInInitialList) {
		List<Throwable> failures = new ArrayList<>();
		for (Delta<T> delta : deltas) {
			try {
				this.processor.apply(delta, isInInitialList);
				// repairs a loss only if the list is of all namespaces; otherwise, the
				// queue finds out when every namespace was listed
				this.intact |= delta instanceof Delta.ReplacedAll<T> all && all.replacement().namespace() == null;
			}
			catch (Throwable ex) {
				this.counters.errors.increment();
				failures.add(ex);
			}
		}
		if (!failures.isEmpty()) {
			IllegalStateException failure = new IllegalStateException(
					failures.size() + " of " + deltas.size() + " changes could not be applied", failures.get(0));
			failures.stream().skip(1).forEach(failure::addSuppressed);
			throw failure;
		}
	}

	/**
	 * Returns the number of changes that are in the mirror and not yet in the queues of
	 * the listeners.
	 */
	int pending() {
		return this.pendingChanges.size();
	}

}
