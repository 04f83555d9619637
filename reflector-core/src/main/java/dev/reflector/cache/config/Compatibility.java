package dev.reflector.cache.config;

/**
 * Whether a reflector keeps the defects that client-go is known for.
 *
 * @since 0.1.0
 */
public enum Compatibility {

	/** They are avoided. */
	NONE,

	/** They are kept, for exact parity. */
	CLIENT_GO

}
