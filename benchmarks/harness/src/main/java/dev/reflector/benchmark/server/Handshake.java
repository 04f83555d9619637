package dev.reflector.benchmark.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The answer to the handshake of a web socket: some clients watch through one.
 */
final class Handshake {

	private static final String SALT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

	private Handshake() {
	}

	static String accept(String key) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-1");
			return Base64.getEncoder().encodeToString(digest.digest((key + SALT).getBytes(StandardCharsets.US_ASCII)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-1", ex);
		}
	}

}
