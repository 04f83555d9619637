package dev.reflector.client.internal.exchange;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * The credentials of a request, for comparison with the credentials of another request.
 *
 * @param token the bearer token, if there is one
 * @param bundle the trusted authorities and the client certificate, or {@code null} for
 * the defaults of the JVM
 */
record Credentials(Optional<String> token, @Nullable SslBundle bundle) {

	/** Returns a text without the token. */
	@Override
	public String toString() {
		return "Credentials[" + (this.token.isPresent() ? "with a token" : "without a token") + "]";
	}

}
