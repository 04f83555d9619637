package dev.reflector.cache.config;

/**
 * Whether a reflector behaves like client-go even where client-go has known defects.
 *
 * @since 0.1.0
 */
public enum Compatibility {

	/** The known defects of client-go are avoided. */
	NONE,

	/** The known defects of client-go are kept, for exact parity. */
	CLIENT_GO

}
