package dev.reflector.cache.internal.delivery;

/** What a {@link ProcessorListener} serves. */
public enum ListenerKind {

	/** A handler, which takes whatever comes. */
	EVENTS,

	/** A subscriber, which says how much it takes. */
	STREAM

}
