package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;

import dev.reflector.cache.config.TimeSource;

/**
 * The timers of an activity of a list/watch loop. When a timer elapses, it posts a
 * message with the number of the activity to the mailbox.
 *
 * @param <T> the type of the objects
 */
public final class LoopTimers<T> {

	/** How much longer than its requested timeout a watch may last (E-35). */
	private static final Duration GRACE = Duration.ofSeconds(30);

	/** How long a page of a list may take. The page may contain the whole list. */
	public static final Duration PAGE = Duration.ofMinutes(5);

	private static final Runnable NOTHING = () -> {
	};

	private final TimeSource time;

	private final Mailbox<T> mailbox;

	private final long activity;

	private Runnable activityTimer = NOTHING;

	private Runnable deadline = NOTHING;

	private Runnable overlapTimer = NOTHING;

	LoopTimers(TimeSource time, Mailbox<T> mailbox, long activity) {
		this.time = time;
		this.mailbox = mailbox;
		this.activity = activity;
	}

	/** Sets the timer that ends a delay. */
	void elapse(Duration delay) {
		this.activityTimer.run();
		this.activityTimer = schedule(delay, LoopMessage.Elapsed::new);
	}

	/** Sets the timer that reports that a watch has lasted for a while. */
	void settle(Duration delay) {
		this.activityTimer.run();
		this.activityTimer = schedule(delay, LoopMessage.Settled::new);
	}

	/**
	 * Sets the timer that ends a watch if the server does not end it in time (E-35).
	 * @param rest how much longer the server is expected to keep the watch open
	 */
	void overdue(Duration rest) {
		this.deadline.run();
		this.deadline = schedule(rest.plus(GRACE), (number) -> new LoopMessage.Closed<>(number, true));
	}

	/**
	 * Sets the timers for a page of a list: one reminds the loop that the page is
	 * incomplete, the other fails the request after {@link #PAGE}.
	 * @param page the progress of the request
	 */
	void awaitPage(RequestProgress page) {
		remind(WatchProgress.REMINDER);
		this.deadline.run();
		this.deadline = schedule(PAGE,
				(number) -> new LoopMessage.Failed<>(number,
						new TimeoutException("the response to the list was still incomplete after " + PAGE.toMinutes()
								+ " minutes; " + page.soFar())));
	}

	/** Sets the timer that reports when to open the next watch. */
	void overlap(Duration delay) {
		this.overlapTimer.run();
		this.overlapTimer = schedule(delay, LoopMessage.OverlapDue::new);
	}

	/** Sets the timer that reports that a full state is still incomplete. */
	void remind(Duration delay) {
		reminded();
		this.activityTimer = schedule(delay, LoopMessage.MarkerDue::new);
	}

	/** Cancels the timer of the reminder. */
	void reminded() {
		this.activityTimer.run();
		this.activityTimer = NOTHING;
	}

	void cancel() {
		reminded();
		this.deadline.run();
		this.deadline = NOTHING;
		this.overlapTimer.run();
		this.overlapTimer = NOTHING;
	}

	private Runnable schedule(Duration delay, LongFunction<LoopMessage<T>> message) {
		return this.time.schedule(delay, () -> this.mailbox.post(message.apply(this.activity)));
	}

}
