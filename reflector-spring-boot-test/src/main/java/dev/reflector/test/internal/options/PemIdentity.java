package dev.reflector.test.internal.options;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A certificate and its key, as PEM text. {@code toString} does not show the key.
 *
 * @param certificate the certificate, followed by the known certificates of its
 * authorities
 * @param key the private key, PKCS#8 without a password
 */
public record PemIdentity(String certificate, String key) {

	private static final Pattern CERTIFICATE = Pattern
		.compile("-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----");

	/**
	 * Returns the last certificate of the chain, which clients must trust.
	 * @return one certificate as PEM text
	 * @throws IllegalArgumentException if there is no certificate
	 */
	public String root() {
		Matcher matcher = CERTIFICATE.matcher(this.certificate);
		String root = null;
		while (matcher.find()) {
			root = matcher.group() + "\n";
		}
		if (root == null) {
			throw new IllegalArgumentException("'certificate' must hold a certificate as PEM text");
		}
		return root;
	}

	@Override
	public String toString() {
		return this.certificate;
	}

}
