package dev.reflector.model;

import java.time.Duration;

import dev.reflector.model.Call.Kind;

/**
 * Decides which requests of the reflector may follow each other at once, and which only
 * after a delay (2.3). It uses the times that the reflector itself has used: when it has
 * read the clock, and when it has given up the previous request. So it needs no
 * tolerance, even on a busy machine.
 *
 * @param backoff the minimum delay
 * @param overlap the minimum time between the opening of the next watch and the end of
 * the current one; the maximum is twice as long
 * @param clientGo whether the reflector keeps client-go's defects
 */
record Distances(Duration backoff, Duration overlap, boolean clientGo) {

	/** what ends sooner is suspicious. */
	private static final Duration BRIEF = Duration.ofSeconds(1);

	/** E-35: how much longer than it was asked for a watch may last. */
	private static final Duration GRACE = Duration.ofSeconds(30);

	/** How long a stream may be silent before it counts as stuck. */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	/** Whether a watch may be opened while the current watch is open. */
	boolean mayFollowBeside(Call present, Call next) {
		long due = present.asked + present.timeout.minus(this.overlap.multipliedBy(2)).toNanos();
		return !this.clientGo && next.kind == Kind.WATCH && present.watches() && !present.followed && next.asked >= due;
	}

	/** Whether a request need not wait for a delay after the request before it. */
	boolean mayFollowAtOnce(Call before, Call next) {
		return switch (before.kind) {
			case LIST -> before.succeeded ? (next.continued || next.kind == Kind.WATCH) : afterFailedList(before, next);
			case STREAM -> before.succeeded ? afterWatch(before, before.completeAt, next) : afterStream(before, next);
			case WATCH -> afterWatch(before, before.asked, next);
		};
	}

	private static boolean afterFailedList(Call before, Call next) {
		boolean inOnePiece = before.continued && next.limit == 0;
		return before.unavailable && next.kind == Kind.LIST && !next.continued
				&& (inOnePiece || givesUpVersion(before, next));
	}

	private boolean afterStream(Call before, Call next) {
		if (next.kind == Kind.STREAM) {
			// E-01: client-go keeps no distance where a stream has ended well
			return (this.clientGo && before.failed == 0) || (before.unavailable && givesUpVersion(before, next));
		}
		return (next.kind == Kind.LIST && !next.continued && !before.refused) || mayListInstead(before, next);
	}

	private static boolean givesUpVersion(Call before, Call next) {
		return !before.version.isEmpty() && next.version.isEmpty();
	}

	private boolean afterWatch(Call before, long from, Call next) {
		if (next.kind != Kind.WATCH) {
			return false;
		}
		if (this.clientGo) {
			// E-04: the same for a watch
			return before.failed == 0;
		}
		// the clock of a watch starts with the end marker
		return isOverdue(before) || (before.failed == 0 && before.left - from >= BRIEF.toNanos());
	}

	/** Whether the reflector may have given up the watch before it received its end. */
	boolean isOverdue(Call call) {
		return !this.clientGo && call.kind != Kind.LIST && lasted(call, call.timeout.plus(GRACE));
	}

	/**
	 * Whether a stream may have been given up as stuck for a list. What has come of it
	 * may be in the mailbox of the loop still, even a refusal.
	 */
	boolean mayListInstead(Call before, Call next) {
		return next.kind == Kind.LIST && !next.continued && isStuck(before);
	}

	private boolean isStuck(Call call) {
		return !this.clientGo && call.kind == Kind.STREAM && !call.succeeded && lasted(call, PATIENCE);
	}

	private static boolean lasted(Call call, Duration duration) {
		return call.left - call.asked >= duration.toNanos();
	}

	/** Whether a delay has passed since. */
	boolean hasWaited(long since, Call next) {
		return next.asked - since >= this.backoff.toNanos();
	}

}
