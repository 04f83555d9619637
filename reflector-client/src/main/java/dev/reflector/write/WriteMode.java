package dev.reflector.write;

/**
 * Whether writes take effect.
 *
 * @since 0.1.0
 */
public enum WriteMode {

	/** Writes take effect. */
	ON,

	/**
	 * The server only checks each write, and changes nothing. Only the paths that would
	 * change are reported, and never values.
	 */
	DRY_RUN

}
