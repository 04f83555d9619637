package dev.reflector.client.internal.write;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A digest to compare bodies, which may be large or secret, without keeping them.
 *
 * @param text SHA-256 of the body
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
