package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.PrintableText;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus.LastError;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.internal.store.Counters;
import dev.reflector.cache.internal.store.SkippedVersions;
import dev.reflector.cache.source.RequestListener.BrokenAnswer;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Records what happens in one list/watch loop: the visible state, the last error, the
 * times of events, and one log line for each change an operator should see. Also notifies
 * the observer of full states, delays and skipped objects; {@link RequestProgress}
 * notifies it of requests. Written by the loop; any thread may read the status.
 */
public final class LoopJournal {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private static final String UNREADABLE = "UnreadableObject";

	/** How often a lasting failure is logged again. */
	private static final Duration REMINDER = Duration.ofMinutes(5);

	/** One in this many silent watches is logged at level INFO. */
	private static final int SILENCES = 10;

	private final String name;

	private final @Nullable String namespace;

	private final String subject;

	private final TimeSource time;

	private final ReflectorObserver observer;

	private final Counters counters;

	private final Listener listener;

	private final LoopStatus status;

	private ReflectorState working = ReflectorState.STOPPED;

	private String lastComplaint = "";

	private long lastComplaintAt;

	private long failingFrom;

	private boolean listedWhileFailing;

	private long skippedLogged;

	/** Whether the last list had objects without a readable key. */
	private boolean blind;

	/**
	 * Whether the current watch begins without a version and this has not been logged
	 * yet.
	 */
	private boolean versionless;

	private boolean versionlessTold;

	/** Whether the type is listed periodically, because it cannot be watched. */
	private boolean polling;

	private boolean pollingTold;

	private boolean awaitingType;

	private boolean recoveryUnknownTold;

	private boolean elsewhereTold;

	private final AtomicInteger silences = new AtomicInteger();

	public LoopJournal(String name, @Nullable String namespace, LoopSetup<?> setup, Counters counters,
			Listener listener) {
		this.name = name;
		this.namespace = namespace;
		this.subject = "Reflector '" + name + "'" + ((namespace != null) ? " in namespace '" + namespace + "'" : "");
		this.time = setup.time();
		this.observer = setup.observer();
		this.counters = counters;
		this.listener = listener;
		this.status = new LoopStatus(namespace);
	}

	SkippedVersions skippedVersions() {
		return this.counters.skipped;
	}

	@Nullable String namespace() {
		return this.namespace;
	}

	public LoopStatus status() {
		return this.status;
	}

	boolean isFailing() {
		return this.status.isFailing();
	}

	/** Notes that the server has answered a request, whatever the answer contains. */
	void answered() {
		this.status.answered();
	}

	public void state(ReflectorState state, String reason) {
		if (state == ReflectorState.PAUSED || state == ReflectorState.STOPPED) {
			recovered();
			// no bookmark is expected until the next watch has sent one
			this.status.bookmarked(false);
			this.polling = false;
		}
		this.status.nextAttemptAt(null);
		boolean between = this.polling && (state == ReflectorState.LISTING || state == ReflectorState.WATCHING);
		this.working = between ? ReflectorState.POLLING : state;
		show(reason);
	}

	/**
	 * Notes that the type is listed periodically, because the type cannot be watched.
	 * Logs this once.
	 * @param interval the time between two lists
	 * @param version the version of the last list
	 */
	void polling(Duration interval, String version) {
		this.polling = true;
		this.versionless = false;
		reconnected(version);
		if (!this.pollingTold) {
			this.pollingTold = true;
			at(Level.WARN).log("{}: the server cannot watch this type, so it is listed every {} s "
					+ "(reflector.resources.<name>.poll-interval). Of several changes between two "
					+ "lists, only the last is seen", this.subject, seconds(interval));
		}
		state(ReflectorState.POLLING, "listed now and then");
	}

	private void show(String reason) {
		// while the loop is failing, only a success changes the state, not a new attempt
		ReflectorState state = !this.status.isFailing() ? this.working
				: this.awaitingType ? ReflectorState.AWAITING_TYPE : ReflectorState.BACKING_OFF;
		ReflectorState previous = this.status.shown();
		if (state != previous) {
			this.status.show(state);
			at(Level.DEBUG).addKeyValue("state", state).log("{}: {} -> {} ({})", this.subject, previous, state, reason);
			this.listener.stateChanged(previous, state, reason);
		}
	}

	private void recovered() {
		this.status.recovered();
		this.lastComplaint = "";
		this.awaitingType = false;
	}

	void watchRequested(WatchOptions watch) {
		this.counters.watches.increment();
		boolean anyState = watch.resourceVersion().isEmpty() || watch.resourceVersion().equals("0");
		this.versionless = anyState && !watch.sendInitialEvents() && !this.versionlessTold;
	}

	/**
	 * Warns that the watch begins with the whole state, because the watch was requested
	 * without a version or at the version "0" (E-36, W-22).
	 */
	private void versionless() {
		this.versionless = false;
		this.versionlessTold = true;
		at(Level.WARN).log("{}: the server has listed objects without a resource version, so the watch begins "
				+ "with all objects once more. Deletions between the list and the watch are only found by the "
				+ "next list", this.subject);
	}

	/** Reports that the next watch has taken over from the current one. */
	void handedOver(String version) {
		at(Level.DEBUG, version).log("{}: the next watch has taken over at resource version {}", this.subject,
				PrintableText.of(version));
		this.observer.handedOver();
	}

	/**
	 * Logs that the next watch could not be opened. Only at level DEBUG, because no
	 * change is missed: a lasting failure is reported when the current watch ends.
	 */
	void overlapFailed() {
		at(Level.DEBUG).log("{}: the next watch could not be opened before the end of the current one. The "
				+ "current watch continues", this.subject);
	}

	void overlapUnanswered() {
		at(Level.WARN).log(
				"{}: the server has not answered the request for the next watch for at least {} s. The current "
						+ "watch continues, and a new one is opened when it ends",
				this.subject, WatchProgress.REMINDER.toSeconds());
	}

	void pageAwaited(RequestProgress page) {
		at(Level.INFO).log("{}: the response to the list is still incomplete after {} s; {}", this.subject,
				page.waited().toSeconds(), page.soFar());
	}

	/**
	 * Logs that the server has refused a page of a list for some time.
	 * @param failure the refusal
	 * @param delay when the page is requested again
	 * @param first whether this page was not refused before
	 */
	void pageRefused(Failure failure, Duration delay, boolean first) {
		at(first ? Level.INFO : Level.DEBUG, failure, "").log(
				"{}: a page of the list was refused: {}. It is requested again in {} s, as the server asks",
				this.subject, clause(failure.toString()), seconds(delay));
	}

	/**
	 * Warns that the end marker of a streamed list has not arrived.
	 * @param complaint the text that says for how long nothing has arrived, or
	 * {@code null} for no warning
	 */
	void endMarkerAwaited(@Nullable String complaint) {
		if (complaint != null) {
			at(Level.WARN).log("{}: the server has not yet sent the bookmark that ends the streamed list; {}",
					this.subject, complaint);
		}
	}

	/**
	 * Logs that a watch has ended because it was silent for too long. Only one in
	 * {@value #SILENCES} lines is at level INFO, because a watch without bookmarks may be
	 * silent although nothing is wrong. Called by any thread.
	 * @param broken why the watch has ended
	 */
	void watchBroken(BrokenAnswer broken) {
		if (broken == BrokenAnswer.SILENT) {
			boolean told = this.silences.getAndIncrement() % SILENCES == 0;
			at(told ? Level.INFO : Level.DEBUG)
				.log("{}: the watch has received nothing for so long that its connection counts as lost "
						+ "(reflector.api-server.idle-timeout or Timeouts.idle). A new watch continues at the "
						+ "same resource version", this.subject);
		}
	}

	/**
	 * Warns that the request for the full state has not been sent, so that the server is
	 * not the cause of the delay.
	 * @param waitsFor what the request waits for
	 */
	void notSent(String waitsFor) {
		at(Level.WARN).log("{}: the request for all objects has not been sent yet; it waits for the {}", this.subject,
				waitsFor);
	}

	void streamStuck(String complaint) {
		at(Level.WARN).log("{}: the server does not send the bookmark that ends a streamed list; {}. Plain "
				+ "lists are used instead, also for the next full states", this.subject, complaint);
	}

	void frameReceived(WatchEvent<?> frame) {
		this.status.received(this.time.now());
		if (frame instanceof WatchEvent.Bookmark<?> bookmark) {
			this.counters.bookmarks.increment();
			// the bookmark that ends a streamed list does not mean that the server sends
			// others
			if (!bookmark.initialEventsEnd()) {
				this.status.bookmarked(true);
			}
		}
	}

	/**
	 * Notes that the watch works: it has delivered a frame, or has lasted for a while.
	 * @param version the version that the loop has reached
	 */
	void connected(String version) {
		if (this.polling) {
			this.polling = false;
			state(ReflectorState.WATCHING, "the type can be watched now");
		}
		if (this.versionless) {
			versionless();
		}
		reconnected(version);
	}

	private void reconnected(String version) {
		if (this.status.isFailing()) {
			Duration failing = Duration.ofNanos(this.time.nanoTime() - this.failingFrom);
			at(Level.INFO, version).log("{}: connected again after {} s, {}{}", this.subject, seconds(failing),
					where(version), this.listedWhileFailing ? "" : ", without a new list");
			recovered();
			show("connected again");
		}
	}

	void listed(FullState<?> state, String version, Duration took, boolean again) {
		int items = state.size();
		int skipped = state.skipped();
		this.counters.lists.increment();
		if (again) {
			this.counters.relists.increment();
		}
		this.status.listed(this.time.now());
		if (this.awaitingType) {
			// the type is served now
			recovered();
		}
		// a list alone does not end a failure, because the watch after it may fail again;
		// lists that repeat in this way are logged only at level DEBUG
		boolean repeated = this.polling || (this.status.isFailing() && this.listedWhileFailing);
		this.listedWhileFailing = this.status.isFailing();
		// warns if no object is readable, because the mirror is then useless
		Level level = (items == 0 && skipped > 0) ? Level.WARN : Level.INFO;
		at(repeated ? Level.DEBUG : level, version).addKeyValue("objects", items)
			.log("{}: listed {}{} objects{} {} in {} s", this.subject, again ? "again " : "", items,
					(skipped > 0) ? ", " + skipped + " skipped," : "", where(version), seconds(took));
		if (state.nameless() > 0 && !this.blind) {
			at(Level.WARN, version).addKeyValue("reason", UNREADABLE)
				.log("{}: {} objects of the list have no readable key. Deletions that only a list can show are not "
						+ "delivered until all keys can be read", this.subject, state.nameless());
		}
		this.blind = state.nameless() > 0;
		this.observer.listed(took, items, state.pages());
	}

	/**
	 * Warns once if the source ignores the namespace of the request.
	 * @param key the key of an object of a full state
	 */
	void listed(ResourceKey key) {
		if (this.namespace != null && !this.namespace.equals(key.namespace()) && !this.elsewhereTold) {
			this.elsewhereTold = true;
			at(Level.WARN).addKeyValue("key", key)
				.log("{}: the source has listed {}, which is not in this namespace. The mirror keeps such objects "
						+ "even if a later list does not contain them. The source must return only objects of the "
						+ "namespace in its options; otherwise, remove the namespaces of the reflector", this.subject,
						key);
		}
	}

	private static String where(String version) {
		return version.isEmpty() ? "without a resource version" : "at resource version " + PrintableText.of(version);
	}

	void backingOff(BackoffReason backoff, Duration delay, Pace pace, String version) {
		Failure failure = backoff.failure();
		this.observer.backingOff(delay, failure.observed());
		failing(failure);
		this.status.nextAttemptAt((pace == Pace.LOOKED_AFTER) ? null : this.time.now().plus(delay));
		this.awaitingType = false;
		String complaint = backoff.what() + failure.code() + failure.reason() + failure.passing();
		boolean reminder = this.time.nanoTime() - this.lastComplaintAt > REMINDER.toNanos();
		if (!complaint.equals(this.lastComplaint) || reminder) {
			this.lastComplaint = complaint;
			this.lastComplaintAt = this.time.nanoTime();
			at(Level.WARN, failure, version).log("{}: {}: {}. {}; the mirror {}{}", this.subject, backoff.what(),
					clause(failure.toString()),
					(failure.passing() ? "The same request was allowed before, so this may be temporary. " : "")
							+ next(delay, pace),
					(this.status.lastListAt() == null && version.isEmpty()) ? "is still empty"
							: version.isEmpty() ? "stays as it is" : "stays " + where(version),
					lasting());
		}
		else {
			at(Level.DEBUG, failure, version).log("{}: {} again: {}. {}", this.subject, backoff.what(),
					clause(failure.toString()), next(delay, pace));
		}
		show(failure.toString());
	}

	/**
	 * Removes the periods at the end of a text, because the log line adds a period
	 * itself.
	 */
	private static String clause(String text) {
		return text.replaceAll("\\.+$", "");
	}

	private static String next(Duration delay, Pace pace) {
		if (pace == Pace.LOOKED_AFTER) {
			return "Trying again as soon as the server accepts connections, which is checked once a second";
		}
		if (delay.isZero()) {
			return "Trying again at once";
		}
		return "Trying again in " + seconds(delay) + " s"
				+ ((pace == Pace.SERVER) ? ", as the server asks" : ", and with growing delays if it fails again");
	}

	private void failing(Failure failure) {
		this.counters.errors.increment();
		boolean failing = this.status.isFailing();
		Instant now = this.time.now();
		this.status.failed(now, new LastError(now, failure.code(), failure.reason(), failure.message()));
		if (!failing) {
			this.failingFrom = this.time.nanoTime();
			this.listedWhileFailing = false;
		}
	}

	/**
	 * Notes that the server does not serve the type. Logs this once, no matter how long
	 * it lasts (E-21).
	 */
	private void awaitingType(Failure failure) {
		failing(failure);
		if (!this.awaitingType) {
			this.awaitingType = true;
			this.lastComplaint = "";
			at(Level.WARN, failure, "").log(
					"{}: waiting until the server serves this type: {}. The reflector continues by itself soon "
							+ "after that. Until then, the mirror keeps its objects",
					this.subject, clause(failure.message()));
		}
		show(failure.toString());
	}

	/**
	 * Reports that a pass has ended, because of a failure or because a new list was
	 * requested (E-30).
	 */
	void passEnded(BackoffReason backoff, RelistReason reason) {
		this.observer.relisting(reason);
		String message = (reason == RelistReason.REQUESTED) ? "a new list was requested" : backoff.failure().toString();
		this.listener.passEnded(reason, message);
		if (reason != RelistReason.REQUESTED && backoff.failure().typeNotServed()) {
			awaitingType(backoff.failure());
		}
	}

	private String lasting() {
		Duration duration = Duration.ofNanos(this.time.nanoTime() - this.failingFrom);
		return (duration.compareTo(REMINDER) < 0) ? "" : " (failing for " + duration.toMinutes() + " min)";
	}

	void skipped(SkippedObject object) {
		this.counters.errors.increment();
		this.counters.skipped.note(object);
		String message = PrintableText
			.of("skipped " + ((object.key() != null) ? object.key() : "an object without a readable key")
					+ (object.resourceVersion().isEmpty() ? "" : " at resource version " + object.resourceVersion())
					+ ": " + object.reason());
		this.status.lastError(new LastError(this.time.now(), 0, UNREADABLE, message));
		// a collection full of unreadable objects must not flood the log
		boolean told = Long.bitCount(++this.skippedLogged) == 1;
		LoggingEventBuilder line = at(told ? Level.WARN : Level.DEBUG, object.resourceVersion()).addKeyValue("reason",
				UNREADABLE);
		line = (object.key() != null) ? line.addKeyValue("key", object.key()) : line;
		if (told) {
			line.log("{}: {}. {} skipped so far; the mirror keeps the last version that it could read", this.subject,
					message, this.skippedLogged);
		}
		else {
			line.log("{}: {}", this.subject, message);
		}
		this.observer.skipped(object);
	}

	/**
	 * Warns once that the source cannot wait for a sign that another attempt may succeed.
	 */
	void recoveryUnknown(Throwable error) {
		at(this.recoveryUnknownTold ? Level.DEBUG : Level.WARN).setCause(error)
			.log("{}: awaitRecovery of the source has failed. The next attempt follows after the delay", this.subject);
		this.recoveryUnknownTold = true;
	}

	void defect(Throwable error) {
		at(Level.ERROR).setCause(error)
			.log("{}: unexpected failure. The reflector begins again with a list", this.subject);
	}

	/** Begins a log line with the fields that are common to all lines. */
	private LoggingEventBuilder at(Level level) {
		LoggingEventBuilder line = logger.atLevel(level).addKeyValue("reflector", this.name);
		return (this.namespace != null) ? line.addKeyValue("namespace", this.namespace) : line;
	}

	private LoggingEventBuilder at(Level level, String version) {
		LoggingEventBuilder line = at(level);
		return version.isEmpty() ? line : line.addKeyValue("resourceVersion", PrintableText.of(version));
	}

	private LoggingEventBuilder at(Level level, Failure failure, String version) {
		LoggingEventBuilder line = at(level, version).addKeyValue("reason", failure.reason());
		return (failure.code() != 0) ? line.addKeyValue("status", failure.code()) : line;
	}

	private static String seconds(Duration duration) {
		return String.format(Locale.ROOT, "%.1f", duration.toNanos() / 1e9);
	}

	/** What determines the time of the next attempt. */
	enum Pace {

		/** The delay grows with each failure. */
		GROWING,

		/** The server sets the delay. */
		SERVER,

		/** A check finds out when the server accepts connections again. */
		LOOKED_AFTER

	}

	/** Is notified when the visible state changes, and when a pass ends. */
	public interface Listener {

		void stateChanged(ReflectorState previous, ReflectorState state, String reason);

		void passEnded(RelistReason reason, String message);

	}

}
