package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.handler.RequestEnd;
import dev.reflector.cache.source.WatchOptions;

/**
 * One watch of a loop: its request, the timers that belong to it, how far it has come and
 * where it began. Used by the loop's thread, except for the {@link #subscriber()}.
 *
 * @param <T> the type of the objects
 */
final class Watch<T> {

	private final long activity;

	private final WatchOptions options;

	private final Mailbox.WatchSubscriber<T> subscriber;

	private final RequestProgress notes;

	private final LoopTimers<T> timers;

	private WatchProgress progress;

	/** Whether the server has accepted it. */
	private boolean opened;

	/** Whether it delivers what the watch before it has delivered. */
	private boolean repeating;

	/**
	 * A watch that is about to be requested.
	 * @param setup what the loop works with
	 * @param mailbox receives its frames
	 * @param activity the number of its activity
	 * @param options the options of its request
	 * @param notes what is known of its request
	 * @param now the time
	 */
	Watch(LoopSetup<T> setup, Mailbox<T> mailbox, long activity, WatchOptions options, RequestProgress notes,
			long now) {
		this.activity = activity;
		this.options = options;
		this.notes = notes;
		this.subscriber = new Mailbox.WatchSubscriber<>(mailbox, activity, notes.observer(), setup.accessor(),
				setup.time());
		this.timers = new LoopTimers<>(setup.time(), mailbox, activity);
		this.progress = WatchProgress.of(options, now);
	}

	/** The number of its activity, which its messages carry. */
	long activity() {
		return this.activity;
	}

	/** The options of its request. */
	WatchOptions options() {
		return this.options;
	}

	/** The version that it began at. */
	String begin() {
		return this.options.resourceVersion();
	}

	/** Receives its frames, on the threads of the source. */
	Mailbox.WatchSubscriber<T> subscriber() {
		return this.subscriber;
	}

	/** What is known of its request. */
	RequestProgress notes() {
		return this.notes;
	}

	/** How far it has come. */
	WatchProgress progress() {
		return this.progress;
	}

	/** The timers that end with it. */
	LoopTimers<T> timers() {
		return this.timers;
	}

	/** The loop has handled one of its frames, so it may send more. */
	void consumed() {
		this.subscriber.consumed();
	}

	/**
	 * The server has accepted it.
	 * @param now the time
	 */
	void opened(long now) {
		this.opened = true;
		this.progress.initial(now);
		this.notes.observer().opened();
	}

	/** Whether the server has accepted it. */
	boolean isOpened() {
		return this.opened;
	}

	/**
	 * It counts as working once it has lasted for a while.
	 * @param delay how long
	 */
	void settle(Duration delay) {
		this.timers.settle(delay);
	}

	/**
	 * It takes the place of the watch before it.
	 * @param version the version that the watch before has reached
	 */
	void follow(String version) {
		this.repeating = !version.equals(begin());
	}

	/** Whether it delivers what the watch before it has delivered. */
	boolean isRepeating() {
		return this.repeating;
	}

	/** It has reached the version of the watch before it: what follows is new. */
	void caughtUp() {
		this.repeating = false;
	}

	/**
	 * It has brought the full state, and continues with what follows.
	 * @param now the time
	 */
	void inherit(long now) {
		this.timers.reminded();
		this.progress = this.progress.inherited(now);
	}

	/**
	 * Closes it.
	 * @param now the time
	 * @return why it has ended
	 */
	RequestEnd.Reason end(long now) {
		this.timers.cancel();
		this.subscriber.dispose();
		return this.notes.end(this.progress.elapsed(now), this.progress.frames());
	}

}
