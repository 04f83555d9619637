package dev.reflector.client.internal.frame;

import java.util.Arrays;

/**
 * Finds the end of one JSON value whose bytes arrive in pieces. Reads only strings,
 * escapes and brackets, and leaves all other checks to the decoder. Does not decode
 * UTF-8, because no byte of a multi-byte character looks like a bracket or quote.
 */
final class ValueScanner implements FrameScanner {

	private static final int MAX_DEPTH = 1 << 20;

	// one bit for each open bracket; the bit is set if the bracket is a brace
	private long[] braces = new long[2];

	private int depth;

	private boolean inString;

	private boolean escaped;

	private boolean scalar;

	/**
	 * Prepares the scanner for the next value.
	 * @param first the first byte of the value
	 * @throws MalformedResponseException if no value begins with this byte
	 */
	void begin(byte first) {
		this.depth = 0;
		this.inString = false;
		this.escaped = false;
		this.scalar = first != '{' && first != '[' && first != '"';
		if (this.scalar && !isScalar(first)) {
			throw new MalformedResponseException("invalid JSON: no value");
		}
	}

	static boolean isScalar(byte value) {
		return (value >= '0' && value <= '9') || (value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z')
				|| value == '-' || value == '+' || value == '.';
	}

	@Override
	public int scan(byte[] bytes, int from, int to) {
		if (this.scalar) {
			int index = from;
			while (index < to && isScalar(bytes[index])) {
				index++;
			}
			return (index < to) ? index : -1;
		}
		int index = from;
		while (index < to) {
			if (this.inString) {
				index = scanString(bytes, index, to);
				if (!this.inString && this.depth == 0) {
					return index;
				}
				continue;
			}
			byte value = bytes[index++];
			if (value == '"') {
				this.inString = true;
			}
			else if ((value | 0x20) == '{') { // also '['
				open(value == '{');
			}
			else if ((value | 0x20) == '}') { // also ']'
				close(value == '}');
				if (this.depth == 0) {
					return index;
				}
			}
		}
		return -1;
	}

	private int scanString(byte[] bytes, int from, int to) {
		int index = from;
		if (this.escaped && index < to) {
			this.escaped = false;
			index++;
		}
		while (true) {
			index = PlainText.end(bytes, index, to);
			if (index == to) {
				return index;
			}
			byte value = bytes[index++];
			if (value == '"') {
				this.inString = false;
				return index;
			}
			if (value == '\\') {
				if (index == to) {
					this.escaped = true;
					return index;
				}
				index++;
			}
		}
	}

	private void open(boolean brace) {
		int word = this.depth >> 6;
		if (word == this.braces.length) {
			if (this.depth >= MAX_DEPTH) {
				throw new MalformedResponseException("JSON nested deeper than " + MAX_DEPTH);
			}
			this.braces = Arrays.copyOf(this.braces, 2 * word);
		}
		long bit = 1L << this.depth;
		this.braces[word] = brace ? (this.braces[word] | bit) : (this.braces[word] & ~bit);
		this.depth++;
	}

	private void close(boolean brace) {
		this.depth--;
		boolean opened = (this.braces[this.depth >> 6] & (1L << this.depth)) != 0;
		if (opened != brace) {
			throw new MalformedResponseException("a JSON bracket closed by the wrong one");
		}
	}

}
