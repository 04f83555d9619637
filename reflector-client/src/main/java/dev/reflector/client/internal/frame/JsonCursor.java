package dev.reflector.client.internal.frame;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Reads single fields of JSON text that may be invalid, cut off, or nested too deeply for
 * a parser. Never throws an exception. Invalid text counts as the end of the text.
 */
public final class JsonCursor {

	private final byte[] bytes;

	private final int end;

	private final ValueScanner scanner = new ValueScanner();

	private int position;

	private boolean closed;

	public JsonCursor(byte[] bytes, int from, int end) {
		this.bytes = bytes;
		this.position = from;
		this.end = end;
	}

	/**
	 * Enters an object.
	 * @return whether there is an object
	 */
	public boolean enterObject() {
		if (peek() != '{') {
			return false;
		}
		this.position++;
		return true;
	}

	/**
	 * Reads the next key of the object. The value of the key must be read or skipped
	 * before the next key is read.
	 * @return the key, or {@code null} at the end of the object or of the readable text
	 */
	@Nullable public String nextKey() {
		this.closed = false;
		if (peek() == ',') {
			this.position++;
		}
		if (peek() != '"') {
			if (peek() == '}') {
				this.position++;
				this.closed = true;
			}
			return null;
		}
		String key = string();
		if (key == null || peek() != ':') {
			return null;
		}
		this.position++;
		return key;
	}

	/**
	 * Returns whether the last object ended with its closing brace.
	 * @return whether the object was complete
	 */
	public boolean isClosed() {
		return this.closed;
	}

	/**
	 * Reads a string. Skips a value that is no string.
	 * @return the string, or {@code null} if the value is no string
	 */
	@Nullable public String string() {
		if (peek() != '"') {
			skip();
			return null;
		}
		int from = this.position + 1;
		if (!skip()) {
			return null;
		}
		return unescape(this.bytes, from, this.position - 1);
	}

	/**
	 * Skips a value.
	 * @return whether the value was complete
	 */
	public boolean skip() {
		byte first = peek();
		try {
			this.scanner.begin(first);
			int next = this.scanner.scan(this.bytes, this.position, this.end);
			this.position = (next < 0) ? this.end : next;
			return next >= 0;
		}
		catch (MalformedResponseException ex) {
			this.position = this.end;
			return false;
		}
	}

	/**
	 * Returns the position of the next value or punctuation.
	 * @return the index of its first byte
	 */
	public int position() {
		peek();
		return this.position;
	}

	/**
	 * Skips white space and looks at the next byte.
	 * @return the byte, or 0 at the end
	 */
	byte peek() {
		while (this.position < this.end && Chunk.isWhitespace(this.bytes[this.position])) {
			this.position++;
		}
		return (this.position < this.end) ? this.bytes[this.position] : 0;
	}

	/**
	 * Reads the text between the quotes of a string.
	 * @param bytes the array that contains the text
	 * @param from the index at which the text begins
	 * @param to the index after the text, which must not end in the middle of an escape
	 * @return the string, or {@code null} if the text has an invalid escape
	 */
	public static @Nullable String unescape(byte[] bytes, int from, int to) {
		String raw = new String(bytes, from, to - from, StandardCharsets.UTF_8);
		int escape = raw.indexOf('\\');
		if (escape < 0) {
			return raw;
		}
		StringBuilder text = new StringBuilder(raw.length());
		int done = 0;
		while (escape >= 0) {
			text.append(raw, done, escape);
			char kind = raw.charAt(escape + 1);
			done = escape + 2;
			switch (kind) {
				case 'b' -> text.append('\b');
				case 'f' -> text.append('\f');
				case 'n' -> text.append('\n');
				case 'r' -> text.append('\r');
				case 't' -> text.append('\t');
				case 'u' -> {
					if (done + 4 > raw.length()) {
						return null;
					}
					int code = hex(raw, done);
					if (code < 0) {
						return null;
					}
					text.append((char) code);
					done += 4;
				}
				default -> text.append(kind);
			}
			escape = raw.indexOf('\\', done);
		}
		return text.append(raw, done, raw.length()).toString();
	}

	private static int hex(String raw, int from) {
		int code = 0;
		for (int index = from; index < from + 4; index++) {
			int digit = Character.digit(raw.charAt(index), 16);
			if (digit < 0) {
				return -1;
			}
			code = code * 16 + digit;
		}
		return code;
	}

}
