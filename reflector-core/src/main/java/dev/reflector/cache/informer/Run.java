package dev.reflector.cache.informer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Function;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ReflectorStatus.LastError;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.handler.PassEnd;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.ProcessorListener;
import dev.reflector.cache.internal.loop.Failure;
import dev.reflector.cache.internal.loop.LoopJournal;
import dev.reflector.cache.internal.loop.LoopSetup;
import dev.reflector.cache.internal.loop.LoopSignal;
import dev.reflector.cache.internal.loop.ReflectorLoop;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.internal.queue.KnownObjects;
import dev.reflector.cache.internal.store.Counters;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.source.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of a {@link SharedInformer}, from start to stop: its loops, queue, writer and
 * listeners, and the threads they run on. The mirror outlives it.
 *
 * @param <T> the type of the objects
 */
final class Run<T> {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private static final List<ReflectorState> BY_CONCERN = List.of(ReflectorState.BACKING_OFF,
			ReflectorState.AWAITING_TYPE, ReflectorState.STARTING, ReflectorState.LISTING, ReflectorState.WATCHING,
			ReflectorState.PAUSED, ReflectorState.STOPPED);

	private final SharedInformer.Config<T> config;

	private final Indexer<T> indexer;

	private final Counters counters;

	private final DeltaFifo<T> fifo;

	private final MirrorWriter<T> writer;

	private final Handlers<T> handlers;

	/** Those whose threads run here. */
	private final Map<ProcessorListener<T>, CompletableFuture<Void>> served = new ConcurrentHashMap<>();

	private final List<ReflectorLoop<T>> loops = new ArrayList<>();

	private final List<LoopJournal> journals = new ArrayList<>();

	private final Set<CompletableFuture<Void>> threads = ConcurrentHashMap.newKeySet();

	private CompletableFuture<Void> writerEnded = CompletableFuture.completedFuture(null);

	private ReflectorState told = ReflectorState.STOPPED;

	private final CompletableFuture<Void> notStarted = new CompletableFuture<>();

	private volatile boolean started;

	private volatile boolean stopping;

	Run(SharedInformer.Config<T> config, Indexer<T> indexer, Handlers<T> handlers, Counters counters,
			@Nullable Run<T> previous) {
		this.config = config;
		this.indexer = indexer;
		this.counters = counters;
		this.handlers = handlers;
		List<@Nullable String> scopes = new ArrayList<>(config.namespaces());
		if (scopes.isEmpty()) {
			scopes.add(null);
		}
		this.fifo = DeltaFifo.create(config.options().ordering(), config.accessor(), new Known<>(indexer),
				scopes.size(), config.options().queueCapacity());
		this.writer = new MirrorWriter<>(config, this.fifo, indexer, handlers, counters, this::lost);
		LoopSetup<T> setup = config.loop(handlers.checkPeriod());
		for (int i = 0; i < scopes.size(); i++) {
			LoopJournal journal = new LoopJournal(config.name(), scopes.get(i), config.time(), counters, new Told());
			ReflectorLoop<T> before = (previous != null) ? previous.loops.get(i) : null;
			this.journals.add(journal);
			this.loops.add(new ReflectorLoop<>(setup, scopes.get(i), before, this.fifo, indexer, handlers::resyncDue,
					journal));
		}
	}

	/** Begins now, or as soon as the former life has ended: there is one mirror. */
	void startAfter(CompletionStage<Void> former) {
		this.journals.forEach((journal) -> journal.state(ReflectorState.STARTING, "started"));
		if (former.toCompletableFuture().isDone()) {
			start();
		}
		else {
			former.whenComplete((nothing, error) -> startLate());
		}
	}

	/** Nobody waits for this start, so nobody else hears of its failure. */
	private void startLate() {
		try {
			start();
		}
		catch (RejectedExecutionException ex) {
			logger.atError()
				.addKeyValue("reflector", this.config.name())
				.setCause(ex)
				.log("Reflector '{}' has not started: there is no thread for it", this.config.name());
			this.journals.forEach((journal) -> journal.state(ReflectorState.STOPPED, "there is no thread for it"));
		}
	}

	private synchronized void start() {
		if (this.stopping) {
			this.journals.forEach((journal) -> journal.state(ReflectorState.STOPPED, "stopped"));
			this.notStarted.complete(null);
			return;
		}
		this.started = true;
		String name = "reflector-" + this.config.name();
		// I-13: listeners run before there is something to hear
		try {
			this.handlers.resumeStopped();
			this.handlers.all().forEach(this::serve);
			tell("started");
			this.writerEnded = runOnThread(name + "-store", this.writer);
			for (int i = 0; i < this.loops.size(); i++) {
				boolean several = this.loops.size() > 1;
				runOnThread(several ? name + "-" + this.config.namespaces().get(i) : name, this.loops.get(i));
			}
		}
		catch (RejectedExecutionException ex) {
			stop();
			throw ex;
		}
	}

	/** A handler has joined. */
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
			runOnThread("reflector-" + this.config.name() + "-" + listener.task(), listener, ended);
		}
		catch (RejectedExecutionException ex) {
			listener.end();
			throw ex;
		}
	}

	/**
	 * Runs something that is to end when this life ends. Takes no lock: user code may run
	 * under that of this life.
	 * @param name of its thread, behind that of the reflector
	 * @param task what to run; looks at {@link #stopping()}
	 * @return completes when its thread has ended; {@code null} when it does not run: not
	 * before the start and not while stopping
	 * @throws RejectedExecutionException when there is no thread for it
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
		return runOnThread("reflector-" + this.config.name() + "-" + name, task, ended);
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
		this.config.threads().execute(() -> {
			Thread thread = Thread.currentThread();
			String formerName = thread.getName();
			thread.setName(name);
			try {
				task.run();
			}
			catch (Throwable ex) {
				// a reflector that lacks a thread must not look alive
				logger.atError()
					.addKeyValue("reflector", this.config.name())
					.setCause(ex)
					.log("Reflector '{}' has stopped: its thread {} has failed", this.config.name(), name);
				stop();
			}
			finally {
				thread.setName(formerName);
				ended.complete(null);
			}
		});
	}

	boolean stopping() {
		return this.stopping;
	}

	/** I-04: the loops and the writer end first, then the listeners. */
	synchronized CompletionStage<Void> stop() {
		this.stopping = true;
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
		this.loops.forEach((loop) -> loop.signal(signal));
	}

	/** Has all be listed and compared with the mirror, whatever its version. */
	void repair() {
		signal(new LoopSignal.RelistRequested(true));
	}

	void resync() {
		this.handlers.resyncForAll();
		this.loops.forEach(ReflectorLoop::resync);
	}

	/** What the mirror holds when it has reached the version of one of the loops. */
	CompletableFuture<Checkpoint.Content<T>> checkpoint(int loop) {
		Checkpoint<T> checkpoint = new Checkpoint<>(this.indexer);
		this.loops.get(loop).mark(checkpoint);
		return checkpoint.content();
	}

	/**
	 * E-10: what the mirror has missed, a list brings back, at the pace of the back-off.
	 */
	private void lost() {
		if (this.config.options().compatibility() == ReflectorOptions.Compatibility.CLIENT_GO) {
			return;
		}
		signal(new LoopSignal.Lost(Failure.of(Status.ofHttp(500, "a change could not be applied to the mirror"))));
	}

	private synchronized void stateChanged(String reason) {
		// before that, handlers still hear of the former life
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
		return this.journals.stream()
			.map(LoopJournal::shown)
			.min(Comparator.comparingInt(BY_CONCERN::indexOf))
			.orElse(ReflectorState.STOPPED);
	}

	/** With several namespaces the least advanced, by W-68. */
	String lastSyncResourceVersion() {
		return this.loops.stream()
			.map(ReflectorLoop::lastSyncVersion)
			.min(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
			.orElse("");
	}

	boolean hasSynced() {
		return this.writer.hasSynced();
	}

	ReflectorStatus status() {
		// in the direction of the changes: one that moves on meanwhile is not missed
		int queued = this.fifo.size() + this.writer.pending();
		return new ReflectorStatus(state(), lastSyncResourceVersion(), hasSynced(), this.indexer.size(),
				this.counters.skipped.size(), queued + this.handlers.depth(), this.counters.snapshot(),
				latest(LoopJournal::lastListAt), latest(LoopJournal::lastEventAt),
				pick(LoopJournal::failingSince, BinaryOperator.minBy(Comparator.naturalOrder())), lastError(),
				this.handlers.stopped(), this.handlers.busy(), contact());
	}

	/** A namespace that says nothing is not to hide behind one that does. */
	private ReflectorStatus.Contact contact() {
		Instant progress = Instant.MAX;
		for (LoopJournal journal : this.journals) {
			Instant at = journal.lastProgressAt();
			progress = (at == null || progress == null) ? null : at.isBefore(progress) ? at : progress;
		}
		List<ReflectorStatus.Scope> scopes = new ArrayList<>();
		for (int i = 0; i < this.loops.size(); i++) {
			scopes.add(this.journals.get(i).scope(this.loops.get(i).lastSyncVersion()));
		}
		return new ReflectorStatus.Contact(this.journals.stream().allMatch(LoopJournal::isConnected), progress,
				this.journals.stream().anyMatch(LoopJournal::isBookmarked), scopes);
	}

	private @Nullable Instant latest(Function<LoopJournal, @Nullable Instant> fact) {
		return pick(fact, BinaryOperator.maxBy(Comparator.naturalOrder()));
	}

	private @Nullable Instant pick(Function<LoopJournal, @Nullable Instant> fact, BinaryOperator<Instant> choice) {
		return this.journals.stream().map(fact).filter(Objects::nonNull).reduce(choice).orElse(null);
	}

	private @Nullable LastError lastError() {
		LastError last = null;
		for (LoopJournal journal : this.journals) {
			LastError error = journal.lastError();
			if (error != null && (last == null || error.at().isAfter(last.at()))) {
				last = error;
			}
		}
		return last;
	}

	/** What the journals tell, to be told to the handlers. */
	private final class Told implements LoopJournal.Listener {

		@Override
		public void stateChanged(ReflectorState previous, ReflectorState next, String reason) {
			Run.this.stateChanged(reason);
		}

		@Override
		public void passEnded(PassEnd reason, String message) {
			Run.this.handlers.passEnded(reason, message);
		}

	}

	/** The mirror, as the queue sees it. */
	private record Known<T>(Indexer<T> indexer) implements KnownObjects<T> {

		@Override
		public @Nullable T get(ResourceKey key) {
			return this.indexer.get(key);
		}

		@Override
		public void forEach(BiConsumer<ResourceKey, T> action) {
			this.indexer.forEach(action);
		}

	}

}
