package dev.reflector.cache.informer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.ProcessorListener;
import dev.reflector.cache.internal.loop.Failure;
import dev.reflector.cache.internal.loop.LoopJournal;
import dev.reflector.cache.internal.loop.LoopSignal;
import dev.reflector.cache.internal.loop.MirrorSize;
import dev.reflector.cache.internal.loop.ReflectorLoop;
import dev.reflector.cache.internal.loop.ResyncCheck;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.internal.snapshot.SnapshotMismatchException;
import dev.reflector.cache.internal.store.AnnouncedObjects;
import dev.reflector.cache.internal.store.Counters;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.source.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a {@link SharedInformer}, from start to stop: its loops, queue, writer and
 * listeners, and their threads. The mirror continues to exist after the run.
 * <p>
 * <b>Start.</b> A run begins when the previous run has ended. The threads of the
 * listeners, {@code reflector-NAME-events} and {@code -stream}, start first, so that they
 * run before there is a change. These threads start next: {@code -store}, which writes
 * the mirror, {@code reflector-NAME} for each loop and, with a snapshot,
 * {@code -snapshot}, which uses the store on {@code -snapshot-io}. A mirror that is
 * durable as a whole is first restored on {@code -store}; loops and {@code -snapshot}
 * start after that. A listener that is added later gets its thread at once.
 * <p>
 * <b>End.</b> First, the changes that the listeners have completed are written to the
 * snapshot once more, which may take {@code drainTimeout} at most. Then the loops and the
 * writer are asked to end, and the listeners deliver the queued changes. After
 * {@code -store} has ended, a listener ends when its queue is empty or
 * {@code drainTimeout} has passed. {@code -snapshot} and the tasks of {@link #runBeside}
 * check {@link #stopping()} to find out that they must end. The stage of {@link #stop()}
 * completes when all these threads have ended, except the thread of a listener that is
 * stuck in a call. A thread that fails ends the run.
 * <p>
 * <b>Lock.</b> The monitor of this object guards the start, the addition of a listener,
 * and the end of the run, so no thread of the run starts when the run is
 * {@link #stopping()}. It also guards the state that was last reported to the handlers.
 * {@code onStart} and {@code onStop} of handlers may be called under the monitor.
 * {@link #runBeside} takes no lock: it first registers its thread, and then checks
 * whether the run is stopping.
 *
 * @param <T> the type of the objects
 */
final class Run<T> {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private final RunSetup<T> setup;

	private final Indexer<T> indexer;

	private final Counters counters;

	private final DeltaFifo<T> fifo;

	private final MirrorWriter<T> writer;

	private final Handlers<T> handlers;

	/** The listeners whose threads run, each with the future of its end. */
	private final Map<ProcessorListener<T>, CompletableFuture<Void>> served = new ConcurrentHashMap<>();

	private final Loops<T> loops;

	private final RunDurability<T> durability;

	private final Set<CompletableFuture<Void>> threads = ConcurrentHashMap.newKeySet();

	private CompletableFuture<Void> writerEnded = CompletableFuture.completedFuture(null);

	private ReflectorState told = ReflectorState.STOPPED;

	/** The previous run, until this run has begun. */
	private @Nullable Run<T> previous;

	private final CompletableFuture<Void> notStarted = new CompletableFuture<>();

	private volatile boolean started;

	private volatile boolean stopping;

	/**
	 * Completes after the last commit of the snapshot before this run ends, whether the
	 * commit succeeds or fails.
	 */
	private @Nullable CompletableFuture<Void> flushed;

	Run(RunSetup<T> setup, Indexer<T> indexer, Handlers<T> handlers, Counters counters, @Nullable Run<T> previous,
			InformerDelivery<T> delivery) {
		this.setup = setup;
		this.indexer = indexer;
		this.counters = counters;
		this.handlers = handlers;
		this.previous = previous;
		AnnouncedObjects<T> announced = delivery.announced(setup);
		this.fifo = DeltaFifo.create(setup.loop().options().queue(), setup.loop().accessor(), announced.with(indexer),
				setup.scopes().size());
		this.writer = new MirrorWriter<>(setup, this.fifo, indexer, announced, handlers, counters);
		this.writer.onLoss(this::lost);
		this.loops = loops(previous);
		handlers.list(this::listToDecide);
		this.durability = delivery.durability(setup, new DurableRun.Parts<>(indexer, this.loops, this.writer, handlers),
				this::stopping);
	}

	/** Returns the name of the reflector. */
	String name() {
		return this.setup.name();
	}

	private Loops<T> loops(@Nullable Run<T> previous) {
		ResyncCheck resyncs = new ResyncCheck(this.handlers.checkPeriod(), this.handlers::resyncDue,
				this.handlers::resyncForAll);
		List<ReflectorLoop<T>> loops = new ArrayList<>();
		MirrorSize size = new MirrorSize(this.setup.name(), this.setup.loop().options().limits());
		for (String scope : this.setup.scopes()) {
			LoopJournal journal = new LoopJournal(this.setup.name(), scope, this.setup.loop(), this.counters,
					new Told());
			loops.add(new ReflectorLoop<>(this.setup.loop(), journal,
					(previous != null) ? previous.loops.get(loops.size()) : null, this.fifo, this.indexer, size,
					resyncs));
		}
		return new Loops<>(loops);
	}

	/**
	 * Starts this run when the former run has ended, because both write the same mirror.
	 */
	void startAfter(CompletionStage<Void> former) {
		this.loops.show(ReflectorState.STARTING, "started");
		if (former.toCompletableFuture().isDone()) {
			start();
		}
		else {
			former.whenComplete((nothing, error) -> startLate());
		}
	}

	/**
	 * Starts this run after the former one. Failures are logged, because no caller waits
	 * for the start.
	 */
	private void startLate() {
		try {
			start();
		}
		catch (RuntimeException | Error ex) {
			logger.atError()
				.addKeyValue("reflector", this.setup.name())
				.setCause(ex)
				.log("Reflector '{}' has not started: no thread could be created for it", this.setup.name());
		}
	}

	private synchronized void start() {
		Run<T> former = this.previous;
		this.previous = null;
		if (this.stopping) {
			this.loops.show(ReflectorState.STOPPED, "stopped");
			this.durability.end();
			this.notStarted.complete(null);
			return;
		}
		this.started = true;
		String name = "reflector-" + this.setup.name();
		// I-13: listeners run before there is a change to deliver
		try {
			this.handlers.resumeStopped();
			this.handlers.all().forEach(this::serve);
			tell("started");
			if (this.durability.isRestored()) {
				boolean inStep = former != null && former.writer.hasWrittenEverything();
				this.writerEnded = runOnThread(name + "-store", () -> restore(inStep));
			}
			else {
				this.durability.loopsBegin();
				this.writerEnded = runOnThread(name + "-store", this.writer);
				startLoops(name);
			}
		}
		catch (RuntimeException | Error ex) {
			lacksThread();
			throw ex;
		}
	}

	/** Ends a start for which a thread could not be created. */
	private void lacksThread() {
		this.durability.end();
		stop();
		this.loops.show(ReflectorState.STOPPED, "there is no thread for it");
	}

	/**
	 * Gives up the snapshot of a partition.
	 * @param partition the number of the partition
	 * @return a future that completes when another process can become the writer of the
	 * snapshot
	 */
	CompletableFuture<Void> releaseSnapshot(int partition) {
		return this.durability.release(partition);
	}

	private void startLoops(String name) {
		List<@Nullable String> scopes = this.setup.scopes();
		for (int i = 0; i < scopes.size(); i++) {
			runOnThread((scopes.size() > 1) ? name + "-" + scopes.get(i) : name, this.loops.get(i));
		}
		this.durability.tasks().forEach((task) -> runOnThread(name + "-snapshot", task));
	}

	/** Fills the mirror from its snapshot, and then starts the loops. */
	private void restore(boolean inStep) {
		boolean restored = false;
		try {
			this.durability.restore(inStep);
			restored = true;
		}
		catch (SnapshotMismatchException ex) {
			logger.atError()
				.addKeyValue("reflector", this.setup.name())
				.log("Reflector '{}' does not start: {}", this.setup.name(), ex.getMessage());
		}
		catch (InterruptedException ex) {
			// the thread ends
		}
		finally {
			if (!restored) {
				stop();
				this.loops.show(ReflectorState.STOPPED, "its snapshot was not restored");
			}
		}
		if (restored && beginLoops()) {
			this.writer.run();
		}
	}

	private synchronized boolean beginLoops() {
		if (this.stopping) {
			this.loops.show(ReflectorState.STOPPED, "stopped");
			return false;
		}
		this.durability.loopsBegin();
		try {
			startLoops("reflector-" + this.setup.name());
		}
		catch (RuntimeException | Error ex) {
			lacksThread();
			throw ex;
		}
		return true;
	}

	/** Starts the thread of a listener that was added, if the run has started. */
	synchronized void attach(ProcessorListener<T> listener) {
		if (this.started && !this.stopping) {
			serve(listener);
		}
	}

	private void serve(ProcessorListener<T> listener) {
		if (this.served.containsKey(listener)) {
			return;
		}
		CompletableFuture<Void> ended = expectEnd();
		if (!listener.begin(this, () -> ended.complete(null))) {
			ended.complete(null);
			return;
		}
		this.served.put(listener, ended);
		ended.whenComplete((nothing, error) -> this.served.remove(listener));
		try {
			runOnThread("reflector-" + this.setup.name() + "-" + listener.task(), listener, ended);
		}
		catch (RuntimeException | Error ex) {
			// without memory, there is an Error in place of a rejection
			listener.end();
			throw ex;
		}
	}

	/**
	 * Runs a task that must end when this run ends. Takes no lock, because application
	 * code may run under the lock of this run.
	 * @param name the suffix of the thread's name
	 * @param task the task, which must check {@link #stopping()}
	 * @return a future that completes when the thread of the task has ended; {@code null}
	 * when the task is not run, because this run has not started or is stopping
	 * @throws RejectedExecutionException when no thread could be created for the task
	 */
	@Nullable CompletableFuture<Void> runBeside(String name, Runnable task) {
		if (!this.started) {
			return null;
		}
		CompletableFuture<Void> ended = expectEnd();
		if (this.stopping) {
			ended.complete(null);
			return null;
		}
		return runOnThread("reflector-" + this.setup.name() + "-" + name, task, ended);
	}

	private CompletableFuture<Void> expectEnd() {
		CompletableFuture<Void> ended = new CompletableFuture<>();
		this.threads.add(ended);
		ended.whenComplete((nothing, error) -> this.threads.remove(ended));
		return ended;
	}

	private CompletableFuture<Void> runOnThread(String name, Runnable task) {
		return runOnThread(name, task, expectEnd());
	}

	private CompletableFuture<Void> runOnThread(String name, Runnable task, CompletableFuture<Void> ended) {
		try {
			execute(name, task, ended);
		}
		catch (RuntimeException | Error ex) {
			ended.complete(null);
			throw ex;
		}
		return ended;
	}

	private void execute(String name, Runnable task, CompletableFuture<Void> ended) {
		this.setup.threads().execute(() -> {
			Thread thread = Thread.currentThread();
			String formerName = thread.getName();
			thread.setName(name);
			try {
				task.run();
			}
			catch (Throwable ex) {
				failed(name, ex);
			}
			finally {
				thread.setName(formerName);
				ended.complete(null);
			}
		});
	}

	/**
	 * Stops the run, even if the failure cannot be logged: a reflector that lacks one of
	 * its threads must not appear to be running.
	 */
	private void failed(String thread, Throwable failure) {
		try {
			logger.atError()
				.addKeyValue("reflector", this.setup.name())
				.setCause(failure)
				.log("Reflector '{}' has stopped, because its thread {} has failed", this.setup.name(), thread);
		}
		finally {
			stop();
		}
	}

	/**
	 * Requests a commit of the snapshot at once. Does nothing if the reflector is stopped
	 * from within a call of a listener, because the commit would wait for that call.
	 */
	synchronized CompletableFuture<Void> flushSnapshot() {
		boolean possible = !this.stopping
				&& this.served.keySet().stream().noneMatch(ProcessorListener::isEndedFromWithin);
		return possible ? this.durability.flush() : CompletableFuture.completedFuture(null);
	}

	boolean stopping() {
		return this.stopping;
	}

	/**
	 * Whether {@link #stop()} was called. The snapshot may still be written before
	 * {@link #stopping()} becomes {@code true}.
	 */
	synchronized boolean ending() {
		return this.stopping || this.flushed != null;
	}

	/**
	 * Ends the run.
	 * @return a stage that completes when the threads of this run have ended
	 */
	CompletionStage<Void> stop() {
		CompletableFuture<Void> flushed = flush();
		return flushed.isDone() ? end() : flushed.thenCompose((nothing) -> end());
	}

	/** Writes the snapshot a last time, while the listeners still run. */
	private synchronized CompletableFuture<Void> flush() {
		CompletableFuture<Void> flushed = this.flushed;
		if (flushed == null) {
			flushed = flushSnapshot();
			CompletableFuture<Void> limited = flushed;
			if (!flushed.isDone()) {
				Runnable timer = this.setup.loop()
					.time()
					.schedule(this.setup.loop().options().delivery().drainTimeout(), () -> limited.complete(null));
				flushed.whenComplete((nothing, error) -> timer.run());
			}
			this.flushed = flushed;
		}
		return flushed;
	}

	/** Ends the loops and the writer first, then the listeners (I-04). */
	private synchronized CompletionStage<Void> end() {
		this.stopping = true;
		this.durability.wake();
		if (!this.started) {
			return this.notStarted;
		}
		signal(new LoopSignal.StopRequested());
		this.writer.stop();
		this.served.keySet().forEach((listener) -> listener.drain(this));
		this.fifo.close();
		this.writerEnded
			.whenComplete((nothing, error) -> this.served.keySet().forEach((listener) -> listener.close(this)));
		return CompletableFuture.allOf(this.threads.toArray(new CompletableFuture<?>[0]));
	}

	void signal(LoopSignal signal) {
		this.loops.signal(signal);
	}

	/**
	 * Called when the source now requests fewer objects than the open watches deliver.
	 */
	void narrowed() {
		this.loops.narrowed();
	}

	/**
	 * Requests a list whose objects are compared by content, even if their versions are
	 * equal.
	 */
	void repair() {
		signal(new LoopSignal.RelistRequested());
	}

	void resync() {
		this.loops.resync();
	}

	/**
	 * Returns the content of the mirror as soon as the mirror has reached the current
	 * version of a loop.
	 */
	CompletableFuture<Checkpoint.Content<T>> checkpoint(int loop) {
		Checkpoint<T> checkpoint = new Checkpoint<>(this.indexer);
		this.loops.mark(loop, checkpoint);
		return checkpoint.content();
	}

	/**
	 * Requests the newest state, because listeners have received objects that are not in
	 * the mirror but may exist on the server. An older state could lack these objects
	 * although they exist. If the server was set back, the versions of the objects may be
	 * greater than the version of the newest state.
	 */
	private void listToDecide() {
		logger.atWarn()
			.addKeyValue("reflector", this.setup.name())
			.addKeyValue("reason", "Undecided")
			.log("Reflector '{}': listeners know objects that are not in the mirror but may exist on the "
					+ "server: {}. The collection is listed again; deletions that the list shows are delivered "
					+ "without content", this.setup.name(),
					this.counters.skipped.isIncomplete() ? "some of the objects that cannot be read are unknown"
							: "the mirror is behind");
		signal(LoopSignal.RelistRequested.ofNewestState());
	}

	/**
	 * Requests a list after a change was lost, with the delays of the back-off (E-10).
	 */
	private void lost() {
		signal(new LoopSignal.Lost(Failure.of(Status.ofHttp(500, "a change could not be applied to the mirror"))));
	}

	private synchronized void stateChanged(String reason) {
		// before the start, handlers still receive the states of the former run
		if (this.started) {
			tell(reason);
		}
	}

	private void tell(String reason) {
		ReflectorState state = state();
		if (state != this.told) {
			ReflectorState before = this.told;
			this.told = state;
			this.handlers.stateChanged(before, state, reason);
		}
	}

	ReflectorState state() {
		return this.loops.state();
	}

	String lastSyncResourceVersion() {
		return this.loops.lastSyncResourceVersion();
	}

	boolean hasSynced() {
		return this.writer.hasSynced();
	}

	ReflectorStatus status() {
		// the queue is read before the writer, because changes move from the queue to the
		// writer: in the other order, a change could be left out
		int queued = this.fifo.size() + this.writer.pending();
		return new ReflectorStatus(state(), lastSyncResourceVersion(), hasSynced(), this.indexer.size(),
				this.counters.skipped.size(), queued + this.handlers.depth(), this.counters.snapshot(),
				this.loops.lastListAt(), this.loops.lastEventAt(), this.loops.failingSince(), this.loops.lastError(),
				this.handlers.stopped(), this.handlers.busy(), this.loops.contact());
	}

	/** Passes the reports of the loops' journals on to the handlers. */
	private final class Told implements LoopJournal.Listener {

		@Override
		public void stateChanged(ReflectorState previous, ReflectorState next, String reason) {
			Run.this.stateChanged(reason);
		}

		@Override
		public void passEnded(RelistReason reason, String message) {
			Run.this.handlers.passEnded(reason, message);
		}

	}

}
