package dev.reflector.cache.internal.delivery;

/** The kind of recipient that a {@link ProcessorListener} serves. */
public enum ListenerKind {

	/** A handler, which receives every change. */
	EVENTS,

	/** A subscriber, which requests a number of changes. */
	STREAM

}
