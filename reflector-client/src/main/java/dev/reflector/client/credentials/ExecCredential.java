package dev.reflector.client.credentials;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a credential plugin has given. Its text form shows none of it.
 *
 * @param token bearer token, or {@code null} for none
 * @param certificate client certificate chain as PEM text, or {@code null} for none
 * @param key key of the certificate
 * @param expiry until when it can be used, {@link Instant#MAX} for ever
 */
record ExecCredential(@Nullable String token, @Nullable String certificate, @Nullable String key, Instant expiry) {

	@Override
	public String toString() {
		return "credential until " + this.expiry;
	}

}
