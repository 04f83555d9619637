package dev.reflector.cache;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

import dev.reflector.ReflectorState;
import dev.reflector.cache.LoopState.AwaitingType;
import dev.reflector.cache.LoopState.BackingOff;
import dev.reflector.cache.LoopState.Listing;
import dev.reflector.cache.LoopState.Paused;
import dev.reflector.cache.LoopState.Spacing;
import dev.reflector.cache.LoopState.Stopped;
import dev.reflector.cache.LoopState.Streaming;
import dev.reflector.cache.LoopState.Watching;
import dev.reflector.cache.Mailbox.Message;
import dev.reflector.cache.ReflectorOptions.Compatibility;
import org.jspecify.annotations.Nullable;

/**
 * The list/watch loop of one namespace, or of all (client-go: {@code Reflector}). It does
 * the work that a {@link LoopState} stands for, turns what comes of it into a
 * {@link LoopSignal}, and asks {@link LoopTransitions} where to go. Sequential code on a
 * thread of its own; everything from outside comes through its {@link Mailbox}.
 *
 * @param <T> the type of the objects
 */
final class ReflectorLoop<T> implements Runnable {

	/** E-35: how much longer than it was asked for a watch may last. */
	private static final Duration GRACE = Duration.ofSeconds(30);

	private static final Failure UNREADABLE_DELETION = Failure
		.of(Status.undecodable("a deletion whose object could not be read"));

	private final SharedInformer.Config<T> config;

	private final @Nullable String namespace;

	private final DeltaFifo<T> fifo;

	/** I-32: whether a handler is due for a resync of a namespace. */
	private final Predicate<@Nullable String> resyncDue;

	private final LoopJournal journal;

	private final LoopTransitions transitions;

	private final Backoff backoff;

	private RetryWithDeadline internalErrors;

	private final Mailbox<T> mailbox = new Mailbox<>();

	private final LoopTimers<T> timers;

	private final Requests<T> requests;

	private volatile LoopMemory memory;

	private volatile @Nullable ReflectorLoop<T> previous;

	private LoopState state = new Stopped();

	/** Number of the present activity; what arrives with another number is stale. */
	private long activity;

	private final FullState<T> fullState;

	private final LiveFrames<T> liveFrames;

	ReflectorLoop(SharedInformer.Config<T> config, @Nullable String namespace, @Nullable ReflectorLoop<T> previous,
			DeltaFifo<T> fifo, Predicate<@Nullable String> resyncDue, LoopJournal journal) {
		this.resyncDue = resyncDue;
		this.config = config;
		this.namespace = namespace;
		this.fifo = fifo;
		this.journal = journal;
		this.previous = previous;
		this.memory = LoopMemory.EMPTY;
		this.transitions = new LoopTransitions(config.options());
		this.timers = new LoopTimers<>(config.time(), this.mailbox);
		this.requests = new Requests<>(config, namespace, this.mailbox);
		this.fullState = new FullState<>(config.accessor(), this::reportSkipped);
		this.liveFrames = new LiveFrames<>(namespace, fifo, config.accessor(), this::reportSkipped, clientGo());
		this.backoff = new Backoff(config.options().backoff(), config.time(), config.random(), clientGo());
		this.internalErrors = RetryWithDeadline.of(config);
	}

	private boolean clientGo() {
		return this.config.options().compatibility() == Compatibility.CLIENT_GO;
	}

	String lastSyncVersion() {
		ReflectorLoop<T> previous = this.previous;
		return (previous != null) ? previous.lastSyncVersion() : this.memory.lastSyncVersion();
	}

	/** Has the loop's thread deal with a signal. May be called from any thread. */
	void signal(LoopSignal signal) {
		this.mailbox.post(new Mailbox.Command<>(signal));
	}

	/** local, in whatever state. May be called from any thread. */
	void resync() {
		this.mailbox.post(new Mailbox.Resync<>());
	}

	/** Local, in whatever state. May be called from any thread. */
	void mark(Checkpoint<T> checkpoint) {
		this.mailbox.post(new Mailbox.Mark<>(checkpoint));
	}

	@Override
	public void run() {
		try {
			// how far the life before has come is known when it has ended
			this.memory = this.memory.at(lastSyncVersion());
			this.previous = null;
			handle(new LoopSignal.Started());
			while (!(this.state instanceof Stopped)) {
				Message<T> message = this.mailbox.take();
				try {
					receive(message);
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
			leave();
			this.timers.cancelResync();
			this.journal.state(ReflectorState.STOPPED, "stopped");
		}
	}

	private void receive(Message<T> message) {
		if (message instanceof Mailbox.Command<T> command) {
			handle(command.signal());
		}
		else if (message instanceof Mailbox.Frame<T> frame && frame.activity() == this.activity) {
			frame(frame.event());
		}
		else if (message instanceof Mailbox.Page<T> page && page.activity() == this.activity) {
			page(page.page());
		}
		else if (message instanceof Mailbox.Closed<T> closed && closed.activity() == this.activity) {
			closed();
		}
		else if (message instanceof Mailbox.Failed<T> failed && failed.activity() == this.activity) {
			failed(failed.error());
		}
		else if (message instanceof Mailbox.Elapsed<T> elapsed && elapsed.activity() == this.activity) {
			handle(new LoopSignal.DelayElapsed());
		}
		else if (message instanceof Mailbox.TypeDue<T> due && due.activity() == this.activity) {
			handle(new LoopSignal.TypeAppeared());
		}
		else if (message instanceof Mailbox.Settled<T> settled && settled.activity() == this.activity) {
			works();
		}
		else if (message instanceof Mailbox.MarkerDue<T> due && due.activity() == this.activity
				&& this.state instanceof Streaming) {
			remind();
		}
		else if (message instanceof Mailbox.ResyncDue<T> due && this.timers.isPresent(due)) {
			if (this.resyncDue.test(this.namespace)) {
				this.fifo.resync(this.namespace);
			}
			scheduleResync();
		}
		else if (message instanceof Mailbox.Resync<T>) {
			this.fifo.resync(this.namespace);
		}
		else if (message instanceof Mailbox.Mark<T> mark) {
			mark.checkpoint().set(this.fifo, this.memory.lastSyncVersion());
		}
	}

	private void handle(LoopSignal signal) {
		LoopTransitions.Step step = this.transitions.next(this.state, signal, this.memory);
		this.memory = step.memory();
		LoopJournal.Setback setback = new LoopJournal.Setback(this.state, signal, step.ended());
		if (step.ended() != null) {
			this.config.observer().relisting(step.ended());
			this.journal.passEnded(setback, step.ended());
		}
		if (step.next() == this.state) {
			return;
		}
		boolean sameStream = step.next() instanceof Watching watching && watching.inherited();
		if (!sameStream) {
			leave();
		}
		if (!step.next().following()) {
			this.timers.cancelResync();
		}
		this.state = step.next();
		if (step.next() instanceof BackingOff backingOff) {
			backOff(backingOff, setback);
		}
		else {
			enter();
		}
	}

	private void backOff(BackingOff state, LoopJournal.Setback setback) {
		Duration drawn = this.backoff.next();
		Duration delay = (drawn.compareTo(state.atLeast()) > 0) ? drawn : state.atLeast();
		this.timers.elapse(this.activity, delay);
		this.config.observer().backingOff(delay);
		this.journal.backingOff(setback, delay, this.memory.lastSyncVersion());
	}

	/** Ends the work of the present state. */
	private void leave() {
		this.activity++;
		this.timers.cancel();
		this.requests.end();
		this.fullState.clear();
	}

	/** Begins the work of the present state. */
	private void enter() {
		if (this.state instanceof Listing listing) {
			this.journal.state(ReflectorState.LISTING, "listing");
			this.requests.list(this.activity, listing.resourceVersion(), listing.limit());
		}
		else if (this.state instanceof Streaming streaming) {
			this.journal.state(ReflectorState.LISTING, "streaming the full state");
			openWatch(streaming.resourceVersion(), true);
		}
		else if (this.state instanceof Watching watching) {
			if (watching.inherited()) {
				this.timers.reminded();
				this.requests.inherit();
			}
			else {
				openWatch(this.memory.lastSyncVersion(), false);
			}
			this.journal.state(ReflectorState.WATCHING, "watching");
			if (watching.inherited()) {
				works();
			}
			scheduleResync();
		}
		else if (this.state instanceof Spacing spacing) {
			this.timers.elapse(this.activity, spacing.least() ? this.backoff.spacing() : this.backoff.scatter());
		}
		else if (this.state instanceof AwaitingType) {
			this.requests.awaitType(this.activity);
			this.timers.elapse(this.activity, this.backoff.longest());
		}
		else if (this.state instanceof Paused) {
			this.journal.state(ReflectorState.PAUSED, "paused");
		}
	}

	private void openWatch(String version, boolean sendInitialEvents) {
		WatchOptions options = this.requests.watch(this.activity, version, sendInitialEvents);
		this.journal.watchRequested(options);
		if (!clientGo()) {
			this.timers.overdue(this.activity, options.timeout().plus(GRACE));
		}
		if (sendInitialEvents) {
			this.timers.remind(this.activity, WatchProgress.REMINDER);
		}
	}

	/** */
	private void remind() {
		this.journal.endMarkerAwaited(this.requests.progress().overdueMarker(now()));
		this.timers.remind(this.activity, WatchProgress.REMINDER);
	}

	/** A server that accepts watches and drops them at once is not connected. */
	private void opened() {
		if (!(this.state instanceof Streaming)) {
			this.timers.settle(this.activity, WatchProgress.BRIEF);
		}
	}

	private void works() {
		this.memory = this.memory.withWorkingWatch();
		this.backoff.succeeded();
		this.journal.connected(this.memory.lastSyncVersion());
	}

	/** goes on from one watch to the next, until the pass ends. */
	private void scheduleResync() {
		this.timers.resync(this.config.options().resyncPeriod());
	}

	private void page(ListPage<T> page) {
		this.fullState.add(page);
		if (!page.continueToken().isEmpty() && this.state instanceof Listing listing) {
			// W-16: only the token decides whether there is more
			this.requests.nextPage(this.activity, listing.limit(), page.continueToken());
			return;
		}
		boolean paginated = this.fullState.pages() > 1;
		commit(this.fullState.version());
		handle(new LoopSignal.Listed(paginated));
	}

	private void commit(String version) {
		this.fifo.replace(this.fullState.replacement(this.namespace, version));
		// after the replace
		this.memory = this.memory.at(version);
		// each pass has a window of its own
		this.internalErrors = RetryWithDeadline.of(this.config);
		this.journal.listed(this.fullState.size(), version, this.requests.elapsed(), this.memory.synced());
		this.config.observer().listed(this.requests.elapsed(), this.fullState.size(), this.fullState.pages());
		this.fullState.clear();
	}

	private void reportSkipped(SkippedObject skipped) {
		this.journal.skipped(skipped);
		this.config.observer().skipped(skipped);
	}

	private void frame(WatchEvent<T> event) {
		this.requests.consumed();
		if (event instanceof WatchEvent.Opened<T>) {
			opened();
			return;
		}
		if (event instanceof WatchEvent.Error<T> error) {
			Failure failure = Failure.of(error.status());
			handle(new LoopSignal.ErrorFrame(failure, this.internalErrors.after(failure)));
			return;
		}
		boolean initial = this.state instanceof Streaming;
		if (!initial) {
			works();
		}
		if (event instanceof WatchEvent.Bookmark<T> bookmark && initial && bookmark.initialEventsEnd()) {
			this.journal.frameReceived(true);
			commit(bookmark.resourceVersion());
			handle(new LoopSignal.StreamedToEnd());
			return;
		}
		if (event instanceof WatchEvent.Bookmark<T> bookmark && !initial && !clientGo()
				&& this.memory.isAheadOf(bookmark.resourceVersion())) {
			wentBack(bookmark.resourceVersion());
			return;
		}
		if (!(event instanceof WatchEvent.Skipped<T>)) {
			this.requests.progress().frame(now());
			this.journal.frameReceived(event instanceof WatchEvent.Bookmark<T>);
		}
		if (initial) {
			// before the end marker, nothing reaches the mirror and no version
			// counts
			if (!this.fullState.apply(event) && !clientGo()) {
				handle(new LoopSignal.Failed(UNREADABLE_DELETION, true));
			}
			return;
		}
		String version = this.liveFrames.apply(event);
		if (version == null) {
			// E-10: what happened is known to a list only
			handle(new LoopSignal.ErrorFrame(UNREADABLE_DELETION));
		}
		else if (!version.isEmpty() && this.requests.progress().counts(event)) {
			this.memory = this.memory.at(version);
		}
	}

	/** E-14: what we hold may never have happened, only a consistent list can tell. */
	private void wentBack(String version) {
		String message = "the server has gone back from version " + this.memory.lastSyncVersion() + " to " + version;
		this.memory = this.memory.withVersionUnavailable();
		handle(new LoopSignal.ErrorFrame(Failure.of(new Status(410, "Expired", message, List.of(), 0, false))));
	}

	private void closed() {
		handle(this.requests.progress().closed(now()));
	}

	private void failed(Throwable error) {
		handle(new LoopSignal.Failed(Failure.of(error), this.fullState.pages() == 0));
	}

	private long now() {
		return this.config.time().nanoTime();
	}

}
