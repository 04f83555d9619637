package dev.reflector.test;

import dev.reflector.test.internal.options.PemIdentity;

/**
 * A certificate and its key, as PEM text. {@code toString} does not show the key.
 *
 * @param certificate the certificate, followed by the known certificates of its
 * authorities
 * @param key the private key, PKCS#8 without a password
 * @since 0.1.0
 */
public record PemCertificate(String certificate, String key) {

	PemIdentity identity() {
		return new PemIdentity(this.certificate, this.key);
	}

	@Override
	public String toString() {
		return this.certificate;
	}

}
