package dev.reflector.cache.internal.call;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Records which listener a delivering thread is currently calling. Written by that
 * thread, read by any thread.
 */
public final class ListenerCall {

	private static final ThreadLocal<@Nullable ListenerCall> CURRENT = new ThreadLocal<>();

	private final TimeSource time;

	private final SlowListeners slow;

	private Object subject = "";

	private volatile @Nullable InProgress inProgress;

	/**
	 * Creates the record of a thread that delivers.
	 * @param time source of time
	 * @param slow logs warnings about slow listeners
	 */
	public ListenerCall(TimeSource time, SlowListeners slow) {
		this.time = time;
		this.slow = slow;
	}

	/**
	 * Returns the record of the current thread, or {@code null} if no reflector delivers
	 * on this thread.
	 */
	public static @Nullable ListenerCall current() {
		return CURRENT.get();
	}

	/** Makes this the record of the current thread, which delivers from now on. */
	public void attach() {
		CURRENT.set(this);
	}

	/** Removes the record of the current thread, which no longer delivers. */
	public static void detach() {
		CURRENT.remove();
	}

	/**
	 * Notes that a handler is about to be called. The handler may call several listeners.
	 * @param subject the argument of the handler's call
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
	 * Notes that a listener has returned, and logs a warning if the call was slow. Does
	 * nothing on a thread on which no reflector delivers.
	 * @param listener the name of the listener
	 * @param nanos how long the call took, in nanoseconds
	 * @param subject the argument of the call; its text is logged
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
	 * @param subject the argument of the call; its text is shown to operators
	 * @param since the start of the call, in nanoseconds of {@link TimeSource#nanoTime()}
	 */
	public record InProgress(String listener, Object subject, long since) implements BusyCalls.Call {

	}

}
