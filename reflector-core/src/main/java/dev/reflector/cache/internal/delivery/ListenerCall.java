package dev.reflector.cache.internal.delivery;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.CalledListener;
import org.jspecify.annotations.Nullable;

/**
 * Whom one thread calls at present. Written by that thread, read by any.
 */
final class ListenerCall implements CalledListener.Call {

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

	@Override
	public void enter(String listener) {
		this.inProgress = new InProgress(listener, this.subject, this.time.nanoTime());
	}

	@Override
	public void leave() {
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
