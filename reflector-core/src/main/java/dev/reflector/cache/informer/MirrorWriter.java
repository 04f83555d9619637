package dev.reflector.cache.informer;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.Outbox;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.queue.Delta;
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.internal.store.Counters;
import dev.reflector.cache.internal.store.Indexer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes deltas off the queue, applies them to the mirror and hands out the changes that
 * result, in this order: a handler that reads the mirror sees the state of its change or
 * something newer (rules D-60 to D-64, section 4.6).
 *
 * @param <T> the type of the objects
 */
final class MirrorWriter<T> implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	/** D-55 */
	private static final int MAX_BATCH = 1000;

	private final String name;

	private final DeltaFifo<T> fifo;

	private final Indexer<T> indexer;

	private final Handlers<T> handlers;

	private final Counters counters;

	private final DeltaProcessor<T> processor;

	private final Runnable onLoss;

	/** Keys of a snapshot that are in no namespace that is followed any more. */
	private List<ResourceKey> uncovered = List.of();

	/** Called after each batch, when it has led to a version. */
	private volatile Runnable onReached = () -> {
	};

	/** What waits until the changes before it are in the queues of the listeners. */
	private final List<Runnable> handedOut = new ArrayList<>();

	/**
	 * a loss is no reason for a list, so it does not keep anything from syncing.
	 */
	private final boolean clientGo;

	private final int batch;

	private volatile boolean synced;

	private final Outbox<T> outbox;

	/** Whether nothing has been lost since the last complete state. */
	private boolean intact = true;

	/** How many complete states make up for the last loss. */
	private int repairedAfter;

	private volatile boolean stopping;

	MirrorWriter(RunSetup<T> setup, DeltaFifo<T> fifo, Indexer<T> indexer, Handlers<T> handlers, Counters counters,
			Runnable onLoss) {
		this.name = setup.name();
		this.fifo = fifo;
		this.indexer = indexer;
		this.handlers = handlers;
		this.outbox = new Outbox<>(handlers);
		this.counters = counters;
		this.onLoss = onLoss;
		// small beside the bound: what a batch has changed waits here for the listeners
		this.batch = Math.max(1, Math.min(MAX_BATCH, setup.options().queue().queueCapacity() / 10));
		this.clientGo = setup.clientGo();
		this.processor = new DeltaProcessor<>(setup.loop().accessor(), indexer, this.outbox, counters, this.clientGo,
				setup.options().delivery().recreationDetected());
	}

	/**
	 * Has the thread end after the delta in progress. What still waits is dropped (D-67):
	 * a later start finds it again by its list.
	 */
	void stop() {
		this.stopping = true;
	}

	boolean hasSynced() {
		return this.synced;
	}

	/** Whether nothing has been lost since the last complete state. */
	boolean isIntact() {
		return this.intact;
	}

	/**
	 * The mirror was filled from a snapshot: what differs from it now has happened while
	 * the reflector did not run. To be called before the run.
	 * @param uncovered keys in the snapshot that no list will tell of
	 */
	void recover(List<ResourceKey> uncovered) {
		this.processor.recovering(true);
		this.uncovered = uncovered;
	}

	/** Has something called after each batch that has led to a version. */
	void onReached(Runnable onReached) {
		this.onReached = onReached;
	}

	/** A mark that reads the mirror when it arrives there. */
	Checkpoint<T> checkpoint() {
		return new Checkpoint<>(this.indexer);
	}

	/**
	 * Has something called when all changes so far are in the queues of the listeners.
	 * Called while the mirror is written.
	 */
	void whenHandedOut(Runnable action) {
		this.handedOut.add(action);
	}

	@Override
	public void run() {
		this.handlers.unsynced();
		this.outbox.begin();
		try {
			this.handlers.write(() -> this.uncovered.forEach(this.processor::leave));
			write();
		}
		finally {
			this.handlers.unsynced();
		}
	}

	private void write() {
		boolean open = true;
		while (open && !this.stopping) {
			try {
				open = this.fifo.popBatch(this::process, this.batch);
			}
			catch (Throwable ex) {
				// E-11: reported, and a list brings back what is missing
				this.intact = this.clientGo;
				this.repairedAfter = this.fifo.nextCompleteStates();
				logger.atError()
					.addKeyValue("reflector", this.name)
					.setCause(ex)
					.log("Reflector '{}': a change could not be applied to the mirror, a new list is needed",
							this.name);
				this.onLoss.run();
			}
			this.intact = this.intact || this.fifo.hasProcessed(this.repairedAfter);
			checkReached();
			this.outbox.handOut();
			checkSynced();
			if (!this.handedOut.isEmpty()) {
				List.copyOf(this.handedOut).forEach(Runnable::run);
				this.handedOut.clear();
			}
		}
	}

	/** Tells the listeners once when the first complete state is in the mirror. */
	private void checkSynced() {
		if (!this.synced && this.intact && this.fifo.hasSynced()) {
			this.synced = true;
			this.processor.recovering(false);
			this.handlers.synced();
		}
	}

	/** What was lost has not been reached: that takes a list. */
	private void checkReached() {
		// until then, the queue keeps what has been reached
		Map<String, Deque<String>> reached = this.intact ? this.fifo.takeReached() : null;
		if (reached != null) {
			this.indexer.reached(reached);
			this.onReached.run();
		}
	}

	private void process(List<Delta<T>> deltas, boolean isInInitialList) {
		this.handlers.write(() -> apply(deltas, isInInitialList));
	}

	/** D-65: a delta that cannot be applied takes no other of its batch with it. */
	private void apply(List<Delta<T>> deltas, boolean isInInitialList) {
		List<Throwable> failures = new ArrayList<>();
		for (Delta<T> delta : deltas) {
			try {
				this.processor.apply(delta, isInInitialList);
				// of several namespaces, each has to be listed
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
	 * How many changes the mirror shows that have not reached the queues of the
	 * listeners.
	 */
	int pending() {
		return this.outbox.size();
	}

}
