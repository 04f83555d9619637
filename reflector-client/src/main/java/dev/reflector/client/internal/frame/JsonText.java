package dev.reflector.client.internal.frame;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes JSON text. Reuses its buffer for the next text.
 */
public final class JsonText {

	/** The names of the setting that limits the length of an object's text. */
	public static final String LIMIT = "reflector.api-server.max-object-size (maxObjectSize of ClientOptions)";

	private static final int INITIAL = 1024;

	private static final int MAX_SPARE = 64 * 1024;

	private final long limit;

	private byte[] bytes = new byte[INITIAL];

	private int length;

	private boolean full;

	/**
	 * Creates an empty text.
	 * @param limit the largest length of a text in bytes; if a write would exceed it,
	 * nothing more is written
	 */
	public JsonText(long limit) {
		this.limit = limit;
	}

	public void clear() {
		if (this.bytes.length > MAX_SPARE) {
			this.bytes = new byte[INITIAL];
		}
		this.length = 0;
		this.full = false;
	}

	public byte[] bytes() {
		return this.bytes;
	}

	public int length() {
		return this.length;
	}

	/**
	 * Returns whether a write would have exceeded the limit.
	 * @return {@code true} if the text is incomplete
	 */
	public boolean isFull() {
		return this.full;
	}

	/**
	 * Removes the end of the text.
	 * @param length the length of the text that remains
	 */
	void cut(int length) {
		this.length = length;
	}

	public void put(char value) {
		if (hasRoom(1)) {
			this.bytes[this.length++] = (byte) value;
		}
	}

	public void put(byte[] bytes, int from, int to) {
		if (hasRoom(to - from)) {
			System.arraycopy(bytes, from, this.bytes, this.length, to - from);
			this.length += to - from;
		}
	}

	public void put(String ascii) {
		byte[] text = ascii.getBytes(StandardCharsets.US_ASCII);
		put(text, 0, text.length);
	}

	/**
	 * Writes a string.
	 * @param text the array that contains the characters, in UTF-8
	 * @param from the index at which the characters begin
	 * @param to the index after the characters
	 * @return {@code true} if the characters are valid UTF-8. If not, the text stays as
	 * it was
	 */
	public boolean string(byte[] text, int from, int to) {
		int before = this.length;
		put('"');
		int index = from;
		while (true) {
			int plain = PlainText.end(text, index, to);
			put(text, index, plain);
			if (plain == to) {
				put('"');
				return true;
			}
			byte value = text[plain];
			index = (value < 0) ? Utf8.sequence(text, plain, to) : plain + 1;
			if (index < 0) {
				cut(before);
				return false;
			}
			if (value < 0) {
				put(text, plain, index);
			}
			else if (value < ' ') {
				put(String.format("\\u%04x", value));
			}
			else {
				put('\\');
				put((char) value);
			}
		}
	}

	private boolean hasRoom(int more) {
		if (this.full || (long) this.length + more > this.limit) {
			this.full = true;
			return false;
		}
		if (this.length + more > this.bytes.length) {
			long doubled = Math.max(this.length + more, Math.min(2L * this.bytes.length, this.limit));
			this.bytes = Arrays.copyOf(this.bytes, (int) doubled);
		}
		return true;
	}

}
