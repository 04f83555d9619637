package dev.reflector.cache.config;

/**
 * Whether a reflector keeps the defects that client-go is known for.
 *
 * @since 0.1.0
 */
public enum Compatibility {

	/** The defects are avoided. */
	NONE,

	/** The defects are kept, for exact parity. */
	CLIENT_GO

}
