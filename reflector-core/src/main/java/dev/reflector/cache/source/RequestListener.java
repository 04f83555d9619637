package dev.reflector.cache.source;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Receives what a {@link ListerWatcher} knows about a request beside the signals of its
 * publisher. The subscriber puts a listener into the context, and the source calls it. A
 * source need not call any of the methods. They are called on threads of the source, so
 * they must be fast.
 *
 * @since 0.1.0
 */
public interface RequestListener {

	/** Does nothing. */
	RequestListener NONE = new RequestListener() {
	};

	/**
	 * The request has not been sent yet, because it waits for something, such as a
	 * program that gives credentials.
	 * @param subject what it waits for, or {@code null} when it waits no longer
	 */
	default void waitsFor(@Nullable String subject) {
	}

	/**
	 * The server refuses the format in which objects were asked for, and the source
	 * continues with another.
	 */
	default void formatRefused() {
	}

	/**
	 * A part of the answer has arrived.
	 * @param bytes its size
	 */
	default void received(long bytes) {
	}

	/**
	 * Whether the sizes of objects are wanted: those of {@link ListPage#sizes()} and of
	 * the events of a watch. A source need not know them.
	 * @return whether they are wanted; by default {@code false}
	 */
	default boolean wantsSizes() {
		return false;
	}

	/**
	 * An object of a list has been read, or skipped because it could not be read. Called
	 * only when sizes are wanted, and before the page is complete.
	 * @param size the bytes of the object as they came, without compression
	 * @throws RuntimeException to end the request, which then fails with it
	 */
	default void listed(long size) {
	}

	/**
	 * Several events of a watch are about to be delivered, so a thread that handles them
	 * need not be woken for each. Followed by {@link #burstEnds()}, also when there were
	 * no events, as soon as the source would have to wait for more.
	 */
	default void burstBegins() {
	}

	/**
	 * No event is at hand for now. A few events that have come are handled before this
	 * returns, if that is possible without waiting.
	 */
	default void burstEnds() {
	}

	/**
	 * The answer is not complete. Called before its publisher completes or fails, because
	 * those signals do not show it: a watch whose connection is lost completes like one
	 * that the server ends.
	 * @param answer what is wrong
	 */
	default void broken(BrokenAnswer answer) {
	}

	/**
	 * Puts a listener into a context, beside those that are there.
	 * @param context the context
	 * @param listener the listener
	 * @return the context with the listener
	 */
	static Context in(Context context, RequestListener listener) {
		RequestListener other = of(context);
		return context.put(RequestListener.class, (other != NONE) ? new RequestListeners(other, listener) : listener);
	}

	/**
	 * The listener of a context.
	 * @param context the context of a subscription
	 * @return the listener, {@link #NONE} when there is none
	 */
	static RequestListener of(ContextView context) {
		return context.<RequestListener>getOrEmpty(RequestListener.class).orElse(NONE);
	}

	/** What is wrong with an answer of which not all was received. */
	enum BrokenAnswer {

		/** The connection of a watch was lost, or reset, while the answer was read. */
		LOST,

		/** Nothing more came of a watch, so its connection was given up. */
		SILENT,

		/** The data of a list or a watch is malformed. */
		MALFORMED

	}

}
