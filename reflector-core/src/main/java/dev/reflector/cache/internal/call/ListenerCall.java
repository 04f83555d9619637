package dev.reflector.cache.internal.call;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The listener that a delivering thread is calling now. Written by that thread, read by
 * any thread.
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
	 * Returns the call of the current thread, or {@code null} if no reflector delivers on
	 * this thread.
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

	/**
	 * Notes that a handler is about to be called. The handler may call several listeners.
	 * @param subject what the handler is called with
	 * @param handler the name of the handler
	 */
	public void begin(Object subject, String handler) {
		this.subject = subject;
		enter(handler);
	}

	/**
	 * Notes that a listener is about to be called.
	 * @param listener the name of the listener
	 */
	public void enter(String listener) {
		this.inProgress = new InProgress(listener, this.subject, this.time.nanoTime());
	}

	/** Notes that the call has returned. */
	public void leave() {
		this.inProgress = null;
	}

	/**
	 * Notes that a listener has returned, and warns if it was slow. Does nothing on a
	 * thread on which no reflector delivers.
	 * @param listener the name of the listener
	 * @param nanos how long the call took, in nanoseconds
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
	 * @param listener the name of the listener
	 * @param subject what the listener is called with; its text is shown to operators
	 * @param since when the call began, in nanoseconds of the source of time
	 */
	public record InProgress(String listener, Object subject, long since) {

	}

}
