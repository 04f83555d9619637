package dev.reflector.client.credentials;

import org.jspecify.annotations.Nullable;

/**
 * A fixed token.
 *
 * @param token the token, or {@code null} for none
 * @param origin where the token comes from, for messages
 */
record FixedTokenSource(@Nullable String token, String origin) implements TokenSource {

	static final FixedTokenSource NONE = new FixedTokenSource(null, "");

	@Override
	public String toString() {
		return (this.token != null) ? "token of " + this.origin : "no token";
	}

}
