package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.reflector.ReflectorStatus.SlowestListener;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The marks of all namespaces of a run. Decides when to set marks, and when to store the
 * states that handlers have completed up to a mark. {@link #reached()} is called by the
 * thread that writes the mirror. Any thread may ask how far the snapshot is behind. All
 * other methods are called by the thread that writes the snapshot.
 *
 * @param <S> the type of the state that is completed when a mark has passed
 */
public final class MarkedStates<S> {

	private final Source<S> source;

	/** The marks of each namespace that is followed separately. */
	private final List<CompletionMarks<S>> marks = new ArrayList<>();

	private final Pace pace;

	/**
	 * Creates the marks of a run.
	 * @param scopes the number of namespaces that are followed separately, 1 if all are
	 * followed together
	 * @param interval the commit interval
	 * @param time source of time
	 * @param source supplies the states of the mirror
	 */
	public MarkedStates(int scopes, Duration interval, TimeSource time, Source<S> source) {
		this.source = source;
		this.pace = new Pace(interval, time);
		for (int scope = 0; scope < scopes; scope++) {
			this.marks.add(new CompletionMarks<>(time));
		}
	}

	/**
	 * Notes that the mirror has reached a version. Called by the thread that writes the
	 * mirror.
	 */
	public void reached() {
		for (int scope = 0; scope < this.marks.size(); scope++) {
			String version = this.source.version(scope);
			this.marks.get(scope).reached(version, this.source.isStored(scope, version));
		}
	}

	private boolean isUnmarked(int scope) {
		String version = this.source.version(scope);
		return this.marks.get(scope).isUnmarked(version) && !this.source.isStored(scope, version);
	}

	/**
	 * Sets a mark in each namespace that has changed, if a mark is due.
	 * @param now whether to set marks even if none is due
	 * @param passed called by any thread when a mark has passed
	 */
	public void mark(boolean now, Runnable passed) {
		int spacing = 0;
		for (int scope = 0; scope < this.marks.size(); scope++) {
			if ((now || this.pace.untilMark() <= 0) && isUnmarked(scope)) {
				CompletionMarks<S> marks = this.marks.get(scope);
				String version = this.source.version(scope);
				spacing = Math.max(spacing, marks.spacing());
				if (!this.source.isBehind(scope)) {
					marks.skip(version);
					continue;
				}
				CompletionMarks<S>.Mark mark = marks.set(version);
				mark.state().whenComplete((state, lost) -> passed.run());
				this.source.send(scope, mark);
			}
		}
		if (spacing > 0) {
			this.pace.marked(spacing);
		}
	}

	/**
	 * Stores the newest completed state of each namespace, if a commit is due.
	 * @param now whether to commit even if no commit is due
	 * @param commit stores a state
	 * @return {@code false} if a mark was lost since the last call: handlers will not
	 * complete the state of that mark, so it cannot be stored
	 * @throws InterruptedException when the thread is interrupted
	 */
	public boolean commit(boolean now, Commit<S> commit) throws InterruptedException {
		boolean possible = true;
		Duration all = null;
		for (int scope = 0; (now || this.pace.untilCommit() <= 0) && scope < this.marks.size(); scope++) {
			CompletionMarks<S> marks = this.marks.get(scope);
			CompletionMarks<S>.Mark newest = marks.takeNewest();
			possible &= !marks.takeLost();
			if (newest == null) {
				continue;
			}
			Duration took = commit.commit(scope, newest.state().join());
			if (took != null) {
				marks.stored(newest);
				all = (all != null) ? all.plus(took) : took;
			}
		}
		if (all != null) {
			this.pace.committed(all);
		}
		if (this.marks.stream().allMatch(CompletionMarks::isEmpty)) {
			this.pace.passed();
		}
		return possible;
	}

	/** Drops all marks in the queues, so that their states are not stored. */
	public void forget() {
		this.marks.forEach(CompletionMarks::clear);
	}

	/** Notes that handlers have begun with a state that another process has stored. */
	public void begun() {
		for (int scope = 0; scope < this.marks.size(); scope++) {
			this.marks.get(scope).begun(this.source.isStored(scope, this.source.version(scope)));
		}
	}

	/**
	 * Notes that nothing could be stored, so that new marks must be set for the current
	 * states at once.
	 */
	public void stalled() {
		this.pace.stalled();
		again();
	}

	/**
	 * Allows new marks, even if the versions are the same as when the last marks were
	 * set.
	 */
	public void again() {
		this.marks.forEach(CompletionMarks::again);
	}

	/** Returns the number of the last mark of each namespace. */
	public List<Long> last() {
		return this.marks.stream().map(CompletionMarks::last).toList();
	}

	/**
	 * Whether the given marks and all earlier ones have left the queues.
	 * @param last the number of a mark for each namespace
	 */
	public boolean havePassed(List<Long> last) {
		for (int scope = 0; scope < this.marks.size(); scope++) {
			if (!this.marks.get(scope).hasPassed(last.get(scope))) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns the nanoseconds until the next mark or commit is due.
	 * @param now whether completed states are committed at once
	 */
	public long untilDue(boolean now) {
		long left = Long.MAX_VALUE;
		for (int scope = 0; scope < this.marks.size(); scope++) {
			if (this.marks.get(scope).isAnyDone()) {
				left = Math.min(left, now ? 0 : this.pace.untilCommit());
			}
			if (isUnmarked(scope)) {
				left = Math.min(left, this.pace.untilMark());
			}
		}
		return left;
	}

	/**
	 * Returns the time of the oldest change that is not stored yet, or {@code null} if
	 * all changes are stored.
	 */
	public @Nullable Instant behindSince() {
		return first((marks) -> Optional.ofNullable(marks.behindSince()), Comparator.<Instant>naturalOrder());
	}

	/**
	 * Returns the listener that is furthest behind, or {@code null} if none is behind.
	 */
	public @Nullable SlowestListener slowest() {
		return first((marks) -> Optional.ofNullable(marks.slowest()), Comparator.comparing(SlowestListener::since));
	}

	private <F> @Nullable F first(Function<CompletionMarks<S>, Optional<F>> fact, Comparator<? super F> order) {
		return this.marks.stream().map(fact).flatMap(Optional::stream).min(order).orElse(null);
	}

	/**
	 * Supplies the states of the mirror.
	 *
	 * @param <S> the type of the state that is completed when a mark has passed
	 */
	public interface Source<S> {

		/**
		 * Returns the version that the mirror has reached. Called by any thread.
		 * @param scope the number of the namespace
		 * @return the version, empty before the first list
		 */
		String version(int scope);

		/**
		 * Whether the stored state has the given version. Called by any thread.
		 * @param scope the number of the namespace
		 * @param version the version
		 */
		boolean isStored(int scope, String version);

		/**
		 * Whether the mirror has a change that is not stored. Called by the thread that
		 * writes the snapshot, if the mirror and the stored state have different
		 * versions.
		 * @param scope the number of the namespace
		 */
		boolean isBehind(int scope);

		/**
		 * Sends a mark through the mirror and the queues of all handlers. The mark
		 * receives a state of the mirror at one version of the server. The mark completes
		 * with this state once every handler has completed all changes up to this
		 * version. The mark completes exceptionally if the mirror has no such state now.
		 * Called by the thread that writes the snapshot.
		 * @param scope the number of the namespace that is followed separately, 0 if all
		 * are followed together
		 * @param mark the mark
		 */
		void send(int scope, CompletionMarks<S>.Mark mark);

	}

	/**
	 * Stores a state.
	 *
	 * @param <S> the type of the state that is completed when a mark has passed
	 */
	public interface Commit<S> {

		/**
		 * Stores a state.
		 * @param scope the number of the namespace
		 * @param state the state
		 * @return how long the commit took, or {@code null} if the state was not stored
		 * completely
		 * @throws InterruptedException when the thread is interrupted
		 */
		@Nullable Duration commit(int scope, S state) throws InterruptedException;

	}

}
