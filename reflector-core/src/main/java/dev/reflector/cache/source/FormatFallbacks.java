package dev.reflector.cache.source;

import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Tells when a {@link ListerWatcher} finds out that the server refuses the format in
 * which objects were asked for, so that it goes on with another: who subscribes puts a
 * listener into the context, and a source that falls back calls it.
 *
 * @since 0.1.0
 */
public final class FormatFallbacks {

	private FormatFallbacks() {
	}

	/**
	 * Puts a listener into a context.
	 * @param context the context
	 * @param listener called at each fallback, on a thread that must not be held up
	 * @return the context with the listener
	 */
	public static Context heardBy(Context context, Runnable listener) {
		return context.put(FormatFallbacks.class, listener);
	}

	/**
	 * Tells the listener of a context, if there is one.
	 * @param context the context
	 */
	public static void tell(ContextView context) {
		context.<Runnable>getOrEmpty(FormatFallbacks.class).ifPresent(Runnable::run);
	}

}
