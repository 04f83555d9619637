package dev.reflector.cache;

import org.jspecify.annotations.Nullable;

/**
 * Whom one thread calls at present. Written by that thread, read by any.
 */
final class ListenerCall {

	private final TimeSource time;

	private Object subject = "";

	private volatile @Nullable InProgress inProgress;

	ListenerCall(TimeSource time) {
		this.time = time;
	}

	/** Something is to be told to a handler, which may call several listeners. */
	void begin(Object subject, String handler) {
		this.subject = subject;
		enter(handler);
	}

	void enter(String listener) {
		this.inProgress = new InProgress(listener, this.subject, this.time.nanoTime());
	}

	void leave() {
		this.inProgress = null;
	}

	@Nullable InProgress inProgress() {
		return this.inProgress;
	}

	/**
	 * A call that has not returned.
	 *
	 * @param listener who is called
	 * @param subject what with, in text form shown to operators
	 * @param since when it began
	 */
	record InProgress(String listener, Object subject, long since) {

	}

}
