package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.handler.RequestEnd;
import dev.reflector.cache.source.WatchOptions;

/**
 * A watch of a loop, with its request, its timers, its progress and the version that it
 * began at. Used by the loop's thread, except for the {@link #subscriber()}.
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

	/** Whether the watch repeats frames that the previous watch has delivered. */
	private boolean repeating;

	/**
	 * Creates a watch that is about to be requested.
	 * @param setup the setup of the loop
	 * @param mailbox receives the frames
	 * @param activity the number of the watch's activity
	 * @param options the options of the request
	 * @param notes the progress of the request
	 */
	Watch(LoopSetup<T> setup, Mailbox<T> mailbox, long activity, WatchOptions options, RequestProgress notes) {
		this.activity = activity;
		this.options = options;
		this.notes = notes;
		this.subscriber = new Mailbox.WatchSubscriber<>(mailbox, activity, notes.observer(), setup.accessor(),
				setup.time());
		this.timers = new LoopTimers<>(setup.time(), mailbox, activity);
		this.progress = WatchProgress.of(options, setup.time());
	}

	/**
	 * Returns the number of the watch's activity, which the messages of the watch
	 * contain.
	 */
	long activity() {
		return this.activity;
	}

	/** Returns the options of the request. */
	WatchOptions options() {
		return this.options;
	}

	/** Returns the version that the watch began at. */
	String begin() {
		return this.options.resourceVersion();
	}

	/** Returns the subscriber that receives the frames, on the threads of the source. */
	Mailbox.WatchSubscriber<T> subscriber() {
		return this.subscriber;
	}

	/** Returns the progress of the request. */
	RequestProgress notes() {
		return this.notes;
	}

	/** Returns the progress of the watch. */
	WatchProgress progress() {
		return this.progress;
	}

	/** Returns the timers that end with the watch. */
	LoopTimers<T> timers() {
		return this.timers;
	}

	/**
	 * Notes that the loop has handled a frame of this watch, so that more frames can be
	 * requested.
	 */
	void consumed() {
		this.subscriber.consumed();
	}

	/** Notes that the server has accepted the watch. */
	void opened() {
		this.progress.initial();
		this.notes.observer().opened();
	}

	/** Whether the server has accepted the watch. */
	boolean isOpened() {
		return this.progress.isAccepted();
	}

	/**
	 * Notes that this watch replaces the previous watch.
	 * @param version the version that the previous watch has reached
	 */
	void follow(String version) {
		this.repeating = !version.equals(begin());
	}

	/** Whether the watch repeats frames that the previous watch has delivered. */
	boolean isRepeating() {
		return this.repeating;
	}

	/**
	 * Notes that this watch has reached the version of the previous watch, so that its
	 * next frames are new.
	 */
	void caughtUp() {
		this.repeating = false;
	}

	/** Notes that the watch has delivered the full state, and continues with changes. */
	void inherit() {
		this.timers.reminded();
		this.progress = this.progress.inherited();
	}

	/**
	 * Closes the watch.
	 * @return why the watch has ended
	 */
	RequestEnd.Reason end() {
		Duration elapsed = this.progress.elapsed();
		this.timers.cancel();
		this.subscriber.dispose();
		return this.notes.end(elapsed, this.progress.frames());
	}

}
