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
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Handles the messages of a list/watch loop: turns a message into a {@link LoopSignal},
 * asks {@link LoopTransitions} for the next state, and has {@link LoopActivity} do the
 * work of that state. Used by one thread at a time, the one that has the turn of the
 * {@link Mailbox}: the loop's thread, or a source's thread that delivers a frame. The
 * comment of {@link ReflectorLoop} describes how the parts work together.
 *
 * @param <T> the type of the objects
 */
final class LoopStateMachine<T> implements Mailbox.Direct<T> {

	private final DeltaFifo<T> fifo;

	private final LoopJournal journal;

	private final Mailbox<T> mailbox;

	private final LoopTransitions transitions;

	private final LoopDelays delays;

	private final LoopResyncs<T> resyncs;

	private final WatchChain<T> chain;

	private final LoopActivity<T> activity;

	private final FullStateReader<T> fullStates;

	private final WatchReader<T> watches;

	private final VersionProbe<T> probe;

	/** Written by the loop's thread, read by any thread. */
	private volatile LoopMemory memory = LoopMemory.EMPTY;

	private LoopState state = new Stopped();

	LoopStateMachine(LoopSetup<T> setup, LoopJournal journal, DeltaFifo<T> fifo, Indexer<T> mirror, ResyncCheck resyncs,
			MirrorSize size) {
		this.fifo = fifo;
		this.journal = journal;
		this.mailbox = new Mailbox<>(this);
		this.transitions = new LoopTransitions(setup.options(), setup.behaviour());
		this.resyncs = new LoopResyncs<>(setup.time(), journal.namespace(), fifo, resyncs, this.mailbox);
		MirrorObjects<T> held = new MirrorObjects<>(mirror, setup);
		Requests<T> requests = new Requests<>(setup, journal.namespace(), this.mailbox, held, size,
				journal::watchBroken);
		this.delays = new LoopDelays(setup);
		this.chain = new WatchChain<>(setup, requests, this.delays, journal);
		this.activity = new LoopActivity<>(setup, journal, requests, this.mailbox, this.delays, this.chain);
		HeldSizes<T> sizes = new HeldSizes<>(size, setup.accessor());
		this.fullStates = new FullStateReader<>(setup, journal, fifo, held, sizes);
		this.watches = new WatchReader<>(setup, this.chain, journal, fifo, sizes);
		this.probe = new VersionProbe<>(setup, journal.namespace(), this.mailbox, size);
	}

	/** Returns the mailbox that receives the messages for this machine. */
	Mailbox<T> mailbox() {
		return this.mailbox;
	}

	String lastSyncVersion() {
		return this.memory.lastSyncVersion();
	}

	/**
	 * See {@link ReflectorLoop#restored(String)}.
	 * @param version the version to continue from, or {@code null} to list
	 */
	void restored(@Nullable String version) {
		this.fullStates.restored(version != null);
		if (version == null) {
			// forces a list of the newest state: an older one could lack objects that the
			// mirror has
			this.memory = this.memory.withVersionUnavailable();
		}
		else {
			this.memory = LoopMemory.restored(version);
			this.delays.watched();
			this.probe.restored();
		}
	}

	/**
	 * Begins the work.
	 * @param version the version to continue from, empty if there is none
	 */
	void begin(String version) {
		this.memory = this.memory.at(version);
		handle(this.probe.isResuming() ? new LoopSignal.Restored() : new LoopSignal.Started());
	}

	boolean isStopped() {
		return this.state instanceof Stopped;
	}

	/** Handles a message. */
	void receive(LoopMessage<T> message) {
		if (message instanceof LoopMessage.ReceivedFrame<T> frame && this.chain.isCurrent(frame.activity())) {
			// two methods, so that the JIT compiles each separately: the two kinds of
			// frames hardly ever alternate
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
	 * {@inheritDoc}
	 * <p>
	 * A frame can be handled directly if it changes only the queue and the version. If a
	 * frame leads to a signal or an exception, the loop's thread handles this before all
	 * other messages.
	 */
	@Override
	public boolean receiveDirectly(LoopMessage.ReceivedFrame<T> frame) {
		if (!isSteady() || !this.chain.isCurrent(frame.activity()) || !WatchReader.isObject(frame.event())
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

	@Override
	public void handOver() {
		this.fifo.handOver();
	}

	/**
	 * Whether only one watch is open, the loop is not failing, and the version of a
	 * snapshot need not be confirmed.
	 */
	private boolean isSteady() {
		return this.state instanceof Watching && !this.probe.isResuming() && this.chain.isAlone()
				&& !this.journal.isFailing();
	}

	/**
	 * Handles an unexpected exception of the loop or the source like a failed request
	 * (R-27).
	 */
	void defect(Throwable error) {
		this.journal.defect(error);
		failed(error);
	}

	/** Ends all work. Called when the loop's thread ends. */
	void end() {
		leave();
		this.resyncs.end();
		this.journal.state(ReflectorState.STOPPED, "stopped");
	}

	private void receiveOther(LoopMessage<T> message) {
		if (message instanceof LoopMessage.Result<T> result) {
			if (this.activity.isCurrent(result.activity())) {
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
			// an error of unknown origin ends only requests for a full state, which the
			// loop might otherwise await forever; watches continue
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
			this.chain.narrow();
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
			this.activity.notes().closed(closed.overdue());
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
		else if (result instanceof LoopMessage.Elapsed<T> && this.state instanceof Listing listing) {
			this.activity.requestPage(listing);
		}
		else if (result instanceof LoopMessage.Elapsed<T>) {
			handle(new LoopSignal.DelayElapsed());
		}
		else if (result instanceof LoopMessage.TypeDue<T>) {
			handle(new LoopSignal.TypeAppeared());
		}
		else if (result instanceof LoopMessage.Settled<T>) {
			if (this.probe.lasted()) {
				works();
			}
		}
		else if (result instanceof LoopMessage.MarkerDue<T> && this.state instanceof Listing) {
			this.activity.remindOfPage();
		}
		else if (result instanceof LoopMessage.MarkerDue<T> && this.state instanceof Streaming) {
			if (this.activity.remindOfMarker()) {
				handle(new LoopSignal.StreamStuck());
			}
		}
		else if (result instanceof LoopMessage.OverlapDue<T> && this.chain.canFollow()) {
			handle(new LoopSignal.OverlapDue());
		}
	}

	/**
	 * Handles a result of the next watch. The loop follows the current watch until the
	 * next watch has reached the same version.
	 */
	private void receiveOfNext(LoopMessage.Result<T> result) {
		LoopSignal signal = this.chain.receive(result, this.memory.lastSyncVersion());
		if (signal != null) {
			handle(signal);
			if (result instanceof LoopMessage.ReceivedFrame<T> frame && this.chain.isCurrent(result.activity())) {
				frame(frame.event());
			}
		}
	}

	/** Makes the transition for a signal. */
	private void handle(LoopSignal signal) {
		if (signal instanceof LoopSignal.RelistRequested relist) {
			this.fullStates.requested(relist);
		}
		else if (signal instanceof LoopSignal.Failed failed) {
			this.activity.failed(failed.failure());
		}
		else if (signal instanceof LoopSignal.ErrorFrame error) {
			this.activity.failed(error.failure());
		}
		else if (signal instanceof LoopSignal.ResumeRequested) {
			this.probe.continued();
		}
		// wakes the writer of the mirror, because the next message may take a while
		this.fifo.wake();
		LoopTransitions.Step step = this.transitions.next(this.state, signal, this.memory);
		this.memory = step.memory();
		BackoffReason backoff = new BackoffReason(this.state, signal, step.ended());
		if (step.ended() != null) {
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
			this.activity.backOff(this.delays.after(backoff.failure(), backingOff.atLeast()), backoff,
					this.memory.lastSyncVersion());
		}
		else if (before instanceof Overlapping && step.next().continues(before)) {
			this.chain.endOverlap(signal instanceof LoopSignal.OverlapFailed, this.memory.lastSyncVersion());
		}
		else {
			enter();
		}
	}

	/** Ends the work of the current state. */
	private void leave() {
		this.activity.end();
		this.probe.end();
		this.fullStates.clear();
	}

	/** Begins the work of the current state. */
	private void enter() {
		this.fullStates.begin();
		if (this.state instanceof Polling) {
			// counts as a success, because no watch follows that could show that the
			// server works
			succeeded();
		}
		this.activity.begin(this.state, this.memory.lastSyncVersion());
		if (this.state instanceof Watching watching && watching.inherited()) {
			works();
		}
		if (this.state.following()) {
			this.resyncs.schedule();
		}
	}

	/**
	 * Called when the server has accepted a watch. The watch does not count as working
	 * yet, because some servers accept watches and drop them at once.
	 */
	private void opened() {
		Watch<T> watch = this.chain.current();
		watch.opened();
		this.delays.watched();
		if (!(this.state instanceof Streaming)) {
			watch.timers().settle(WatchProgress.BRIEF);
			this.probe.begin(watch.activity(), this.memory.lastSyncVersion());
		}
	}

	private void works() {
		if (this.probe.isResuming()) {
			this.probe.resumed();
			this.fifo.resumed(this.journal.namespace(), this.memory.lastSyncVersion());
		}
		this.delays.watched();
		succeeded();
		this.journal.connected(this.memory.lastSyncVersion());
	}

	private void succeeded() {
		this.memory = this.memory.withWorkingWatch();
		this.delays.succeeded();
	}

	private void page(ListPage<T> page) {
		this.journal.answered();
		this.activity.notes().answered(page.items().size());
		Failure refused = this.fullStates.read(page);
		if (refused != null) {
			failed(refused, null);
		}
		else if (!page.continueToken().isEmpty() && this.state instanceof Listing listing) {
			// W-16: only the token decides whether there are more pages
			this.activity.nextPage(listing, page.continueToken());
		}
		else {
			boolean paginated = this.fullStates.isPaginated();
			if (commit(this.fullStates.version())) {
				this.activity.notes().complete();
				handle(new LoopSignal.Listed(paginated));
			}
		}
	}

	private boolean commit(String version) {
		if (this.fullStates.misleads(version, this.memory)) {
			leave();
			enter();
			return false;
		}
		// the version advances only after the queue has accepted the state
		Failure exceeded = this.fullStates.commit(version, this.memory, this.activity.notes(),
				() -> this.memory = this.memory.at(version));
		if (exceeded != null) {
			failed(exceeded, null);
			return false;
		}
		this.delays.listed();
		this.probe.resumed();
		this.probe.settled();
		return true;
	}

	/**
	 * Handles a frame that opens the watch or is an error, and lets the watch send more
	 * frames.
	 * @return {@code true} if the frame has another type, so that the caller must handle
	 * it
	 */
	private boolean take(WatchEvent<T> event) {
		this.chain.current().consumed();
		this.journal.answered();
		if (event instanceof WatchEvent.Opened<T>) {
			opened();
			return false;
		}
		if (event instanceof WatchEvent.Error<T> error) {
			Failure failure = classified(Failure.of(error.status()));
			this.fullStates.failed(failure);
			handle(new LoopSignal.ErrorFrame(failure, this.delays.mayContinueAfter(failure)));
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

	/** Reads a frame other than an error. */
	private @Nullable LoopSignal read(WatchEvent<T> event) {
		works();
		this.probe.settled();
		WatchReader.Read read = this.watches.read(event, this.memory);
		this.memory = read.memory();
		return read.signal();
	}

	private void initialFrame(WatchEvent<T> event) {
		if (!take(event)) {
			return;
		}
		this.watches.count(event);
		if (FullStateReader.isInitial(event)) {
			this.chain.current().progress().initial();
		}
		if (event instanceof WatchEvent.Bookmark<T> bookmark && bookmark.initialEventsEnd()
				&& !bookmark.resourceVersion().isEmpty()) {
			if (commit(bookmark.resourceVersion())) {
				handle(new LoopSignal.StreamedToEnd());
			}
			return;
		}
		Failure refused = this.fullStates.read(event);
		if (refused != null) {
			failed(refused, null);
		}
	}

	private void probed(@Nullable Throwable error) {
		Failure failure = this.probe.answered(error);
		if (failure != null) {
			this.fullStates.failed(failure);
			WatchReader.Read read = WatchReader.wentBack("behind version " + this.memory.lastSyncVersion(),
					this.memory);
			this.memory = read.memory();
			handle(Objects.requireNonNull(read.signal()));
		}
		else if (this.probe.hasLasted()) {
			works();
		}
	}

	private Failure classified(Failure failure) {
		return this.delays.classify(failure, !(this.state instanceof Listing));
	}

	private void closed() {
		LoopSignal.Closed closed = this.chain.current().progress().closed();
		this.probe.closed();
		handle(this.delays.isHeld() ? closed.held() : closed);
	}

	private void failed(Throwable error) {
		failed(classified(Failure.of(error)), error);
	}

	private void failed(Failure failure, @Nullable Throwable cause) {
		if (this.state instanceof Listing && !this.fullStates.isEmpty() && this.activity.repeatsPage(failure)) {
			return;
		}
		this.fullStates.failed(failure);
		this.probe.failed(failure);
		handle(new LoopSignal.Failed(failure, this.fullStates.isEmpty(), cause));
	}

}
