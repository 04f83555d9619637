package dev.reflector.client;

import java.nio.charset.StandardCharsets;

/**
 * Bytes of JSON, looked at one by one.
 */
final class JsonBytes {

	private static final int SHOWN = 40;

	private JsonBytes() {
	}

	static boolean isWhitespace(byte b) {
		return b == ' ' || b == '\n' || b == '\r' || b == '\t';
	}

	/** The bytes from an index on, short and safe for a message. */
	static String show(byte[] bytes, int from) {
		int length = Math.min(SHOWN, bytes.length - from);
		String text = new String(bytes, from, length, StandardCharsets.ISO_8859_1);
		return "'" + text.replaceAll("[^\\x20-\\x7e]", "?") + "'";
	}

}
