package dev.reflector.cache.source;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Receives details about a request that the publisher of a {@link ListerWatcher} does not
 * signal. The subscriber puts a listener into the context, and the source calls it. A
 * source need not call any of the methods. All methods are called on threads of the
 * source, so they must be fast.
 *
 * @since 0.1.0
 */
public interface RequestListener {

	/** A listener that does nothing. */
	RequestListener NONE = new RequestListener() {
	};

	/**
	 * Called when the request cannot be sent yet, for example because it waits for a
	 * program that provides credentials.
	 * @param subject what the request waits for, or {@code null} when it no longer waits
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
	 * Called when part of the response was received.
	 * @param bytes size of the part
	 */
	default void received(long bytes) {
	}

	/**
	 * Whether the sizes of objects are wanted, in {@link ListPage#sizes()} and in the
	 * events of a watch. A source need not provide sizes.
	 * @return whether sizes are wanted; by default {@code false}
	 */
	default boolean wantsSizes() {
		return false;
	}

	/**
	 * Called when an object of a list was read, or was skipped because it could not be
	 * read. Called before the page is complete, and only when sizes are wanted.
	 * @param size size of the object as received, in bytes without compression
	 * @throws RuntimeException to end the request; it then fails with this exception
	 */
	default void listed(long size) {
	}

	/**
	 * Called before several events of a watch are delivered, so that the handling thread
	 * need not be woken for each event. When no more events are available, the source
	 * calls {@link #burstEnds()}, even if it has delivered none.
	 */
	default void burstBegins() {
	}

	/**
	 * Called when no more events are available at the moment. If only few events were
	 * delivered, and they can be handled without waiting, this method handles them before
	 * it returns.
	 */
	default void burstEnds() {
	}

	/**
	 * Called when the response is incomplete, before its publisher completes or fails.
	 * The publisher does not signal this: a watch completes in the same way whether its
	 * connection is lost or the server ends it.
	 * @param answer what is wrong with the response
	 */
	default void broken(BrokenAnswer answer) {
	}

	/**
	 * Returns a context with a listener, in addition to the listeners that the context
	 * already has.
	 * @param context the context
	 * @param listener the listener
	 * @return the context with the listener
	 */
	static Context in(Context context, RequestListener listener) {
		RequestListener other = of(context);
		return context.put(RequestListener.class, (other != NONE) ? new RequestListeners(other, listener) : listener);
	}

	/**
	 * Returns the listener of a context. If the context has several, the result calls all
	 * of them.
	 * @param context the context of a subscription
	 * @return the listener, {@link #NONE} when there is none
	 */
	static RequestListener of(ContextView context) {
		return context.<RequestListener>getOrEmpty(RequestListener.class).orElse(NONE);
	}

	/** What is wrong with an incomplete response. */
	enum BrokenAnswer {

		/** The connection of a watch was lost or reset while the response was read. */
		LOST,

		/** A watch has received nothing for too long, so its connection was closed. */
		SILENT,

		/** The data of a list or a watch is malformed. */
		MALFORMED

	}

}
