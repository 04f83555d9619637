package dev.reflector.client.internal.frame;

import java.util.Arrays;

/**
 * Finds the end of one JSON object whose bytes arrive in pieces. Checks that strings,
 * brackets, commas and colons are at the right places. So a mistake is found where it
 * occurs, and does not hide the next objects. The decoder checks numbers and literals,
 * because a mistake in these cannot hide the end of the object.
 */
final class ObjectScanner implements FrameScanner {

	/** Expects a key or the end of the object. */
	private static final int FIRST_KEY = 1;

	private static final int KEY = 1 << 1;

	private static final int COLON = 1 << 2;

	private static final int VALUE = 1 << 3;

	/** Expects a value or the end of the array. */
	private static final int FIRST_ELEMENT = 1 << 4;

	/** Expects a comma or the end of the object or array. */
	private static final int COMMA = 1 << 5;

	private static final int IN_SCALAR = 1 << 6;

	private static final int IN_KEY = 1 << 7;

	private static final int IN_TEXT = 1 << 8;

	private static final int IN_STRING = IN_KEY | IN_TEXT;

	private static final int ANY_VALUE = VALUE | FIRST_ELEMENT;

	private static final int AFTER_VALUE = COMMA | IN_SCALAR;

	// one bit for each open bracket; the bit is set if the bracket is a brace
	private long[] braces = new long[2];

	private int depth;

	/** What is expected next, or in which part of a value the last buffer ended. */
	private int state;

	private boolean escaped;

	/** Prepares the scanner for the next object. */
	void begin() {
		this.depth = 0;
		this.state = VALUE;
		this.escaped = false;
		if (this.braces.length > 2) {
			this.braces = new long[2];
		}
	}

	@Override
	public int scan(byte[] bytes, int from, int to) {
		int index = from;
		int state = this.state;
		while (index < to) {
			if ((state & IN_STRING) != 0) {
				index = string(bytes, index, to);
				if (index < 0) {
					break;
				}
				state = (state == IN_KEY) ? COLON : COMMA;
				continue;
			}
			byte value = bytes[index++];
			if (value == '"') {
				check((state & (ANY_VALUE | FIRST_KEY | KEY)) != 0);
				state = ((state & ANY_VALUE) != 0) ? IN_TEXT : IN_KEY;
			}
			else if (value == ':') {
				check(state == COLON);
				state = VALUE;
			}
			else if (value == ',') {
				check((state & AFTER_VALUE) != 0);
				state = isInObject() ? KEY : VALUE;
			}
			else if ((value | 0x20) == '{') { // also '['
				check((state & ANY_VALUE) != 0);
				open(value == '{');
				state = (value == '{') ? FIRST_KEY : FIRST_ELEMENT;
			}
			else if ((value | 0x20) == '}') { // also ']'
				boolean brace = value == '}';
				check((state & (AFTER_VALUE | (brace ? FIRST_KEY : FIRST_ELEMENT))) != 0);
				close(brace);
				if (this.depth == 0) {
					return index;
				}
				state = COMMA;
			}
			else if (Chunk.isWhitespace(value)) {
				state = (state == IN_SCALAR) ? COMMA : state;
			}
			else {
				check((state & (ANY_VALUE | IN_SCALAR)) != 0 && ValueScanner.isScalar(value));
				state = IN_SCALAR;
			}
		}
		this.state = state;
		return -1;
	}

	/**
	 * Continues in a string.
	 * @return the index after the string, or -1 if the string continues in the next
	 * buffer
	 */
	private int string(byte[] bytes, int from, int to) {
		int index = from;
		if (this.escaped) {
			this.escaped = false;
			checkText(bytes[index++]);
		}
		while (true) {
			index = PlainText.end(bytes, index, to);
			if (index == to) {
				return -1;
			}
			byte value = bytes[index++];
			if (value == '"') {
				return index;
			}
			checkText(value);
			if (value == '\\') {
				if (index == to) {
					this.escaped = true;
					return -1;
				}
				checkText(bytes[index++]);
			}
		}
	}

	private static void checkText(byte value) {
		if (value < ' ' && value >= 0) {
			throw new MalformedResponseException("a JSON string with a control character");
		}
	}

	private boolean isInObject() {
		int around = this.depth - 1;
		return (this.braces[around >> 6] & (1L << around)) != 0;
	}

	private void open(boolean brace) {
		int word = this.depth >> 6;
		if (word == this.braces.length) {
			if (this.depth >= StreamFramer.MAX_DEPTH) {
				throw new MalformedResponseException("JSON nested deeper than " + StreamFramer.MAX_DEPTH);
			}
			this.braces = Arrays.copyOf(this.braces, 2 * word);
		}
		long bit = 1L << this.depth;
		this.braces[word] = brace ? (this.braces[word] | bit) : (this.braces[word] & ~bit);
		this.depth++;
	}

	private void close(boolean brace) {
		if (isInObject() != brace) {
			throw new MalformedResponseException("a JSON bracket closed by the wrong one");
		}
		this.depth--;
	}

	private static void check(boolean expected) {
		if (!expected) {
			throw new MalformedResponseException("invalid JSON");
		}
	}

}
