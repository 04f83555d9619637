package dev.reflector.cache.internal.loop;

import java.util.Objects;

import dev.reflector.ReflectorState;
import dev.reflector.cache.internal.loop.LoopState.BackingOff;
import dev.reflector.cache.internal.loop.LoopState.Listing;
import dev.reflector.cache.internal.loop.LoopState.Overlapping;
import dev.reflector.cache.internal.loop.LoopState.Polling;
import dev.reflector.cache.internal.loop.LoopState.Stopped;
import dev.reflector.cache.internal.loop.LoopState.Streaming;
import dev.reflector.cache.internal.loop.LoopState.Watching;
import dev.reflector.cache.internal.queue.Delta;
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Handles the messages of a list/watch loop: turns a message into a {@link LoopSignal},
 * asks {@link LoopTransitions} for the next state, and has {@link LoopActivity} do the
 * work of that state. Used by one thread at a time, which has the turn of the
 * {@link Mailbox}: the loop's, or one that brings a frame. The comment of
 * {@link ReflectorLoop} describes how the parts work together.
 *
 * @param <T> the type of the objects
 */
final class LoopStateMachine<T> {

	private final LoopSetup<T> setup;

	private final @Nullable String namespace;

	private final DeltaFifo<T> fifo;

	private final LoopReporter journal;

	private final Indexer<T> mirror;

	private final Mailbox<T> mailbox;

	private final LoopTransitions transitions;

	private final LoopDelays delays;

	private final RetryWithDeadline internalErrors;

	private final LoopResyncs<T> resyncs;

	private final MirrorObjects<T> held;

	private final Requests<T> requests;

	private final WatchChain<T> chain;

	private final LoopActivity<T> activity;

	/** Written by the loop's thread, read by any thread. */
	private volatile LoopMemory memory = LoopMemory.EMPTY;

	private final AuthorizationGracePeriod gracePeriod;

	private LoopState state = new Stopped();

	/** Receives errors that may be the end of a request of this loop's source. */
	private final UncaughtErrors.Listener uncaught = new UncaughtErrors.Listener() {

		@Override
		public boolean owns(Throwable error) {
			return JvmFailureException.isOf(LoopStateMachine.this.setup.listerWatcher(), error);
		}

		@Override
		public void uncaught(Throwable error, boolean owned) {
			LoopStateMachine.this.mailbox.post(new LoopMessage.Uncaught<>(error, owned));
		}

	};

	/** The exception of the failure that is being handled. */
	private @Nullable Throwable cause;

	private final HeldSizes<T> sizes;

	private final FullState<T> fullState;

	private final WatchReader<T> reader;

	private final VersionProbe<T> probe;

	/**
	 * Whether the watch from a restored version has lasted long enough to count as
	 * working, once the server has said whether it has reached that version.
	 */
	private boolean settled;

	/**
	 * Whether the mirror was restored, and no watch has worked and no list has come
	 * since.
	 */
	private boolean resuming;

	LoopStateMachine(LoopSetup<T> setup, LoopReporter journal, DeltaFifo<T> fifo, Indexer<T> mirror,
			ResyncCheck resyncs, Mailbox<T> mailbox, MirrorSize size) {
		this.setup = setup;
		this.namespace = journal.namespace();
		this.fifo = fifo;
		this.journal = journal;
		this.mirror = mirror;
		this.mailbox = mailbox;
		this.transitions = new LoopTransitions(setup.options());
		LoopTimers<T> timers = new LoopTimers<>(setup.time(), mailbox);
		this.resyncs = new LoopResyncs<>(setup.time(), this.namespace, fifo, resyncs, mailbox);
		this.held = new MirrorObjects<>(mirror, setup);
		this.requests = new Requests<>(setup, this.namespace, mailbox, this.held, size, journal::watchBroken);
		this.delays = LoopDelays.of(setup);
		this.gracePeriod = new AuthorizationGracePeriod(setup.time());
		this.chain = new WatchChain<>(setup, this.requests, timers, this.delays, journal);
		this.activity = new LoopActivity<>(setup, journal, this.requests, timers, this.delays, this.chain);
		this.sizes = new HeldSizes<>(size, setup.accessor());
		this.fullState = new FullState<>(setup.accessor(), size.isLimited(), this::reportSkipped);
		this.reader = new WatchReader<>(setup, this.requests, this.chain, journal,
				new LiveFrames<>(this.namespace, fifo, setup.accessor(), this::reportSkipped, journal.skippedVersions(),
						setup.clientGo(), setup.listerWatcher().watchesOverlap()),
				this.sizes);
		this.internalErrors = new RetryWithDeadline(setup.options().watch().internalErrorRetry(), setup.time());
		this.probe = new VersionProbe<>(setup, this.namespace, mailbox);
	}

	String lastSyncVersion() {
		return this.memory.lastSyncVersion();
	}

	@Nullable String namespace() {
		return this.namespace;
	}

	/** See {@link ReflectorLoop#restored(String)}. */
	void restored(@Nullable String version) {
		this.held.distrust();
		if (version == null) {
			// an earlier state would lack what the mirror has
			this.memory = this.memory.withVersionUnavailable();
		}
		else {
			this.memory = LoopMemory.restored(version);
			this.probe.restored();
			this.resuming = true;
			this.sizes.restored(this.mirror, this.namespace);
		}
	}

	void begin() {
		UncaughtErrors.add(this.uncaught);
		handle(this.resuming ? new LoopSignal.Restored() : new LoopSignal.Started());
	}

	/** Sets the version to continue from, empty for none. */
	void start(String version) {
		this.memory = this.memory.at(version);
	}

	boolean isStopped() {
		return this.state instanceof Stopped;
	}

	/** Handles a message. */
	void receive(LoopMessage<T> message) {
		if (message instanceof LoopMessage.Frame<T> frame && frame.activity() == this.activity.number()) {
			// two methods, so that the JIT compiles each on its own: they hardly ever
			// alternate
			if (this.state instanceof Streaming) {
				initialFrame(frame.event());
			}
			else {
				frame(frame.event());
			}
		}
		else {
			receiveOther(message);
		}
	}

	/**
	 * Handles the frame of an object on the thread that has brought it, if that changes
	 * nothing but the queue and the version. Does not wait. What follows otherwise is
	 * left to the loop's thread, before all other messages.
	 * @param frame the next message
	 * @return whether it was handled
	 */
	boolean receiveDirectly(LoopMessage.Frame<T> frame) {
		if (!isSteady() || frame.activity() != this.activity.number() || !isObject(frame.event())
				|| !this.fifo.hasRoom()) {
			return false;
		}
		try {
			if (take(frame.event())) {
				LoopSignal signal = read(frame.event());
				if (signal != null) {
					this.mailbox.putFirst(new LoopMessage.Command<>(signal));
				}
			}
		}
		catch (Throwable ex) {
			this.mailbox.putFirst(new LoopMessage.Defect<>(ex));
		}
		return true;
	}

	/** Whether a single watch is open, and nothing has failed before it. */
	private boolean isSteady() {
		return this.state instanceof Watching && !this.resuming && this.chain.isAlone() && !this.journal.isFailing();
	}

	private static boolean isObject(WatchEvent<?> event) {
		return event instanceof WatchEvent.Modified<?> || event instanceof WatchEvent.Added<?>
				|| event instanceof WatchEvent.Deleted<?>;
	}

	/**
	 * an unexpected exception, here or in the source, counts as a failed request.
	 */
	void defect(Throwable error) {
		this.journal.defect(error);
		failed(error);
	}

	/** Ends all work, because the thread ends. */
	void end() {
		leave();
		UncaughtErrors.remove(this.uncaught);
		this.resyncs.end();
		this.journal.state(ReflectorState.STOPPED, "stopped");
	}

	private void receiveOther(LoopMessage<T> message) {
		if (message instanceof LoopMessage.Result<T> result) {
			if (result.activity() == this.activity.number()) {
				receive(result);
			}
			else if (this.chain.isNext(result.activity())) {
				receiveOfNext(result);
			}
		}
		else if (message instanceof LoopMessage.Command<T> command) {
			handle(command.signal());
		}
		else if (message instanceof LoopMessage.Defect<T> defect) {
			defect(defect.error());
		}
		else if (message instanceof LoopMessage.Uncaught<T> uncaught) {
			// of unknown origin: a list would be awaited for ever, but ending watches is
			// too much
			if (uncaught.owned() ? this.state.requesting() : this.state.reading()) {
				defect(uncaught.error());
			}
		}
		else if (message instanceof LoopMessage.ResyncDue<T> due) {
			this.resyncs.elapsed(due);
		}
		else if (message instanceof LoopMessage.Resync<T>) {
			this.resyncs.resync();
		}
		else if (message instanceof LoopMessage.Narrowed<T>) {
			this.chain.narrow(this.activity.number());
		}
		else if (message instanceof LoopMessage.Mark<T> mark) {
			mark.checkpoint().set(this.fifo, this.memory.lastSyncVersion());
		}
	}

	/** Handles a result other than a frame. */
	private void receive(LoopMessage.Result<T> result) {
		if (result instanceof LoopMessage.Page<T> page) {
			page(page.page());
		}
		else if (result instanceof LoopMessage.Closed<T> closed) {
			this.requests.notes().closed(closed.overdue());
			closed();
		}
		else if (result instanceof LoopMessage.Failed<T> failed) {
			if (failed.error() instanceof JvmFailureException) {
				this.journal.defect(failed.error());
			}
			failed(failed.error());
		}
		else if (result instanceof LoopMessage.Broken<T> broken) {
			this.probe.broken(broken.answer());
		}
		else if (result instanceof LoopMessage.Probed<T> probed) {
			probed(probed.error());
		}
		else if (result instanceof LoopMessage.Elapsed<T>) {
			handle(new LoopSignal.DelayElapsed());
		}
		else if (result instanceof LoopMessage.TypeDue<T>) {
			handle(new LoopSignal.TypeAppeared());
		}
		else if (result instanceof LoopMessage.Settled<T>) {
			// the server may still say that it is behind what was restored
			this.settled = this.resuming && this.probe.isAsking();
			if (!this.settled) {
				works();
			}
		}
		else if (result instanceof LoopMessage.MarkerDue<T>
				&& (this.state instanceof Streaming || this.state instanceof Listing)) {
			if (this.activity.remind(this.state)) {
				handle(new LoopSignal.StreamStuck());
			}
		}
		else if (result instanceof LoopMessage.OverlapDue<T> due && this.chain.canFollow(due.activity())) {
			handle(new LoopSignal.OverlapDue());
		}
	}

	/**
	 * Handles a result of the next watch. The current watch counts until the next one has
	 * reached its version.
	 */
	private void receiveOfNext(LoopMessage.Result<T> result) {
		LoopSignal signal = this.chain.receive(result, this.memory.lastSyncVersion());
		if (signal != null) {
			handle(signal);
			if (result instanceof LoopMessage.Frame<T> frame && result.activity() == this.activity.number()) {
				frame(frame.event());
			}
		}
	}

	/** Makes the transition for a signal. */
	void handle(LoopSignal signal) {
		if (signal instanceof LoopSignal.RelistRequested relist && relist.anew()) {
			this.held.distrust();
		}
		if (signal instanceof LoopSignal.Failed failed) {
			this.requests.failed(failed.failure());
		}
		else if (signal instanceof LoopSignal.ErrorFrame error) {
			this.requests.failed(error.failure());
		}
		// the next message may take a while
		this.fifo.wake();
		LoopTransitions.Step step = this.transitions.next(this.state, signal, this.memory);
		this.memory = step.memory();
		BackoffReason backoff = new BackoffReason(this.state, signal, step.ended());
		if (step.ended() != null) {
			this.setup.observer().relisting(step.ended());
			this.journal.passEnded(backoff, step.ended());
		}
		if (step.next() == this.state) {
			return;
		}
		LoopState before = this.state;
		if (!step.next().continues(before)) {
			leave();
		}
		if (!step.next().following() && !(before instanceof Polling)) {
			this.resyncs.end();
		}
		this.state = step.next();
		if (step.next() instanceof BackingOff backingOff) {
			this.activity.backOff(this.delays.after(backoff.failure(), backingOff.atLeast()), backoff, this.cause,
					this.memory.lastSyncVersion());
		}
		else if (before instanceof Overlapping && step.next().continues(before)) {
			this.activity.endOverlap(signal instanceof LoopSignal.OverlapFailed, this.memory.lastSyncVersion());
		}
		else {
			enter();
		}
	}

	/** Ends the work of the current state. */
	private void leave() {
		this.activity.end();
		this.probe.end();
		this.settled = false;
		this.held.begin();
		this.fullState.clear();
	}

	/** Begins the work of the current state. */
	private void enter() {
		this.fullState.begin(this.setup.part().generation());
		if (this.state instanceof Polling) {
			// there is no watch that could show it
			succeeded();
		}
		this.activity.begin(this.state, this.memory.lastSyncVersion());
		if (this.state instanceof Watching watching) {
			if (watching.inherited()) {
				works();
			}
			this.resyncs.schedule();
		}
		else if (this.state instanceof Polling) {
			this.resyncs.schedule();
		}
	}

	/**
	 * The server has accepted a watch. It does not count as connected yet, because some
	 * servers accept watches and drop them at once.
	 */
	private void opened() {
		this.requests.progress().initial(now());
		this.requests.notes().observer().opened();
		if (!(this.state instanceof Streaming)) {
			this.activity.settle();
			this.probe.begin(this.activity.number(), this.memory.lastSyncVersion());
		}
	}

	private void works() {
		if (this.resuming) {
			this.resuming = false;
			this.fifo.resumed(this.namespace, this.memory.lastSyncVersion());
		}
		succeeded();
		this.journal.connected(this.memory.lastSyncVersion());
	}

	private void succeeded() {
		this.memory = this.memory.withWorkingWatch();
		this.delays.succeeded();
		this.gracePeriod.allowed();
	}

	private void page(ListPage<T> page) {
		this.journal.answered();
		this.requests.notes().answered(page.items().size());
		Failure endless = this.fullState.add(page);
		Failure exceeded = this.sizes.exceeded(this.fullState);
		Failure refused = (exceeded != null) ? exceeded : endless;
		if (refused != null) {
			failed(refused);
		}
		else if (!page.continueToken().isEmpty() && this.state instanceof Listing listing) {
			// W-16: only the token decides whether there is more
			this.activity.nextPage(listing, page.continueToken());
		}
		else {
			boolean paginated = this.fullState.pages() > 1;
			if (commit(this.fullState.version())) {
				this.requests.notes().complete();
				handle(new LoopSignal.Listed(paginated));
			}
		}
	}

	private boolean commit(String version) {
		if (this.held.misleads(version, this.memory.lastSyncVersion())) {
			leave();
			enter();
			return false;
		}
		Failure exceeded = this.sizes.replace(this.fullState);
		if (exceeded != null) {
			failed(exceeded);
			return false;
		}
		this.gracePeriod.allowed();
		Delta.Replacement<T> replacement = this.fullState.replacement(this.namespace, version,
				this.held.isDistrusted());
		this.journal.skippedVersions().listed(this.namespace, replacement.retained());
		this.fifo.replace(replacement);
		// only after the queue has taken the state
		this.memory = this.memory.at(version);
		// each pass has its own time window for internal errors
		this.internalErrors.reset();
		this.journal.listed(this.fullState.size(), this.fullState.skipped(), version, this.requests.elapsed(),
				this.memory.synced());
		this.setup.observer().listed(this.requests.elapsed(), this.fullState.size(), this.fullState.pages());
		this.resuming = false;
		this.held.committed();
		this.probe.settled();
		this.fullState.clear();
		return true;
	}

	private void reportSkipped(SkippedObject skipped) {
		this.journal.skipped(skipped);
		this.setup.observer().skipped(skipped);
	}

	/**
	 * Handles a frame that opens the watch or is an error, and counts any frame.
	 * @return whether the frame remains to be handled
	 */
	private boolean take(WatchEvent<T> event) {
		this.requests.consumed();
		this.journal.answered();
		if (event instanceof WatchEvent.Opened<T>) {
			opened();
			return false;
		}
		if (event instanceof WatchEvent.Error<T> error) {
			Failure failure = classified(Failure.of(error.status()));
			this.held.failed(failure);
			handle(new LoopSignal.ErrorFrame(failure, this.internalErrors.after(failure)));
			return false;
		}
		return true;
	}

	private void frame(WatchEvent<T> event) {
		if (take(event)) {
			LoopSignal signal = read(event);
			if (signal != null) {
				handle(signal);
			}
		}
	}

	/** Reads a frame that is no error. */
	private @Nullable LoopSignal read(WatchEvent<T> event) {
		works();
		this.probe.settled();
		WatchReader.Read read = this.reader.read(event, this.memory);
		this.memory = read.memory();
		return read.signal();
	}

	private void initialFrame(WatchEvent<T> event) {
		if (!take(event)) {
			return;
		}
		this.reader.count(event);
		if (isInitial(event)) {
			this.requests.progress().initial(now());
		}
		if (event instanceof WatchEvent.Bookmark<T> bookmark && bookmark.initialEventsEnd()
				&& !bookmark.resourceVersion().isEmpty()) {
			if (commit(bookmark.resourceVersion())) {
				handle(new LoopSignal.StreamedToEnd());
			}
		}
		else if (!this.fullState.apply(event) && !this.setup.clientGo()) {
			// before the end marker, nothing reaches the mirror and no version
			// counts
			handle(new LoopSignal.Failed(WatchReader.UNREADABLE_DELETION, true));
		}
		else {
			Failure exceeded = this.sizes.exceeded(this.fullState);
			if (exceeded != null) {
				failed(exceeded);
			}
		}
	}

	private static boolean isInitial(WatchEvent<?> event) {
		return event instanceof WatchEvent.Added<?>
				|| (event instanceof WatchEvent.Skipped<?> skipped && skipped.type().equals("ADDED"));
	}

	private void probed(@Nullable Throwable error) {
		Failure failure = this.probe.answered(error);
		if (failure != null) {
			this.held.failed(failure);
			WatchReader.Read read = WatchReader.wentBack("behind version " + this.memory.lastSyncVersion(),
					this.memory);
			this.memory = read.memory();
			handle(Objects.requireNonNull(read.signal()));
		}
		else if (this.settled) {
			this.settled = false;
			works();
		}
	}

	private Failure classified(Failure failure) {
		return this.setup.clientGo() ? failure : this.gracePeriod.classify(failure, this.memory.synced());
	}

	private void closed() {
		LoopSignal.Closed closed = this.requests.progress().closed(now());
		this.probe.closed();
		handle(this.delays.isHeld() ? closed.held() : closed);
	}

	private void failed(Throwable error) {
		this.cause = error;
		failed(classified(Failure.of(error)));
		this.cause = null;
	}

	private void failed(Failure failure) {
		this.held.failed(failure);
		this.probe.failed(failure);
		handle(new LoopSignal.Failed(failure, this.fullState.pages() == 0));
	}

	private long now() {
		return this.setup.time().nanoTime();
	}

}
