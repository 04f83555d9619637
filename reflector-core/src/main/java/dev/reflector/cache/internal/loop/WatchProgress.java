package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;

/**
 * The progress of one watch since it was requested.
 */
public final class WatchProgress {

	public static final Duration BRIEF = Duration.ofSeconds(1);

	/**
	 * How often to check a request that is still incomplete, such as a stream whose end
	 * marker is missing.
	 */
	public static final Duration REMINDER = Duration.ofSeconds(10);

	/** How long a streamed full state may pause between two objects. */
	static final Duration PATIENCE = Duration.ofSeconds(30);

	/** How long a streamed full state may take in total. */
	static final Duration LONGEST_STREAM = Duration.ofMinutes(5);

	/** How long before its timeout a watch may end and still count as ended on time. */
	private static final Duration PUNCTUAL = Duration.ofSeconds(2);

	private final TimeSource time;

	private final Duration timeout;

	private final long requestedAt;

	private final long openedAt;

	private long frames;

	private long lastFrameAt;

	/** Whether the server has accepted the watch, so that frames are expected. */
	private boolean accepted;

	private long lastInitialAt;

	/** Whether the loop remembers the versions of ADDED frames. */
	private boolean versionsCount;

	private WatchProgress(TimeSource time, Duration timeout, long requestedAt, long openedAt, boolean versionsCount) {
		this.time = time;
		this.timeout = timeout;
		this.requestedAt = requestedAt;
		this.openedAt = openedAt;
		this.versionsCount = versionsCount;
	}

	/**
	 * Creates the progress of a watch. Must be called before the watch is requested,
	 * because some proxies hold back the headers of the answer.
	 * @param options the options of the request
	 * @param time source of time
	 * @return the progress
	 */
	public static WatchProgress of(WatchOptions options, TimeSource time) {
		String version = options.resourceVersion();
		long now = time.nanoTime();
		return new WatchProgress(time, options.timeout(), now, now,
				!options.sendInitialEvents() && !version.isEmpty() && !version.equals("0"));
	}

	/**
	 * Returns the progress of the same stream after it has delivered the full state. The
	 * duration of the watch starts over, and the versions of frames count from now
	 * on.
	 */
	WatchProgress inherited() {
		WatchProgress inherited = new WatchProgress(this.time, this.timeout, this.requestedAt, this.time.nanoTime(),
				true);
		inherited.accepted = this.accepted;
		return inherited;
	}

	/**
	 * Notes that the server has accepted the watch, or that an object of the full state
	 * has arrived, readable or not.
	 */
	void initial() {
		this.accepted = true;
		this.lastInitialAt = this.time.nanoTime();
	}

	/**
	 * Notes that a frame has arrived. Must be called only for frames that could be read
	 * (R-70).
	 */
	public void frame() {
		this.frames++;
		this.lastFrameAt = this.time.nanoTime();
	}

	/**
	 * Returns a text for the log while the end marker of a streamed full state is missing
	 * (R-50).
	 * @return the text, which says for how long nothing has arrived; {@code null} if
	 * something has arrived in the last ten seconds
	 */
	@Nullable public String overdueMarker() {
		Duration silent = silent();
		if (silent.compareTo(REMINDER) < 0) {
			return null;
		}
		return ((this.frames == 0) ? "nothing has come since the request " : "the last event came ")
				+ silent.toSeconds() + " s ago";
	}

	/**
	 * Returns a text for the log while the end marker of a streamed full state is
	 * missing. The text also says how many events have arrived.
	 */
	String missingMarker() {
		return ((this.frames == 0) ? "nothing has come since the request "
				: this.frames + " events have come, the last one ") + silent().toSeconds() + " s ago";
	}

	/** Returns for how long nothing has arrived. */
	private Duration silent() {
		return since((this.frames == 0) ? this.requestedAt : this.lastFrameAt);
	}

	private Duration since(long moment) {
		return Duration.ofNanos(this.time.nanoTime() - moment);
	}

	/** Whether the server has accepted the watch. */
	boolean isAccepted() {
		return this.accepted;
	}

	/**
	 * Whether the server has accepted the watch but seems unable to stream the full
	 * state: no object has arrived for 30 seconds, or the stream takes more than five
	 * minutes.
	 */
	boolean isStuck() {
		return this.accepted && (since(this.lastInitialAt).compareTo(PATIENCE) >= 0
				|| since(this.requestedAt).compareTo(LONGEST_STREAM) >= 0);
	}

	/**
	 * Whether to remember the version of a frame, in place of the version of the previous
	 * frame. If a watch begins without a version, its first ADDED frames are in no
	 * order, so their versions do not count until a frame of another type has arrived
	 * (R-75).
	 */
	boolean counts(WatchEvent<?> event) {
		this.versionsCount = this.versionsCount || !(event instanceof WatchEvent.Added<?>);
		return this.versionsCount;
	}

	/** Returns the requested timeout. */
	Duration timeout() {
		return this.timeout;
	}

	/** Returns how much longer the server is expected to keep the watch open. */
	Duration rest() {
		return this.timeout.minus(since(this.requestedAt));
	}

	long frames() {
		return this.frames;
	}

	Duration elapsed() {
		return since(this.openedAt);
	}

	LoopSignal.Closed closed() {
		return new LoopSignal.Closed(elapsed().compareTo(BRIEF) < 0, this.frames == 0, rest().compareTo(PUNCTUAL) > 0);
	}

}
