package dev.reflector.test.internal.options;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The options for access to a server. {@code toString} shows no secrets.
 *
 * @param certificate the certificate of the server, or {@code null} for plain HTTP
 * @param clientAuthority certificate of the authority of client certificates, or
 * {@code null} to require none
 * @param tokens the accepted tokens, or {@code null} to require none
 * @param http2 whether HTTP/2 is offered in addition to HTTP/1.1
 * @param rolesDelay how long requests for objects are answered with 403 after a restart
 */
public record AccessOptions(@Nullable PemIdentity certificate, @Nullable String clientAuthority,
		@Nullable List<String> tokens, boolean http2, Duration rolesDelay) {

	public AccessOptions {
		tokens = (tokens != null) ? List.copyOf(tokens) : null;
		if (clientAuthority != null && certificate == null) {
			throw new IllegalStateException("Client certificates need a server with TLS");
		}
		if (http2 && certificate == null) {
			throw new IllegalStateException("HTTP/2 needs a server with TLS");
		}
	}

	@Override
	public String toString() {
		return ((this.certificate != null) ? "https" : "http")
				+ ((this.clientAuthority != null) ? ", with client certificates" : "")
				+ ((this.tokens != null) ? ", with tokens" : "");
	}

}
