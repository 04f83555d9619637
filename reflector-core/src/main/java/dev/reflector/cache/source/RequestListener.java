package dev.reflector.cache.source;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Receives what a {@link ListerWatcher} knows about a request in addition to the signals
 * of its publisher. The subscriber puts a listener into the context, and the source calls
 * it. A source need not call any of the methods. They are called on threads of the
 * source, so they must be fast.
 *
 * @since 0.1.0
 */
public interface RequestListener {

	/** Does nothing. */
	RequestListener NONE = new RequestListener() {
	};

	/**
	 * Called when the request cannot be sent yet, because it waits for something such as
	 * a program that provides credentials.
	 * @param subject what the request waits for, or {@code null} when it waits no longer
	 */
	default void waitsFor(@Nullable String subject) {
	}

	/**
	 * Called when the server refuses the requested format and the source continues with
	 * another one.
	 */
	default void formatRefused() {
	}

	/**
	 * Called when a part of the response was received.
	 * @param bytes size of the part
	 */
	default void received(long bytes) {
	}

	/**
	 * Whether the sizes of objects are wanted, in {@link ListPage#sizes()} and in the
	 * events of a watch. A source need not know sizes.
	 * @return whether sizes are wanted; by default {@code false}
	 */
	default boolean wantsSizes() {
		return false;
	}

	/**
	 * Called when an object of a list was read, or skipped because it could not be read.
	 * Called only when sizes are wanted, and before the page is complete.
	 * @param size size of the object as received, in bytes without compression
	 * @throws RuntimeException to end the request, which then fails with this exception
	 */
	default void listed(long size) {
	}

	/**
	 * Called before several events of a watch are delivered, so that the thread that
	 * handles them need not be woken for each event. Followed by {@link #burstEnds()},
	 * even if there were no events, as soon as the source would have to wait for more.
	 */
	default void burstBegins() {
	}

	/**
	 * Called when no more events are at hand. If only few events were delivered, they are
	 * handled before this method returns, as far as that is possible without waiting.
	 */
	default void burstEnds() {
	}

	/**
	 * Called when the response is incomplete, before its publisher completes or fails.
	 * The signals of the publisher do not show this: a watch whose connection is lost
	 * completes like a watch that the server ends.
	 * @param answer what is wrong with the response
	 */
	default void broken(BrokenAnswer answer) {
	}

	/**
	 * Puts a listener into a context, in addition to the listeners that the context has.
	 * @param context the context
	 * @param listener the listener
	 * @return the context with the listener
	 */
	static Context in(Context context, RequestListener listener) {
		RequestListener other = of(context);
		return context.put(RequestListener.class, (other != NONE) ? new RequestListeners(other, listener) : listener);
	}

	/**
	 * Returns the listener of a context.
	 * @param context the context of a subscription
	 * @return the listener, {@link #NONE} when there is none
	 */
	static RequestListener of(ContextView context) {
		return context.<RequestListener>getOrEmpty(RequestListener.class).orElse(NONE);
	}

	/** What is wrong with an incomplete response. */
	enum BrokenAnswer {

		/** The connection of a watch was lost, or reset, while the answer was read. */
		LOST,

		/** A watch has received nothing for too long, so its connection was closed. */
		SILENT,

		/** The data of a list or a watch is malformed. */
		MALFORMED

	}

}
