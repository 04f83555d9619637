package dev.reflector.cache;

import java.time.Duration;
import java.util.function.LongFunction;

/**
 * The timers of a list/watch loop. Each posts a message when its time has come, so that
 * time is one more thing that arrives in the mailbox.
 *
 * @param <T> the type of the objects
 */
final class LoopTimers<T> {

	private static final Runnable NOTHING = () -> {
	};

	private final TimeSource time;

	private final Mailbox<T> mailbox;

	private Runnable activityTimer = NOTHING;

	private Runnable resyncTimer = NOTHING;

	private Runnable deadline = NOTHING;

	/** Number of the present pass; a resync of another is stale. */
	private long pass;

	LoopTimers(TimeSource time, Mailbox<T> mailbox) {
		this.time = time;
		this.mailbox = mailbox;
	}

	/** Ends a delay. */
	void elapse(long activity, Duration delay) {
		this.activityTimer.run();
		this.activityTimer = schedule(activity, delay, Mailbox.Elapsed::new);
	}

	/** Tells that a watch has lasted for a while. */
	void settle(long activity, Duration delay) {
		this.activityTimer.run();
		this.activityTimer = schedule(activity, delay, Mailbox.Settled::new);
	}

	/** Ends a watch that has lasted longer than it should (E-35). */
	void overdue(long activity, Duration delay) {
		this.deadline.run();
		this.deadline = schedule(activity, delay, Mailbox.Closed::new);
	}

	/** Tells that the end marker of a streamed full state is still awaited. */
	void remind(long activity, Duration delay) {
		reminded();
		this.activityTimer = schedule(activity, delay, Mailbox.MarkerDue::new);
	}

	/** The end marker has come. */
	void reminded() {
		this.activityTimer.run();
		this.activityTimer = NOTHING;
	}

	/**
	 * Asks for the next resync, unless it has been asked for. Lasts beyond the activity:
	 * else a period longer than a watch would never end.
	 */
	void resync(Duration period) {
		if (this.resyncTimer == NOTHING && !period.isZero()) {
			this.resyncTimer = schedule(this.pass, period, Mailbox.ResyncDue::new);
		}
	}

	/** Whether a resync is that of this pass; if so, the next can be asked for. */
	boolean isPresent(Mailbox.ResyncDue<T> due) {
		boolean present = due.pass() == this.pass;
		if (present) {
			this.resyncTimer = NOTHING;
		}
		return present;
	}

	/** The pass has ended. */
	void cancelResync() {
		this.pass++;
		this.resyncTimer.run();
		this.resyncTimer = NOTHING;
	}

	void cancel() {
		this.activityTimer.run();
		this.deadline.run();
		this.activityTimer = NOTHING;
		this.deadline = NOTHING;
	}

	private Runnable schedule(long activity, Duration delay, LongFunction<Mailbox.Message<T>> message) {
		return this.time.schedule(delay, () -> this.mailbox.post(message.apply(activity)));
	}

}
