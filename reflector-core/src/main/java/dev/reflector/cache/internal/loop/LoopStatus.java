package dev.reflector.cache.internal.loop;

import java.time.Instant;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ReflectorStatus.LastError;
import org.jspecify.annotations.Nullable;

/**
 * The visible status of a list/watch loop: its state, the last error, and the times of
 * events. Written by the journal of the loop, read by any thread.
 */
public final class LoopStatus {

	private final @Nullable String namespace;

	private volatile ReflectorState shown = ReflectorState.STOPPED;

	private volatile @Nullable Instant failingSince;

	private volatile @Nullable Instant nextAttemptAt;

	private volatile @Nullable LastError lastError;

	private volatile @Nullable Instant lastListAt;

	private volatile @Nullable Instant lastEventAt;

	private volatile boolean answered;

	private volatile boolean bookmarked;

	LoopStatus(@Nullable String namespace) {
		this.namespace = namespace;
	}

	public ReflectorState shown() {
		return this.shown;
	}

	void show(ReflectorState state) {
		this.shown = state;
	}

	boolean isFailing() {
		return this.failingSince != null;
	}

	@Nullable public Instant failingSince() {
		return this.failingSince;
	}

	@Nullable public LastError lastError() {
		return this.lastError;
	}

	void lastError(LastError error) {
		this.lastError = error;
	}

	/** Notes that an attempt has failed. The failure may be the first one of a series. */
	void failed(Instant at, LastError error) {
		this.lastError = error;
		if (this.failingSince == null) {
			this.failingSince = at;
		}
	}

	void recovered() {
		this.failingSince = null;
	}

	void nextAttemptAt(@Nullable Instant at) {
		this.nextAttemptAt = at;
	}

	@Nullable public Instant lastListAt() {
		return this.lastListAt;
	}

	void listed(Instant at) {
		this.lastListAt = at;
	}

	@Nullable public Instant lastEventAt() {
		return this.lastEventAt;
	}

	void received(Instant at) {
		this.lastEventAt = at;
	}

	/**
	 * Returns the time at which the server last sent a resource version of the
	 * collection, in a list or an event, or {@code null} if it has not sent one.
	 */
	@Nullable public Instant lastProgressAt() {
		Instant list = this.lastListAt;
		Instant event = this.lastEventAt;
		return (list == null || (event != null && event.isAfter(list))) ? event : list;
	}

	/** Notes that the server has answered a request. */
	void answered() {
		this.answered = true;
	}

	/**
	 * Whether all of this is true: the server has answered a request, no attempt has
	 * failed since the last successful one, and the loop is listing, watching or polling.
	 */
	public boolean isConnected() {
		ReflectorState state = this.shown;
		return this.answered && !isFailing() && (state == ReflectorState.LISTING || state == ReflectorState.WATCHING
				|| state == ReflectorState.POLLING);
	}

	/** Whether the server has sent a bookmark on a watch since the last pause. */
	public boolean isBookmarked() {
		return this.bookmarked;
	}

	void bookmarked(boolean bookmarked) {
		this.bookmarked = bookmarked;
	}

	/**
	 * Returns the status in its public form.
	 * @param version the last version of the loop
	 */
	public ReflectorStatus.Scope scope(String version) {
		return new ReflectorStatus.Scope(this.namespace, this.shown, isConnected(), version, lastProgressAt(),
				this.failingSince, this.nextAttemptAt, this.lastError);
	}

}
