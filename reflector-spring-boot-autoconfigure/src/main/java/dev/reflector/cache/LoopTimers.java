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

	/** Tells that a watch has lasted longer than it should. */
	void overdue(long activity, Duration delay) {
		this.deadline.run();
		this.deadline = schedule(activity, delay, Mailbox.Overdue::new);
	}

	/** Asks for the next resync. */
	void resync(long activity, Duration period) {
		this.resyncTimer.run();
		this.resyncTimer = period.isZero() ? NOTHING : schedule(activity, period, Mailbox.ResyncDue::new);
	}

	void cancel() {
		this.activityTimer.run();
		this.resyncTimer.run();
		this.deadline.run();
		this.activityTimer = NOTHING;
		this.resyncTimer = NOTHING;
		this.deadline = NOTHING;
	}

	private Runnable schedule(long activity, Duration delay, LongFunction<Mailbox.Message<T>> message) {
		return this.time.schedule(delay, () -> this.mailbox.post(message.apply(activity)));
	}

}
