package dev.reflector.write;

/**
 * A method of {@link ResourceWriter}.
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
