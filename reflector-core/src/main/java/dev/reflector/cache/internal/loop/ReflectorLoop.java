package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.Objects;

import dev.reflector.ReflectorState;
import dev.reflector.cache.internal.loop.LoopState.AwaitingType;
import dev.reflector.cache.internal.loop.LoopState.BackingOff;
import dev.reflector.cache.internal.loop.LoopState.Listing;
import dev.reflector.cache.internal.loop.LoopState.Overlapping;
import dev.reflector.cache.internal.loop.LoopState.Paused;
import dev.reflector.cache.internal.loop.LoopState.Spacing;
import dev.reflector.cache.internal.loop.LoopState.Stopped;
import dev.reflector.cache.internal.loop.LoopState.Streaming;
import dev.reflector.cache.internal.loop.LoopState.Watching;
import dev.reflector.cache.internal.loop.Mailbox.Message;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.queue.Delta;
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The list/watch loop of one namespace, or of all (client-go: {@code Reflector}). It does
 * the work that a {@link LoopState} stands for, turns what comes of it into a
 * {@link LoopSignal}, and asks {@link LoopTransitions} where to go. Sequential code on a
 * thread of its own; everything from outside comes through its {@link Mailbox}.
 *
 * @param <T> the type of the objects
 */
public final class ReflectorLoop<T> implements Runnable {

	/** After how many frames the writer begins with them, while more come. */
	private static final int WAKE = 16;

	private final LoopSetup<T> setup;

	private final @Nullable String namespace;

	private final DeltaFifo<T> fifo;

	private final LoopJournal journal;

	private final LoopTransitions transitions;

	private final LoopDelays delays;

	private RetryWithDeadline internalErrors;

	private final Mailbox<T> mailbox = new Mailbox<>();

	private final LoopTimers<T> timers;

	private final LoopResyncs<T> resyncs;

	private final Held<T> held;

	private final Requests<T> requests;

	private final WatchChain<T> chain;

	private volatile LoopMemory memory;

	private volatile @Nullable ReflectorLoop<T> previous;

	private final Refusals refusals;

	private LoopState state = new Stopped();

	/** What the present failure was signalled with, while it is dealt with. */
	private @Nullable Throwable cause;

	/** Number of the present activity; what arrives with another number is stale. */
	private long activity;

	/**
	 * Whether the mirror was restored and no watch or list has gone on from there yet.
	 */
	private boolean resuming;

	/** The greatest number of an activity so far. */
	private long activities;

	/** How many messages may have brought something of which the writer was not told. */
	private int untold;

	private final FullState<T> fullState;

	private PageTrail pages = new PageTrail();

	private final WatchReader<T> reader;

	private final VersionProbe<T> probe;

	/**
	 * Makes a loop that has not started.
	 * @param setup what it works with
	 * @param journal takes note of what happens; says which namespace this is the loop of
	 * @param previous the loop of the run before, which has the version to begin with
	 * @param fifo receives what the server says
	 * @param mirror what is there already
	 * @param resyncs when to deliver the objects again
	 */
	public ReflectorLoop(LoopSetup<T> setup, LoopJournal journal, @Nullable ReflectorLoop<T> previous,
			DeltaFifo<T> fifo, Indexer<T> mirror, ResyncCheck resyncs) {
		this.setup = setup;
		this.namespace = journal.namespace();
		this.fifo = fifo;
		this.journal = journal;
		this.previous = previous;
		this.memory = LoopMemory.EMPTY;
		this.transitions = new LoopTransitions(setup.options());
		this.timers = new LoopTimers<>(setup.time(), this.mailbox);
		this.resyncs = new LoopResyncs<>(setup.time(), this.namespace, fifo, resyncs, this.mailbox);
		this.held = new Held<>(mirror, setup);
		this.requests = new Requests<>(setup, this.namespace, this.mailbox, this.held, journal::watchBroken);
		this.delays = LoopDelays.of(setup);
		this.refusals = new Refusals(setup.time());
		this.chain = new WatchChain<>(setup, this.requests, this.timers, this.delays, journal);
		this.fullState = new FullState<>(setup.accessor(), this::reportSkipped);
		this.reader = new WatchReader<>(setup, this.requests, this.chain, journal, new LiveFrames<>(this.namespace,
				fifo, setup.accessor(), this::reportSkipped, journal.skippedVersions(), clientGo()));
		this.internalErrors = internalErrors();
		this.probe = new VersionProbe<>(setup, this.namespace, this.mailbox);
	}

	private RetryWithDeadline internalErrors() {
		return new RetryWithDeadline(this.setup.options().watch().internalErrorRetry(), this.setup.time());
	}

	private boolean clientGo() {
		return this.setup.clientGo();
	}

	public LoopJournal journal() {
		return this.journal;
	}

	public String lastSyncVersion() {
		ReflectorLoop<T> previous = this.previous;
		return (previous != null) ? previous.lastSyncVersion() : this.memory.lastSyncVersion();
	}

	public @Nullable String namespace() {
		return this.namespace;
	}

	/**
	 * The mirror was filled from a snapshot. To be called before the loop runs. Objects
	 * of the first list are read anew and compared by content: they may have had other
	 * declared fields, or a server that has gone back may give out versions twice.
	 * @param version the version to begin with a watch from, or {@code null} to list
	 */
	public void restored(@Nullable String version) {
		this.held.distrust();
		if (version != null) {
			this.memory = LoopMemory.restored(version);
			this.probe.restored();
			this.resuming = true;
		}
	}

	/** Has the loop's thread deal with a signal. May be called from any thread. */
	public void signal(LoopSignal signal) {
		this.mailbox.post(new Mailbox.Command<>(signal));
	}

	/** local, in whatever state. May be called from any thread. */
	public void resync() {
		this.mailbox.post(new Mailbox.Resync<>());
	}

	/** Local, in whatever state. May be called from any thread. */
	public void mark(Checkpoint<T> checkpoint) {
		this.mailbox.post(new Mailbox.Mark<>(checkpoint));
	}

	@Override
	public void run() {
		try {
			// how far the life before has come is known when it has ended
			this.memory = this.memory.at(lastSyncVersion());
			this.previous = null;
			handle(this.resuming ? new LoopSignal.Restored() : new LoopSignal.Started());
			while (!(this.state instanceof Stopped)) {
				Message<T> message = next();
				try {
					if (message instanceof Mailbox.Frame<T> frame && frame.activity() == this.activity) {
						// two ways that are compiled apart: one hardly ever follows the
						// other
						if (this.state instanceof Streaming) {
							initialFrame(frame.event());
						}
						else {
							frame(frame.event());
						}
					}
					else {
						receive(message);
					}
				}
				catch (Throwable ex) {
					// a defect here, or in a source of the user, fails the pass and
					// no more
					this.journal.defect(ex);
					failed(ex);
				}
			}
		}
		catch (InterruptedException ex) {
			// nobody here interrupts: the owner of the thread wants it back
			Thread.currentThread().interrupt();
		}
		finally {
			this.fifo.wake();
			leave();
			this.resyncs.end();
			this.journal.state(ReflectorState.STOPPED, "stopped");
		}
	}

	/** While there are more, what came before is not told one by one. */
	private Message<T> next() throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		Message<T> next = this.mailbox.poll();
		if (next == null || ++this.untold == WAKE) {
			this.fifo.wake();
			this.untold = 0;
		}
		return (next != null) ? next : this.mailbox.take();
	}

	private void receive(Message<T> message) {
		if (message instanceof Mailbox.Result<T> result) {
			if (result.activity() == this.activity) {
				receive(result);
			}
			else if (this.chain.isNext(result.activity())) {
				receiveOfNext(result);
			}
		}
		else if (message instanceof Mailbox.Command<T> command) {
			handle(command.signal());
		}
		else if (message instanceof Mailbox.ResyncDue<T> due) {
			this.resyncs.elapsed(due);
		}
		else if (message instanceof Mailbox.Resync<T>) {
			this.resyncs.resync();
		}
		else if (message instanceof Mailbox.Mark<T> mark) {
			mark.checkpoint().set(this.fifo, this.memory.lastSyncVersion());
		}
	}

	/** All but frames. */
	private void receive(Mailbox.Result<T> result) {
		if (result instanceof Mailbox.Page<T> page) {
			page(page.page());
		}
		else if (result instanceof Mailbox.Closed<T>) {
			closed();
		}
		else if (result instanceof Mailbox.Failed<T> failed) {
			if (failed.error() instanceof JvmFailureException) {
				this.journal.defect(failed.error());
			}
			failed(failed.error());
		}
		else if (result instanceof Mailbox.Broken<T> broken) {
			this.probe.broken(broken.answer());
		}
		else if (result instanceof Mailbox.Probed<T> probed) {
			probed(probed.error());
		}
		else if (result instanceof Mailbox.Elapsed<T>) {
			handle(new LoopSignal.DelayElapsed());
		}
		else if (result instanceof Mailbox.TypeDue<T>) {
			handle(new LoopSignal.TypeAppeared());
		}
		else if (result instanceof Mailbox.Settled<T>) {
			works();
		}
		else if (result instanceof Mailbox.MarkerDue<T>
				&& (this.state instanceof Streaming || this.state instanceof Listing)) {
			remind();
		}
		else if (result instanceof Mailbox.OverlapDue<T> && !this.chain.repeating()) {
			handle(new LoopSignal.OverlapDue());
		}
	}

	/** The present watch is the one that counts until the next one has come as far. */
	private void receiveOfNext(Mailbox.Result<T> result) {
		LoopSignal signal = this.chain.receive(result, this.memory.lastSyncVersion());
		if (signal != null) {
			handle(signal);
			if (result instanceof Mailbox.Frame<T> frame && result.activity() == this.activity) {
				frame(frame.event());
			}
		}
	}

	private void handle(LoopSignal signal) {
		if (signal instanceof LoopSignal.RelistRequested relist && relist.anew()) {
			this.held.distrust();
		}
		// it may be a while until there is another message
		this.fifo.wake();
		LoopTransitions.Step step = this.transitions.next(this.state, signal, this.memory);
		this.memory = step.memory();
		Setback setback = new Setback(this.state, signal, step.ended());
		if (step.ended() != null) {
			this.setup.observer().relisting(step.ended());
			this.journal.passEnded(setback, step.ended());
		}
		if (step.next() == this.state) {
			return;
		}
		LoopState before = this.state;
		if (!step.next().continues(before)) {
			leave();
		}
		if (!step.next().following()) {
			this.resyncs.end();
		}
		this.state = step.next();
		if (step.next() instanceof BackingOff backingOff) {
			backOff(this.delays.after(setback.failure(), backingOff.atLeast()), setback);
		}
		else if (before instanceof Overlapping && step.next().continues(before)) {
			endOverlap(signal instanceof LoopSignal.OverlapFailed);
		}
		else {
			enter();
		}
	}

	private void endOverlap(boolean failed) {
		if (failed) {
			this.chain.giveUp();
		}
		else {
			this.activity = this.chain.takeOver(this.memory.lastSyncVersion());
		}
	}

	private void space(Spacing state) {
		Failure held = this.delays.heldFor();
		Duration delay = state.least() ? this.delays.spacing() : this.delays.scatter();
		if (held != null) {
			backOff(delay, new Setback(state.next(), new LoopSignal.Failed(held, true), null));
		}
		else {
			this.timers.elapse(this.activity, delay);
		}
	}

	private void backOff(Duration delay, Setback setback) {
		Failure failure = setback.failure();
		Throwable cause = this.cause;
		Mono<Void> recovery = (cause != null && !failure.passing()) ? this.setup.listerWatcher().awaitRecovery(cause)
				: null;
		boolean lookedAfter = recovery != null && this.delays.isLookedAfter(failure);
		// E-21: in case nothing is ever said
		this.timers.elapse(this.activity, lookedAfter ? this.delays.longest() : delay);
		if (recovery != null && !clientGo() && (lookedAfter || !failure.connectionRefused())) {
			this.requests.awaitRecovery(this.activity, recovery);
		}
		this.setup.observer().backingOff(delay);
		this.journal.backingOff(setback, delay, lookedAfter, this.memory.lastSyncVersion());
	}

	/** Ends the work of the present state. */
	private void leave() {
		this.activity = ++this.activities;
		this.timers.cancel();
		this.requests.end();
		this.probe.end();
		this.chain.clear();
		this.pages = new PageTrail();
		this.held.begin();
		this.fullState.clear();
	}

	/** Begins the work of the present state. */
	private void enter() {
		if (this.state instanceof Listing listing) {
			this.journal.state(ReflectorState.LISTING, "listing");
			this.requests.list(this.activity, listing.resourceVersion(), listing.limit());
			this.timers.awaitPage(this.activity, this.requests.awaited());
		}
		else if (this.state instanceof Streaming streaming) {
			this.journal.state(ReflectorState.LISTING, "streaming the full state");
			this.chain.open(this.activity, streaming.resourceVersion(), true);
		}
		else if (this.state instanceof Watching watching) {
			if (watching.inherited()) {
				this.timers.reminded();
				this.requests.inherit();
			}
			else {
				this.chain.open(this.activity, this.memory.lastSyncVersion(), false);
			}
			this.journal.state(ReflectorState.WATCHING, "watching");
			if (watching.inherited()) {
				works();
			}
			this.resyncs.schedule();
		}
		else if (this.state instanceof Overlapping) {
			this.chain.openNext(++this.activities, this.memory.lastSyncVersion());
		}
		else if (this.state instanceof Spacing spacing) {
			space(spacing);
		}
		else if (this.state instanceof AwaitingType) {
			this.requests.awaitType(this.activity);
			this.timers.elapse(this.activity, this.delays.longest());
		}
		else if (this.state instanceof Paused) {
			this.journal.state(ReflectorState.PAUSED, "paused");
		}
	}

	/** */
	private void remind() {
		WatchProgress progress = this.requests.progress();
		String waitsFor = this.requests.waitsFor();
		if (waitsFor != null) {
			this.journal.notSent(waitsFor);
		}
		else if (this.state instanceof Listing) {
			this.journal.pageAwaited(this.requests.awaited());
		}
		else if (clientGo()) {
			this.journal.endMarkerAwaited(progress.overdueMarker(now()));
		}
		else if (progress.isStuck(now())) {
			this.journal.streamStuck(progress.missingMarker(now()));
			handle(new LoopSignal.StreamStuck());
			return;
		}
		else {
			this.journal.endMarkerAwaited(progress.missingMarker(now()));
		}
		this.timers.remind(this.activity, WatchProgress.REMINDER);
	}

	/** A server that accepts watches and drops them at once is not connected. */
	private void opened() {
		this.requests.progress().initial(now());
		if (!(this.state instanceof Streaming)) {
			this.timers.settle(this.activity, WatchProgress.BRIEF);
			this.probe.begin(this.activity, this.memory.lastSyncVersion());
		}
	}

	private void works() {
		if (this.resuming) {
			this.resuming = false;
			this.fifo.resumed(this.namespace, this.memory.lastSyncVersion());
		}
		this.memory = this.memory.withWorkingWatch();
		this.delays.succeeded();
		this.refusals.allowed();
		this.journal.connected(this.memory.lastSyncVersion());
	}

	private void page(ListPage<T> page) {
		this.journal.answered();
		this.fullState.add(page);
		if (!page.continueToken().isEmpty() && this.state instanceof Listing listing) {
			Failure endless = this.pages.follow(page);
			if (endless != null) {
				failed(endless);
				return;
			}
			// W-16: only the token decides whether there is more
			this.requests.nextPage(this.activity, listing.limit(), page.continueToken());
			this.timers.awaitPage(this.activity, this.requests.awaited());
			return;
		}
		boolean paginated = this.fullState.pages() > 1;
		if (commit(this.fullState.version())) {
			handle(new LoopSignal.Listed(paginated));
		}
	}

	private boolean commit(String version) {
		if (this.held.misleads(version, this.memory.lastSyncVersion())) {
			leave();
			enter();
			return false;
		}
		this.refusals.allowed();
		Delta.Replacement<T> replacement = this.fullState.replacement(this.namespace, version,
				this.held.isDistrusted());
		this.journal.skippedVersions().listed(this.namespace, replacement.retained());
		this.fifo.replace(replacement);
		this.resuming = false;
		// after the replace
		this.memory = this.memory.at(version);
		// each pass has a window of its own
		this.internalErrors = internalErrors();
		this.journal.listed(this.fullState.size(), version, this.requests.elapsed(), this.memory.synced());
		this.setup.observer().listed(this.requests.elapsed(), this.fullState.size(), this.fullState.pages());
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
	 * Takes a frame.
	 * @return whether it is about objects
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
		if (!take(event)) {
			return;
		}
		works();
		this.probe.settled();
		WatchReader.Read read = this.reader.read(event, this.memory);
		this.memory = read.memory();
		if (read.signal() != null) {
			handle(read.signal());
		}
	}

	private void initialFrame(WatchEvent<T> event) {
		if (!take(event)) {
			return;
		}
		this.reader.count(event);
		if (isInitial(event)) {
			this.requests.progress().initial(now());
		}
		if (event instanceof WatchEvent.Bookmark<T> bookmark && bookmark.initialEventsEnd()) {
			if (commit(bookmark.resourceVersion())) {
				handle(new LoopSignal.StreamedToEnd());
			}
		}
		else if (!this.fullState.apply(event) && !clientGo()) {
			// before the end marker, nothing reaches the mirror and no version
			// counts
			handle(new LoopSignal.Failed(WatchReader.UNREADABLE_DELETION, true));
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
	}

	private Failure classified(Failure failure) {
		return clientGo() ? failure : this.refusals.classify(failure, this.memory.synced());
	}

	private void closed() {
		LoopSignal.Closed closed = this.requests.progress().closed(now());
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
