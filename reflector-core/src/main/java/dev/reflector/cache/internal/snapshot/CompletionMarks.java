package dev.reflector.cache.internal.snapshot;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.reflector.ReflectorStatus.SlowestListener;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The marks of a namespace that are on their way through the queues of the handlers.
 * While the mirror changes, a mark is set at each commit interval. A commit stores the
 * state that all handlers have completed up to a mark, no matter how many changes are
 * queued after the mark.
 * <p>
 * <b>Bounds.</b> At most 64 marks are in the queues. If more would be needed, every
 * second mark is dropped, but not the oldest one, and later marks are set half as often.
 * So at most about a thirtieth of the queued changes lie between two neighboring marks.
 * <p>
 * <b>Threads.</b> The thread that writes the snapshot sets and takes marks. The thread
 * that writes the mirror reports the version of the mirror. Any thread may read their
 * status.
 *
 * @param <S> the type of the state that is completed when a mark has passed
 */
public final class CompletionMarks<S> {

	private static final int MOST = 64;

	private static final int MOST_SPACING = 1 << 24;

	private final TimeSource time;

	/** The marks in the queues, in the order in which they were set. */
	private final Deque<Mark> marks = new ArrayDeque<>();

	private long last;

	private String marked = "";

	private String reached = "";

	/** The mark whose state is being stored. Changes after this mark are not stored. */
	private @Nullable Mark taken;

	/**
	 * The version of the last stored state, until the mirror reports that it has reached
	 * this version; then empty.
	 */
	private String storedAhead = "";

	/** After how many commit intervals the next mark is set. */
	private int spacing = 1;

	/**
	 * The time of the oldest change that is not stored yet, or {@code null} if all
	 * changes are stored.
	 */
	private @Nullable Instant behindSince;

	/** Whether a mark was lost since the last call of {@link #takeLost()}. */
	private boolean lost;

	/**
	 * Creates the marks of a namespace.
	 * @param time source of time
	 */
	public CompletionMarks(TimeSource time) {
		this.time = time;
	}

	/**
	 * Notes that the mirror has reached a version. Called by the thread that writes the
	 * mirror.
	 * @param version the version
	 * @param stored whether the stored state has this version
	 */
	public synchronized void reached(String version, boolean stored) {
		if (!isVersion(version) || version.equals(this.reached)) {
			return;
		}
		this.reached = version;
		Instant now = this.time.now();
		boolean inStep = stored || version.equals(this.storedAhead);
		this.storedAhead = inStep ? "" : this.storedAhead;
		this.behindSince = inStep ? null : (this.behindSince != null) ? this.behindSince : now;
		Iterator<Mark> newestFirst = this.marks.descendingIterator();
		while (newestFirst.hasNext()) {
			newestFirst.next().follow(version, now);
		}
		if (this.taken != null) {
			this.taken.follow(version, now);
		}
	}

	/** Whether a version can be stored. */
	public static boolean isVersion(String version) {
		return !version.isEmpty() && !version.equals("0");
	}

	/**
	 * Whether something has changed since the last mark.
	 * @param version the version of the mirror
	 */
	public synchronized boolean isUnmarked(String version) {
		return isVersion(version) && !version.equals(this.marked);
	}

	/** Returns how many commit intervals lie between two marks. */
	public synchronized int spacing() {
		return this.spacing;
	}

	/**
	 * Allows another mark for the last version, because the state at this version was not
	 * stored.
	 */
	public synchronized void again() {
		this.marked = "";
	}

	/**
	 * Sets a mark.
	 * @param version the version of the mirror
	 * @return the mark, which the caller must send through the mirror and the handlers
	 */
	public synchronized Mark set(String version) {
		this.marked = version;
		newestCompleted();
		if (this.marks.size() >= MOST) {
			// keeps the oldest mark, because handlers complete it next
			boolean[] odd = { true };
			this.marks.removeIf((mark) -> odd[0] = !odd[0]);
			this.spacing = Math.min(MOST_SPACING, 2 * this.spacing);
		}
		Mark mark = new Mark(++this.last);
		this.marks.add(mark);
		return mark;
	}

	/**
	 * Takes the newest mark that all handlers have completed. Drops all older and all
	 * lost marks.
	 * @return the mark, or {@code null} if none was completed since the last call
	 */
	public synchronized @Nullable Mark takeNewest() {
		Mark last = this.marks.peekLast();
		if (last != null && last.isLost()) {
			again();
		}
		Mark newest = newestCompleted();
		this.marks.remove(newest);
		this.taken = newest;
		if (this.marks.size() < MOST / 4) {
			this.spacing = this.marks.isEmpty() ? 1 : Math.max(1, this.spacing / 2);
		}
		return newest;
	}

	/**
	 * Returns the newest completed mark, or {@code null} if there is none. Drops all
	 * older and all lost marks.
	 */
	private @Nullable Mark newestCompleted() {
		Mark newest = null;
		for (Mark mark : this.marks) {
			newest = mark.isCompleted() ? mark : newest;
			this.lost |= mark.isLost();
		}
		long from = (newest != null) ? newest.number : 0;
		this.marks.removeIf((mark) -> mark.number < from || mark.isLost());
		return newest;
	}

	/**
	 * Whether a mark was completed by all handlers, or was lost, and has not been taken
	 * yet.
	 */
	public synchronized boolean isAnyDone() {
		return this.marks.stream().anyMatch((mark) -> mark.state.isDone());
	}

	/**
	 * Returns whether a mark was lost since the last call of this method: handlers will
	 * not complete the state of that mark.
	 */
	public synchronized boolean takeLost() {
		boolean lost = this.lost;
		this.lost = false;
		return lost;
	}

	/** Whether no mark is in the queues. */
	public synchronized boolean isEmpty() {
		return this.marks.isEmpty();
	}

	/** Returns the number of the last mark. */
	public synchronized long last() {
		return this.last;
	}

	/** Whether no mark with this number or a smaller one is still in the queues. */
	public synchronized boolean hasPassed(long number) {
		Mark oldest = this.marks.peek();
		return oldest == null || oldest.number > number;
	}

	/** Drops all marks. Called when handlers start over with another state. */
	public synchronized void clear() {
		this.marks.clear();
		this.marked = "";
		this.storedAhead = "";
		this.spacing = 1;
	}

	/**
	 * Notes that handlers have begun. A mark can then be set for the current version,
	 * even if one was set before.
	 * @param stored whether the stored state has the version of the mirror
	 */
	public synchronized void begun(boolean stored) {
		this.marked = "";
		if (!stored && this.behindSince == null) {
			this.behindSince = this.time.now();
		}
	}

	/** Notes that the state of a mark is stored. */
	public synchronized void stored(Mark mark) {
		boolean inStep = mark.version.equals(this.reached);
		this.storedAhead = inStep ? "" : mark.version;
		this.behindSince = inStep ? null : mark.followedAt;
		this.taken = null;
	}

	/**
	 * Notes that there are no changes to store up to a version, so that the version needs
	 * no mark.
	 */
	public synchronized void skip(String version) {
		this.marked = version;
		if (this.marks.isEmpty()) {
			this.behindSince = null;
		}
	}

	/**
	 * Returns the time of the oldest change that is not stored yet, or {@code null} if
	 * all changes are stored.
	 */
	public synchronized @Nullable Instant behindSince() {
		return this.behindSince;
	}

	/**
	 * Returns a handler that delays the oldest incomplete mark, with the time at which
	 * that mark was set; {@code null} if no mark waits for a handler.
	 */
	public synchronized @Nullable SlowestListener slowest() {
		for (Mark mark : this.marks) {
			Supplier<List<String>> waitedFor = mark.waitedFor;
			List<String> names = (waitedFor != null && !mark.state.isDone()) ? waitedFor.get() : List.of();
			if (!names.isEmpty()) {
				return new SlowestListener(names.get(0), mark.setAt);
			}
		}
		return null;
	}

	/**
	 * A mark. The caller of {@link #set} sends it through the mirror and the queues of
	 * the handlers.
	 */
	public final class Mark {

		private final long number;

		private final Instant setAt = CompletionMarks.this.time.now();

		private final CompletableFuture<S> state = new CompletableFuture<>();

		/** Whether the mirror has reached the state of the mark. */
		private boolean inMirror;

		/** The version of the state of the mark. */
		private String version = "";

		/** The time of the first change after the mark. */
		private @Nullable Instant followedAt;

		private @Nullable Supplier<List<String>> waitedFor;

		private Mark(long number) {
			this.number = number;
		}

		/**
		 * Notes that the mirror has the state of this mark now. Called by the thread that
		 * writes the mirror, maybe before it calls {@link #reached} for this version.
		 * @param version the version of the state
		 */
		public void inMirror(String version) {
			synchronized (CompletionMarks.this) {
				this.inMirror = true;
				this.version = version;
			}
		}

		/**
		 * Notes that this mark was put into the queues of all handlers.
		 * @param passed completes when all handlers have completed everything that was
		 * queued before the mark
		 * @param waitedFor returns the names of the handlers that {@code passed} still
		 * waits for
		 * @param completed the state that handlers have completed when the mark has
		 * passed
		 */
		public void passes(CompletableFuture<Void> passed, Supplier<List<String>> waitedFor, S completed) {
			synchronized (CompletionMarks.this) {
				this.waitedFor = waitedFor;
			}
			passed.whenComplete((nothing, lost) -> {
				if (lost != null) {
					this.state.completeExceptionally(lost);
				}
				else {
					this.state.complete(completed);
				}
			});
		}

		/**
		 * Returns a future of the mark's state. The future completes when all handlers
		 * have completed this state, or exceptionally when the mark was lost.
		 */
		public CompletableFuture<S> state() {
			return this.state;
		}

		private void follow(String version, Instant now) {
			if (this.inMirror && this.followedAt == null && !version.equals(this.version)) {
				this.followedAt = now;
			}
		}

		private boolean isCompleted() {
			return this.state.isDone() && !isLost();
		}

		private boolean isLost() {
			return this.state.isCompletedExceptionally();
		}

	}

}
