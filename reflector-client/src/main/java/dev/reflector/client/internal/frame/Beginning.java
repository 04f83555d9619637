package dev.reflector.client.internal.frame;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * How JSON text commonly begins. Where it does, letter for letter, it need not be parsed
 * to know what is there.
 */
public final class Beginning {

	private final byte[] text;

	private Beginning(byte[] text) {
		this.text = text;
	}

	public static Beginning of(String text) {
		return new Beginning(text.getBytes(StandardCharsets.UTF_8));
	}

	public int length() {
		return this.text.length;
	}

	/**
	 * Whether bytes begin like that.
	 * @param bytes hold the text
	 * @param from where it begins
	 * @param to where the bytes end
	 * @return whether all of the beginning is there
	 */
	public boolean isThatOf(byte[] bytes, int from, int to) {
		int end = from + this.text.length;
		return end <= to && Arrays.equals(this.text, 0, this.text.length, bytes, from, end);
	}

}
