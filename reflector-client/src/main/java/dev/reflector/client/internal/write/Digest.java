package dev.reflector.client.internal.write;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A digest of a body. Bodies may be large or secret, so only their digests are kept and
 * compared.
 *
 * @param text the SHA-256 digest of the body
 */
record Digest(String text) {

	static Digest of(String body) {
		try {
			return new Digest(HexFormat.of()
				.formatHex(MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8))));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every JVM has SHA-256", ex);
		}
	}

}
