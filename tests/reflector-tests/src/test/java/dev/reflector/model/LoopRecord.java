package dev.reflector.model;

import java.time.Duration;

import dev.reflector.model.Call.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one loop in one run of the reflector, in order, with a check of the
 * delays between them. The reflector reports when it gives up a watch. A request before
 * this report overlaps the watch, a request after the report follows the watch.
 */
final class LoopRecord {

	private final String loop;

	private final Distances distances;

	private final Coverage coverage = new Coverage();

	private @Nullable Call before;

	private @Nullable Call present;

	/** The watch that was requested while the current watch is open. */
	private @Nullable Call beside;

	/**
	 * An overlapping watch has failed, and the next request must not come before this
	 * time.
	 */
	private long heldUntil = Long.MIN_VALUE;

	/**
	 * Whether the next request needs no delay: at the start, and after a requested list.
	 */
	private boolean told = true;

	/** The number of requests before which a delay was due. */
	private int kept;

	LoopRecord(String loop, Distances distances) {
		this.loop = loop;
		this.distances = distances;
	}

	/**
	 * Records a request.
	 * @param call the request
	 * @return the call after which the request came too soon, or {@code null}
	 */
	@Nullable Object asks(Call call) {
		Call present = this.present;
		if (present != null) {
			boolean inTime = this.distances.mayFollowBeside(present, call) && this.beside == null;
			present.followed = true;
			this.beside = call;
			return inTime ? null : "beside " + present;
		}
		Call before = this.before;
		if (before != null && call.continued) {
			call.version = before.version;
		}
		boolean inTime = this.told || before == null || keepsDistance(before, call);
		String hold = (call.asked < this.heldUntil) ? " held" : "";
		this.told = false;
		this.heldUntil = Long.MIN_VALUE;
		this.before = call;
		this.present = (call.kind == Kind.LIST) ? null : call;
		return inTime ? null : before + hold;
	}

	private boolean keepsDistance(Call before, Call call) {
		boolean asWished = call.asked >= before.notBefore || this.distances.isOverdue(before)
				|| this.distances.mayListInstead(before, call);
		boolean atOnce = this.distances.mayFollowAtOnce(before, call);
		if (!atOnce || call.asked < this.heldUntil) {
			this.kept++;
		}
		return asWished && call.asked >= this.heldUntil && (atOnce || this.distances.hasWaited(before.over(), call));
	}

	/**
	 * Whether a request asks for a full state that the previous request has brought
	 * completely.
	 */
	boolean readsAgain(Call call) {
		return this.present == null && this.before != null && this.before.isWhole() && call.kind != Kind.WATCH
				&& !call.continued;
	}

	/** Records that the next request may come at once. */
	void told() {
		this.told = true;
	}

	/**
	 * Records that the loop has taken a full state.
	 * @param now the time
	 * @return the stream that has brought the state, or {@code null} if a list has
	 */
	@Nullable Call takesFullState(long now) {
		Call present = this.present;
		if (present == null || present.kind != Kind.STREAM) {
			return null;
		}
		present.succeeded = true;
		present.completeAt = now;
		return present;
	}

	/**
	 * Records that the reflector gives up a watch.
	 * @param now the time
	 * @param lasted how long the watch was open
	 */
	void leaves(long now, Duration lasted) {
		Call beside = this.beside;
		Call present = this.present;
		if (beside != null && (present == null || beside.asked == now - lasted.toNanos())) {
			beside.left = now;
			this.beside = null;
			if (present != null) {
				this.heldUntil = Math.max(this.heldUntil, heldBy(beside));
			}
		}
		else if (present != null) {
			present.left = now;
			this.present = null;
			this.before = present;
		}
	}

	/**
	 * The time until which a failed overlapping watch delays the next request. When the
	 * watch has delivered something, that may have been the reason to give it up. The
	 * time at which the loop handled it is not known then, so the time of the request
	 * counts.
	 */
	private long heldBy(Call call) {
		boolean clear = !call.told && call.answered;
		long since = clear ? call.heardOf() : call.asked;
		return Math.max(since + this.distances.backoff().toNanos(), clear ? call.notBefore : Long.MIN_VALUE);
	}

	/** Records that the overlapping watch has taken over. */
	void handsOver() {
		this.present = this.beside;
		this.before = this.beside;
		this.beside = null;
	}

	/** Whether the changes after a full state are coming. */
	boolean follows() {
		return this.present != null && this.present.follows();
	}

	String loop() {
		return this.loop;
	}

	boolean isOf(String loop) {
		return this.loop.equals(loop);
	}

	/** The versions that the loop claims to have followed without a gap. */
	Coverage coverage() {
		return this.coverage;
	}

	/** The number of requests before which a delay was due. */
	int kept() {
		return this.kept;
	}

}
