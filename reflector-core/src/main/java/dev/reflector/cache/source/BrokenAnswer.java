package dev.reflector.cache.source;

import java.util.function.Consumer;

import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * What was wrong with an answer of which a {@link ListerWatcher} has not received all.
 * The signals of its publishers do not tell: a stream whose connection is lost completes
 * as one that the server ends does (rule W-32). Who subscribes puts a listener into the
 * context, and a source that knows tells it.
 *
 * @since 0.1.0
 */
public enum BrokenAnswer {

	/** The connection of a stream was lost, or reset, while the answer was read. */
	LOST,

	/** Nothing more came of a stream, so that its connection was given up. */
	SILENT,

	/** What came of a list or a stream makes no sense. */
	MALFORMED;

	/**
	 * Puts a listener into a context, beside those that are there.
	 * @param context the context
	 * @param listener told of a broken answer, before its publisher completes or fails,
	 * on a thread that must not be held up
	 * @return the context with the listener
	 */
	public static Context toldTo(Context context, Consumer<BrokenAnswer> listener) {
		Consumer<BrokenAnswer> before = context.getOrDefault(BrokenAnswer.class, null);
		return context.put(BrokenAnswer.class, (before != null) ? before.andThen(listener) : listener);
	}

	/**
	 * Tells the listener of a context, if there is one.
	 * @param context the context of who has subscribed to the answer
	 */
	public void tell(ContextView context) {
		context.<Consumer<BrokenAnswer>>getOrEmpty(BrokenAnswer.class).ifPresent((listener) -> listener.accept(this));
	}

}
