package dev.reflector.cache;

/** What a {@link ProcessorListener} serves. */
enum ListenerKind {

	/** A handler, which takes whatever comes. */
	EVENTS,

	/** A subscriber, which says how much it takes. */
	STREAM

}
