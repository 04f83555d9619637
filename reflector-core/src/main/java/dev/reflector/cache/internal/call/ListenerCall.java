package dev.reflector.cache.internal.call;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Records the listener that one thread calls at present. Written by that thread, read by
 * any.
 */
public final class ListenerCall {

	private static final ThreadLocal<@Nullable ListenerCall> CURRENT = new ThreadLocal<>();

	private final TimeSource time;

	private final SlowListeners slow;

	private Object subject = "";

	private volatile @Nullable InProgress inProgress;

	/**
	 * Creates the call of a thread.
	 * @param time source of time
	 * @param slow warns of listeners that take long
	 */
	public ListenerCall(TimeSource time, SlowListeners slow) {
		this.time = time;
		this.slow = slow;
	}

	/**
	 * Returns the call of the current thread, {@code null} when no reflector delivers on
	 * it.
	 */
	public static @Nullable ListenerCall current() {
		return CURRENT.get();
	}

	/** Notes that the current thread delivers from now on. */
	public void attach() {
		CURRENT.set(this);
	}

	/** Notes that the current thread no longer delivers. */
	public static void detach() {
		CURRENT.remove();
	}

	/** Notes that a handler is about to be called, which may call several listeners. */
	public void begin(Object subject, String handler) {
		this.subject = subject;
		enter(handler);
	}

	/** Notes that a listener is about to be called. */
	public void enter(String listener) {
		this.inProgress = new InProgress(listener, this.subject, this.time.nanoTime());
	}

	/** Notes that no listener is called from now on. */
	public void leave() {
		this.inProgress = null;
	}

	/**
	 * Notes that a listener has returned to the current thread, and warns if it was slow.
	 * Does nothing on threads on which no reflector delivers.
	 * @param listener name of the listener
	 * @param nanos how long the call took
	 * @param subject what the listener was called with; its text is logged
	 */
	public static void took(String listener, long nanos, Object subject) {
		ListenerCall call = CURRENT.get();
		if (call != null) {
			call.slow.took(listener, nanos, subject);
		}
	}

	public @Nullable InProgress inProgress() {
		return this.inProgress;
	}

	/**
	 * A call that has not returned.
	 *
	 * @param listener name of the listener that is called
	 * @param subject what it is called with, in text form shown to operators
	 * @param since when it began
	 */
	public record InProgress(String listener, Object subject, long since) {

	}

}
