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
	 * The server reports what each write would change, and changes nothing. Paths that
	 * would change are reported, values never.
	 */
	DRY_RUN

}
