package dev.reflector.cache;

import java.util.Optional;
import java.util.function.LongConsumer;

import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Who subscribes to a {@link ListerWatcher} may want to know how many bytes that means:
 * it puts a counter into its context, and a source that receives bytes tells it.
 */
public final class ReceivedBytes {

	private ReceivedBytes() {
	}

	/**
	 * Puts a counter into a context.
	 * @param context the context
	 * @param counter told the size of each part of an answer as it arrives, on a thread
	 * that must not be held up
	 * @return the context with the counter
	 */
	public static Context countedBy(Context context, LongConsumer counter) {
		return context.put(ReceivedBytes.class, counter);
	}

	/**
	 * The counter of a context.
	 * @param context the context
	 * @return the counter, or nothing
	 */
	public static Optional<LongConsumer> counter(ContextView context) {
		return context.getOrEmpty(ReceivedBytes.class);
	}

}
