package dev.reflector.client.internal.frame;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The usual beginning of a JSON text. If a text begins with exactly this prefix, the
 * prefix need not be parsed.
 */
public final class Prefix {

	private final byte[] text;

	private Prefix(byte[] text) {
		this.text = text;
	}

	public static Prefix of(String text) {
		return new Prefix(text.getBytes(StandardCharsets.UTF_8));
	}

	public int length() {
		return this.text.length;
	}

	/**
	 * Returns whether a text begins with this prefix.
	 * @param bytes the array that contains the text
	 * @param from the index at which the text begins
	 * @param to the index at which the bytes end
	 * @return whether the text begins with the whole prefix
	 */
	public boolean matches(byte[] bytes, int from, int to) {
		int end = from + this.text.length;
		return end <= to && Arrays.equals(this.text, 0, this.text.length, bytes, from, end);
	}

}
