package dev.reflector.client.credentials;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The credential that a plugin has returned. Its {@code toString()} shows no secrets.
 *
 * @param token bearer token, or {@code null} for none
 * @param certificate client certificate chain as PEM text, or {@code null} for none
 * @param key key of the certificate
 * @param expiry when the credential expires, or {@link Instant#MAX} if it never does
 */
record ExecCredential(@Nullable String token, @Nullable String certificate, @Nullable String key, Instant expiry) {

	@Override
	public String toString() {
		return "credential until " + this.expiry;
	}

}
