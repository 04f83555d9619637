package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.internal.delivery.HandlerGroup;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.ListenerKind;
import dev.reflector.cache.internal.loop.LoopSignal;
import dev.reflector.cache.internal.store.Counters;
import dev.reflector.cache.internal.store.Indexer;
import org.jspecify.annotations.Nullable;

/**
 * The runs of an informer, one after the other. A run begins when the previous run has
 * ended, and no run begins after the informer is closed. Thread-safe. The monitor of this
 * object is held while a run begins and while a thread of a handler that was added
 * begins. A run that begins later finds the handler, so exactly one run serves it.
 *
 * @param <T> the type of the objects
 */
final class Runs<T> {

	private final RunSetup<T> setup;

	private final Indexer<T> indexer;

	private final Counters counters;

	private final Handlers<T> handlers;

	private final InformerDelivery<T> delivery;

	private final PeriodicVerification<T> verifications;

	private volatile boolean closed;

	private volatile @Nullable Run<T> last;

	Runs(RunSetup<T> setup, Indexer<T> indexer, Counters counters, Handlers<T> handlers, InformerDelivery<T> delivery,
			PeriodicVerification<T> verifications) {
		this.setup = setup;
		this.indexer = indexer;
		this.counters = counters;
		this.handlers = handlers;
		this.delivery = delivery;
		this.verifications = verifications;
	}

	/**
	 * Returns the last run, which may have ended, or {@code null} before the first run.
	 */
	@Nullable Run<T> last() {
		return this.last;
	}

	boolean isClosed() {
		return this.closed;
	}

	/** Whether there was no run yet and the informer is not closed. */
	boolean isUntouched() {
		return this.last == null && !this.closed;
	}

	synchronized void requireOpen() {
		if (this.closed) {
			throw closedForGood();
		}
	}

	IllegalStateException closedForGood() {
		return new IllegalStateException("the reflector '" + this.setup.name() + "' is closed");
	}

	HandlerGroup<T> group(ListenerKind kind, ResourceEventHandler<T> handler, Duration resyncPeriod) {
		// called without the monitor, and only here: later, an exception would end a run
		String name = handler.name();
		synchronized (this) {
			Run<T> run = this.last;
			return this.handlers.create(kind, handler, name, resyncPeriod, run != null && !run.stopping());
		}
	}

	/**
	 * Starts the delivery to a handler, unless the informer is closed. Waits while the
	 * mirror is written, but without the monitor, so that the informer can be stopped
	 * during the wait.
	 */
	boolean join(HandlerGroup<T> group) {
		if (this.closed) {
			return false;
		}
		this.handlers.join(group);
		boolean attached;
		try {
			attached = attach(group);
		}
		catch (RuntimeException | Error ex) {
			group.members().forEach((member) -> member.remove(ex));
			throw ex;
		}
		if (!attached) {
			group.remove();
		}
		return attached;
	}

	private synchronized boolean attach(HandlerGroup<T> group) {
		Run<T> run = this.last;
		if (run != null && !this.closed) {
			group.members().forEach(run::attach);
		}
		return !this.closed;
	}

	synchronized void readAhead() {
		if (isUntouched()) {
			this.delivery.readAhead();
		}
	}

	synchronized void start() {
		Run<T> last = this.last;
		if (last != null && !last.ending()) {
			return;
		}
		requireOpen();
		Run<T> next = new Run<>(this.setup, this.indexer, this.handlers, this.counters, last, this.delivery);
		this.last = next;
		next.startAfter((last != null) ? last.stop() : CompletableFuture.completedFuture(null));
		this.verifications.begin(next);
	}

	synchronized CompletionStage<Void> stop() {
		this.verifications.end();
		Run<T> last = this.last;
		return (last != null) ? last.stop() : CompletableFuture.completedFuture(null);
	}

	/** Ends the last run, and prevents further runs. */
	CompletionStage<Void> close() {
		synchronized (this) {
			this.closed = true;
		}
		return stop();
	}

	/**
	 * Moves the snapshot aside. No run may be in progress.
	 * @return the place of the moved snapshot, human-readable
	 */
	synchronized String reset() {
		Run<T> last = this.last;
		if (last != null && (!last.ending() || !last.stop().toCompletableFuture().isDone())) {
			throw new IllegalStateException(
					"the reflector '" + this.setup.name() + "' runs: stop it before its snapshot is reset");
		}
		String where = this.delivery.reset();
		// the next run must not continue from the version of the last run, with an empty
		// mirror
		this.last = null;
		return where;
	}

	void signal(LoopSignal signal) {
		Run<T> run = this.last;
		if (run != null) {
			run.signal(signal);
		}
	}

	ReflectorState state() {
		Run<T> run = this.last;
		return (run != null) ? run.state() : ReflectorState.STOPPED;
	}

	String lastSyncResourceVersion() {
		Run<T> run = this.last;
		return (run != null) ? run.lastSyncResourceVersion() : "";
	}

	boolean hasSynced() {
		Run<T> run = this.last;
		return run != null && run.hasSynced();
	}

	ReflectorStatus status() {
		Run<T> run = this.last;
		if (run == null) {
			return new ReflectorStatus(ReflectorState.STOPPED, "", false, this.indexer.size(),
					this.counters.skipped.size(), 0, this.counters.snapshot(), null, null, null, null, null,
					this.handlers.busy(), new ReflectorStatus.Contact(false, null, false));
		}
		return run.status();
	}

}
