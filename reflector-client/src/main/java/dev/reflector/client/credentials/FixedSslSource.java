package dev.reflector.client.credentials;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * Trusted authorities and a client certificate that never change.
 *
 * @param bundle the authorities and the certificate, or {@code null} for the defaults of
 * the JVM
 */
record FixedSslSource(@Nullable SslBundle bundle) implements SslSource {

	@Override
	public String toString() {
		return (this.bundle != null) ? "the SSL bundle of the connection details"
				: "no SSL bundle is configured, so the authorities of the JVM are trusted";
	}

}
