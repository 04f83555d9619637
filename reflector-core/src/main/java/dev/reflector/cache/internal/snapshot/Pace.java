package dev.reflector.cache.internal.snapshot;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;

/**
 * Determines when the writer of a snapshot may set marks and commit. Used by the thread
 * of the writer.
 */
public final class Pace {

	/**
	 * The pause after commits is at least this many times as long as the commits
	 * themselves. So commits use at most about a sixteenth of one processor, and under
	 * load several changes of an object are stored as one.
	 */
	private static final int PAUSE_FACTOR = 15;

	/** The longest pause after a commit, unless the commit interval is longer. */
	private static final long MOST_PAUSE_MILLIS = 8000;

	/** The shortest time between two marks, even if the commit interval is shorter. */
	private static final Duration SHORTEST = Duration.ofMillis(1);

	/**
	 * The longest interval. Longer intervals are cut to this value, so that adding one to
	 * a time cannot overflow.
	 */
	private static final Duration LONGEST = Duration.ofDays(365);

	private final Duration interval;

	private final TimeSource time;

	private long markAt;

	private long commitAt;

	/**
	 * Creates a pace whose first mark and commit are due at once.
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
	 * Returns how long to wait after commits. The pause grows with the duration of the
	 * commits, so that commits do not use much processor time.
	 * @param interval the commit interval
	 * @param commits how long the commits took in total
	 * @return the pause
	 */
	public static Duration pause(Duration interval, Duration commits) {
		long millis = Math.min(MOST_PAUSE_MILLIS, commits.toMillis() * PAUSE_FACTOR);
		return (interval.toMillis() > millis) ? interval : Duration.ofMillis(millis);
	}

	/**
	 * Notes that a mark was set, and schedules the next one. Marks do not wait for
	 * commits, because a commit stores only the newest completed mark.
	 * @param spacing after how many commit intervals the next mark is due
	 */
	public void marked(int spacing) {
		this.markAt = this.time.nanoTime() + apart(spacing);
	}

	/**
	 * Notes that no mark is in the queues. The next mark is then due after one commit
	 * interval at the latest, counted from now.
	 */
	public void passed() {
		long next = this.time.nanoTime() + apart(1);
		this.markAt = (next - this.markAt < 0) ? next : this.markAt;
	}

	private long apart(int spacing) {
		Duration apart = ((this.interval.compareTo(SHORTEST) > 0) ? this.interval : SHORTEST).multipliedBy(spacing);
		return ((apart.compareTo(LONGEST) > 0) ? LONGEST : apart).toNanos();
	}

	/**
	 * Notes that something was committed.
	 * @param took how long the commits took
	 */
	public void committed(Duration took) {
		this.commitAt = this.time.nanoTime() + pause(this.interval, took).toNanos();
	}

	/**
	 * Notes that nothing could be stored, so that the next mark and commit are due at
	 * once.
	 */
	public void stalled() {
		this.markAt = this.time.nanoTime();
		this.commitAt = this.markAt;
	}

	/** Returns the nanoseconds until a mark may be set. */
	public long untilMark() {
		return this.markAt - this.time.nanoTime();
	}

	/** Returns the nanoseconds until a commit may be made. */
	public long untilCommit() {
		return this.commitAt - this.time.nanoTime();
	}

}
