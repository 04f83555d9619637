package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;

/**
 * The progress of one watch since it was requested.
 */
public final class WatchProgress {

	public static final Duration BRIEF = Duration.ofSeconds(1);

	/** how often to look after an end marker that does not come. */
	public static final Duration REMINDER = Duration.ofSeconds(10);

	/** How long a streamed full state may last without a further object. */
	static final Duration PATIENCE = Duration.ofSeconds(30);

	/** How long a streamed full state may take at all. */
	static final Duration LONGEST_STREAM = Duration.ofMinutes(5);

	/** Servers may end a watch this much before its timeout. */
	private static final Duration PUNCTUAL = Duration.ofSeconds(2);

	private final Duration timeout;

	private final long requestedAt;

	private final long openedAt;

	private long frames;

	private long lastFrameAt;

	/** Whether the server has accepted the watch, so that it can be expected to speak. */
	private boolean accepted;

	private long lastInitialAt;

	/** whether versions of ADDED frames count. */
	private boolean versionsCount;

	private WatchProgress(Duration timeout, long requestedAt, long openedAt, boolean versionsCount) {
		this.timeout = timeout;
		this.requestedAt = requestedAt;
		this.openedAt = openedAt;
		this.versionsCount = versionsCount;
	}

	/**
	 * A watch that is being requested.
	 * @param options the options of the request
	 * @param now the time, before the request: some proxies hold the headers back
	 */
	public static WatchProgress of(WatchOptions options, long now) {
		String version = options.resourceVersion();
		return new WatchProgress(options.timeout(), now, now,
				!options.sendInitialEvents() && !version.isEmpty() && !version.equals("0"));
	}

	/**
	 * The same stream after it has brought the full state: the clock of the watch starts
	 * and versions count.
	 * @param now the time
	 */
	WatchProgress inherited(long now) {
		return new WatchProgress(this.timeout, this.requestedAt, now, true);
	}

	/**
	 * The server has accepted the watch, or a part of the full state has arrived, which
	 * may be one that could not be read.
	 */
	void initial(long now) {
		this.accepted = true;
		this.lastInitialAt = now;
	}

	/** A frame has arrived that could be read: others do not count. */
	public void frame(long now) {
		this.frames++;
		this.lastFrameAt = now;
	}

	/**
	 * Text for the log while the end marker of a streamed full state has not come.
	 * @param now the time
	 * @return for how long nothing has come, or {@code null} when something came in the
	 * last ten seconds
	 */
	@Nullable public String overdueMarker(long now) {
		boolean none = this.frames == 0;
		Duration silent = Duration.ofNanos(now - (none ? this.requestedAt : this.lastFrameAt));
		if (silent.compareTo(REMINDER) < 0) {
			return null;
		}
		return (none ? "nothing has come since the request " : "the last event came ") + silent.toSeconds() + " s ago";
	}

	/**
	 * Text for the log while the end marker of a streamed full state has not come,
	 * whether or not events have come.
	 * @param now the time
	 */
	String missingMarker(long now) {
		boolean none = this.frames == 0;
		Duration silent = Duration.ofNanos(now - (none ? this.requestedAt : this.lastFrameAt));
		return (none ? "nothing has come since the request " : this.frames + " events have come, the last one ")
				+ silent.toSeconds() + " s ago";
	}

	/**
	 * Whether the server has accepted the watch but seems to stream no full state: no
	 * object has come for 30 seconds, or the stream takes more than five minutes.
	 * @param now the time
	 */
	boolean isStuck(long now) {
		return this.accepted && (now - this.lastInitialAt >= PATIENCE.toNanos()
				|| now - this.requestedAt >= LONGEST_STREAM.toNanos());
	}

	/**
	 * Whether to remember the version of a frame. The last frame wins. The ADDED
	 * frames that begin a watch without a version are in no order and do not count, until
	 * the first frame of another type.
	 */
	boolean counts(WatchEvent<?> event) {
		this.versionsCount = this.versionsCount || !(event instanceof WatchEvent.Added<?>);
		return this.versionsCount;
	}

	/** The requested timeout. */
	Duration timeout() {
		return this.timeout;
	}

	/** How much longer the server is expected to continue. */
	Duration rest(long now) {
		return this.timeout.minusNanos(now - this.requestedAt);
	}

	long frames() {
		return this.frames;
	}

	Duration elapsed(long now) {
		return Duration.ofNanos(now - this.openedAt);
	}

	LoopSignal.Closed closed(long now) {
		Duration sinceRequest = Duration.ofNanos(now - this.requestedAt);
		return new LoopSignal.Closed(elapsed(now).compareTo(BRIEF) < 0, this.frames == 0,
				sinceRequest.plus(PUNCTUAL).compareTo(this.timeout) < 0);
	}

}
