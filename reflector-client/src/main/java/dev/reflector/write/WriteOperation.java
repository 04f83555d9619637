package dev.reflector.write;

/**
 * The operations of a {@link ResourceWriter}.
 *
 * @since 0.1.0
 */
public enum WriteOperation {

	/** Applies a record to an object. */
	APPLY,

	/** Applies a status to an object. */
	STATUS,

	/** Creates an object. */
	CREATE,

	/** Deletes an object. */
	DELETE

}
