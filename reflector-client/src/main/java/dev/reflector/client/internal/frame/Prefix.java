package dev.reflector.client.internal.frame;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The usual beginning of some JSON text. If a text begins with exactly this prefix, that
 * part need not be parsed.
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
	 * Whether text begins with this prefix.
	 * @param bytes hold the text
	 * @param from where it begins
	 * @param to where the bytes end
	 * @return whether the whole prefix is there
	 */
	public boolean matches(byte[] bytes, int from, int to) {
		int end = from + this.text.length;
		return end <= to && Arrays.equals(this.text, 0, this.text.length, bytes, from, end);
	}

}
