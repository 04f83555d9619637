package dev.reflector.cache.source;

import java.util.Optional;
import java.util.function.LongConsumer;

import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Counts the bytes that a {@link ListerWatcher} receives: who subscribes puts a counter
 * into the context, and a source that receives bytes tells it.
 *
 * @since 0.1.0
 */
public final class ReceivedBytes {

	private ReceivedBytes() {
	}

	/**
	 * Puts a counter into a context, beside those that are there.
	 * @param context the context
	 * @param counter told the size of each part of an answer as it arrives, on a thread
	 * that must not be held up
	 * @return the context with the counter
	 */
	public static Context countedBy(Context context, LongConsumer counter) {
		return context.put(ReceivedBytes.class,
				counter(context).map((other) -> other.andThen(counter)).orElse(counter));
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
