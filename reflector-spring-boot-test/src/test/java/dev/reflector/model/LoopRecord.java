package dev.reflector.model;

import java.time.Duration;

import dev.reflector.model.Call.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What one loop of the reflector asks for in one life, in order, and whether it keeps the
 * distances. The reflector tells when it gives up a watch: what it asks for before that
 * is beside the watch, what it asks for after that follows it.
 */
final class LoopRecord {

	private final String loop;

	private final Distances distances;

	private final Coverage coverage = new Coverage();

	private @Nullable Call before;

	private @Nullable Call present;

	/** Asked for while the present one goes on. */
	private @Nullable Call beside;

	/** Something was in vain beside a watch, and nothing may be asked for until then. */
	private long heldUntil = Long.MIN_VALUE;

	/** Whether it was told to ask: at its start, and when a list is wanted. */
	private boolean told = true;

	/** How many requests had to keep a distance. */
	private int kept;

	LoopRecord(String loop, Distances distances) {
		this.loop = loop;
		this.distances = distances;
	}

	/**
	 * Notes a request.
	 * @param call the request
	 * @return what it came too soon after, or {@code null} when it did not
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
		boolean asWished = call.asked >= before.notBefore || this.distances.isOverdue(before);
		boolean atOnce = this.distances.mayFollowAtOnce(before, call);
		if (!atOnce || call.asked < this.heldUntil) {
			this.kept++;
		}
		return asWished && call.asked >= this.heldUntil && (atOnce || this.distances.hasWaited(before.over(), call));
	}

	/** Notes that it has been told to ask at once. */
	void told() {
		this.told = true;
	}

	/**
	 * Notes that a watch is given up.
	 * @param now the time
	 * @param lasted for how long the reflector has had it
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
	 * Until when something that was in vain holds back what comes next. When anything has
	 * come of it, that may have been the reason, and nobody knows when it was heard.
	 */
	private long heldBy(Call call) {
		boolean clear = !call.told && call.answered;
		long since = clear ? call.heardOf() : call.asked;
		return Math.max(since + this.distances.backoff().toNanos(), clear ? call.notBefore : Long.MIN_VALUE);
	}

	/** Notes that what was asked for beside another watch has taken its place. */
	void handsOver() {
		this.present = this.beside;
		this.before = this.beside;
		this.beside = null;
	}

	/** Whether the changes after a full state are coming. */
	boolean follows() {
		return this.present != null && this.present.follows();
	}

	boolean isOf(String loop) {
		return this.loop.equals(loop);
	}

	/** What it claims to know without a gap. */
	Coverage coverage() {
		return this.coverage;
	}

	/** How many requests had to keep a distance. */
	int kept() {
		return this.kept;
	}

}
