package dev.reflector.cache.internal.snapshot;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;

/**
 * When the writer of a snapshot may set marks and commit. Used by its thread.
 */
public final class Pace {

	/**
	 * The pause after commits is at least this many times as long as the commits took. So
	 * under load they take about a sixteenth of one processor, and several changes of an
	 * object become one.
	 */
	private static final int PAUSE_FACTOR = 15;

	/** The longest pause after a commit, unless the commit interval is longer. */
	private static final long MOST_PAUSE_MILLIS = 8000;

	/** Marks are set less often by multiples of this, or of the commit interval. */
	private static final Duration SHORTEST = Duration.ofMillis(1);

	/** Longer intervals are as good as this one, to which a time can be added. */
	private static final Duration LONGEST = Duration.ofDays(365);

	private final Duration interval;

	private final TimeSource time;

	private long markAt;

	private long commitAt;

	/**
	 * Creates a pace that begins at once.
	 * @param interval the commit interval
	 * @param time source of time
	 */
	public Pace(Duration interval, TimeSource time) {
		this.interval = (interval.compareTo(LONGEST) > 0) ? LONGEST : interval;
		this.time = time;
		this.markAt = time.nanoTime();
		this.commitAt = this.markAt;
	}

	/**
	 * How long to wait after commits: after long ones longer, so that they do not take
	 * much of a processor.
	 * @param interval the commit interval
	 * @param commits how long they took together
	 * @return the pause
	 */
	public static Duration pause(Duration interval, Duration commits) {
		long millis = Math.min(MOST_PAUSE_MILLIS, commits.toMillis() * PAUSE_FACTOR);
		return (interval.toMillis() > millis) ? interval : Duration.ofMillis(millis);
	}

	/**
	 * A mark was set. A commit takes the newest one that is completed, so a pause between
	 * commits does not delay the next mark.
	 * @param spacing how many commit intervals later the next one is due
	 */
	public void marked(int spacing) {
		this.markAt = this.time.nanoTime() + apart(spacing);
	}

	/** No mark is under way: the next one need not wait for longer than an interval. */
	public void passed() {
		long next = this.time.nanoTime() + apart(1);
		this.markAt = (next - this.markAt < 0) ? next : this.markAt;
	}

	private long apart(int spacing) {
		Duration apart = ((this.interval.compareTo(SHORTEST) > 0) ? this.interval : SHORTEST).multipliedBy(spacing);
		return ((apart.compareTo(LONGEST) > 0) ? LONGEST : apart).toNanos();
	}

	/**
	 * Something was committed.
	 * @param took how long that took
	 */
	public void committed(Duration took) {
		this.commitAt = this.time.nanoTime() + pause(this.interval, took).toNanos();
	}

	/** Nothing could be done: the next attempt may do everything. */
	public void stalled() {
		this.markAt = this.time.nanoTime();
		this.commitAt = this.markAt;
	}

	/** The nanoseconds until a mark may be set. */
	public long untilMark() {
		return this.markAt - this.time.nanoTime();
	}

	/** The nanoseconds until a commit may be made. */
	public long untilCommit() {
		return this.commitAt - this.time.nanoTime();
	}

}
