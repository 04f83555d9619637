package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;

import dev.reflector.cache.config.TimeSource;

/**
 * The timers of the activities of a list/watch loop. Each posts a message to the mailbox
 * when its time has come.
 *
 * @param <T> the type of the objects
 */
public final class LoopTimers<T> {

	/** E-35: how much longer than it was asked for a watch may last. */
	private static final Duration GRACE = Duration.ofSeconds(30);

	/** How long a page of a list may take; it may be the whole list. */
	public static final Duration PAGE = Duration.ofMinutes(5);

	private static final Runnable NOTHING = () -> {
	};

	private final TimeSource time;

	private final Mailbox<T> mailbox;

	private Runnable activityTimer = NOTHING;

	private Runnable deadline = NOTHING;

	private Runnable overlapTimer = NOTHING;

	LoopTimers(TimeSource time, Mailbox<T> mailbox) {
		this.time = time;
		this.mailbox = mailbox;
	}

	/** Ends a delay. */
	void elapse(long activity, Duration delay) {
		this.activityTimer.run();
		this.activityTimer = schedule(activity, delay, LoopMessage.Elapsed::new);
	}

	/** Reports that a watch has lasted for a while. */
	void settle(long activity, Duration delay) {
		this.activityTimer.run();
		this.activityTimer = schedule(activity, delay, LoopMessage.Settled::new);
	}

	/**
	 * Ends a watch that has lasted longer than it should (E-35).
	 * @param rest for how long the server is expected to continue it
	 */
	void overdue(long activity, Duration rest) {
		this.deadline.run();
		this.deadline = schedule(activity, rest.plus(GRACE), (number) -> new LoopMessage.Closed<>(number, true));
	}

	/**
	 * Reminds of a page of a list that does not end, and fails it after {@link #PAGE}.
	 */
	void awaitPage(long activity, RequestProgress page) {
		remind(activity, WatchProgress.REMINDER);
		this.deadline.run();
		this.deadline = schedule(activity, PAGE,
				(number) -> new LoopMessage.Failed<>(number,
						new TimeoutException("the response to the list was still incomplete after " + PAGE.toMinutes()
								+ " minutes; " + page.soFar())));
	}

	/** Reports that it is time to open the next watch. */
	void overlap(long activity, Duration delay) {
		this.overlapTimer.run();
		this.overlapTimer = schedule(activity, delay, LoopMessage.OverlapDue::new);
	}

	/** Reports that the next watch has lasted for a while. */
	void settleNext(long activity, Duration delay) {
		this.overlapTimer.run();
		this.overlapTimer = schedule(activity, delay, LoopMessage.Settled::new);
	}

	/** Cancels the timer of the next watch. */
	void cancelOverlap() {
		this.overlapTimer.run();
		this.overlapTimer = NOTHING;
	}

	/** Reports that the end of a full state is still awaited. */
	void remind(long activity, Duration delay) {
		reminded();
		this.activityTimer = schedule(activity, delay, LoopMessage.MarkerDue::new);
	}

	/** Cancels the reminder. */
	void reminded() {
		this.activityTimer.run();
		this.activityTimer = NOTHING;
	}

	void cancel() {
		this.activityTimer.run();
		this.deadline.run();
		this.activityTimer = NOTHING;
		this.deadline = NOTHING;
		cancelOverlap();
	}

	private Runnable schedule(long activity, Duration delay, LongFunction<LoopMessage<T>> message) {
		return this.time.schedule(delay, () -> this.mailbox.post(message.apply(activity)));
	}

}
