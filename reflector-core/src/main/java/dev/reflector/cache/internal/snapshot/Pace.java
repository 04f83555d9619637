package dev.reflector.cache.internal.snapshot;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;

/**
 * Determines when the writer of a snapshot may set marks and commit. Used by the thread
 * of the writer.
 */
public final class Pace {

	/**
	 * The pause after commits is at least this many times as long as the commits took. So
	 * under load, commits take about a sixteenth of one processor, and several changes of
	 * an object become one.
	 */
	private static final int PAUSE_FACTOR = 15;

	/** The longest pause after a commit, unless the commit interval is longer. */
	private static final long MOST_PAUSE_MILLIS = 8000;

	/** The shortest time between two marks, even if the commit interval is shorter. */
	private static final Duration SHORTEST = Duration.ofMillis(1);

	/**
	 * The longest interval. Longer ones are cut to this, so that it can be added to a
	 * time.
	 */
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
	 * Returns how long to wait after commits. The longer they took, the longer is the
	 * pause, so that commits do not take much of a processor.
	 * @param interval the commit interval
	 * @param commits how long the commits took together
	 * @return the pause
	 */
	public static Duration pause(Duration interval, Duration commits) {
		long millis = Math.min(MOST_PAUSE_MILLIS, commits.toMillis() * PAUSE_FACTOR);
		return (interval.toMillis() > millis) ? interval : Duration.ofMillis(millis);
	}

	/**
	 * Notes that a mark was set. A commit stores the newest mark that is completed, so a
	 * pause between commits does not delay the next mark.
	 * @param spacing how many commit intervals later the next mark is due
	 */
	public void marked(int spacing) {
		this.markAt = this.time.nanoTime() + apart(spacing);
	}

	/**
	 * Notes that no mark is under way, so that the next mark need not wait for longer
	 * than one commit interval.
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
	 * @param took how long this took
	 */
	public void committed(Duration took) {
		this.commitAt = this.time.nanoTime() + pause(this.interval, took).toNanos();
	}

	/**
	 * Notes that nothing could be done, so that the next attempt may mark and commit at
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
