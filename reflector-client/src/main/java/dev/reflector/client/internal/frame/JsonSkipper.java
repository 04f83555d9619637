package dev.reflector.client.internal.frame;

/**
 * Skips JSON values in bytes, as strictly as a parser: any standard parser with the same
 * limits accepts what this class accepts. Most methods get the index at which a text
 * begins, and return the index after the text. They return {@link #FAULT} if the text is
 * invalid or incomplete, if it exceeds a limit, or if its form is valid but unusual.
 */
public final class JsonSkipper {

	public static final int FAULT = -1;

	private static final int MAX_NUMBER = 100;

	private static final int MAX_NAME = 1000;

	private static final int MAX_DEPTH = Long.SIZE;

	private static final byte[] NOTHING = new byte[0];

	/** The characters that may follow a backslash, except {@code u}. */
	private static final boolean[] ESCAPED = new boolean[128];

	static {
		for (char escaped : "\"\\/bfnrt".toCharArray()) {
			ESCAPED[escaped] = true;
		}
	}

	private byte[] bytes = NOTHING;

	private int end;

	private final int maxDepth;

	private final int maxName;

	private final int maxNumber;

	/**
	 * Creates a skipper without bytes.
	 * @param limits the limits
	 */
	public JsonSkipper(Limits limits) {
		this.maxDepth = limits.depth();
		this.maxName = limits.name();
		this.maxNumber = limits.number();
	}

	/**
	 * Sets the bytes to read.
	 * @param bytes the array that contains the values
	 * @param end the index at which the bytes end
	 */
	public void over(byte[] bytes, int end) {
		this.bytes = bytes;
		this.end = end;
	}

	/** Releases the bytes. */
	public void clear() {
		over(NOTHING, 0);
	}

	/**
	 * Returns the byte at an index.
	 * @param index the index
	 * @return the byte, or 0 after the end
	 */
	public byte at(int index) {
		return (index < this.end) ? this.bytes[index] : 0;
	}

	/**
	 * Skips white space.
	 * @param from the index at which to begin
	 * @return the index of the first byte that is no white space
	 */
	public int space(int from) {
		byte[] bytes = this.bytes;
		int index = from;
		// in most cases, there is no white space
		while (index < this.end && bytes[index] <= ' ' && Chunk.isWhitespace(bytes[index])) {
			index++;
		}
		return index;
	}

	/**
	 * Skips white space after a value.
	 * @param from the index after the value, or {@link #FAULT}
	 * @return the index of the first byte that is no white space, or {@link #FAULT} after
	 * a fault
	 */
	public int behind(int from) {
		return (from >= 0) ? space(from) : FAULT;
	}

	/**
	 * Returns whether another value follows.
	 * @param index the index of the first byte after a value and white space, or
	 * {@link #FAULT}
	 * @return whether this byte is a comma
	 */
	public boolean isMore(int index) {
		return index >= 0 && at(index) == ',';
	}

	/**
	 * Returns whether the length of a name is allowed.
	 * @param length the length of the name, with the quotes
	 * @return whether the length is within the limit
	 */
	public boolean allowsName(int length) {
		return length <= this.maxName;
	}

	/**
	 * Returns whether a depth is allowed.
	 * @param depth the number of open brackets
	 * @return whether the depth is within the limit
	 */
	public boolean allows(int depth) {
		return depth <= this.maxDepth;
	}

	/**
	 * Skips a value.
	 * @param from the index at which the value begins
	 * @param depth the number of brackets around the value
	 * @return the index after the value
	 */
	public int value(int from, int depth) {
		int levels = this.maxDepth - depth;
		int level = 0;
		// the lowest bit is set while the innermost bracket is a brace
		long braces = 0;
		int index = from;
		while (true) {
			byte first = at(index);
			if (first == '{' || first == '[') {
				if (++level > levels) {
					return FAULT;
				}
				braces = (braces << 1) | ((first == '{') ? 1 : 0);
				index = space(index + 1);
				if (at(index) != first + 2) {
					index = (first == '{') ? colon(name(index)) : index;
					if (index < 0) {
						return FAULT;
					}
					continue;
				}
			}
			else {
				index = (first == '"') ? string(index, true) : scalar(first, index);
			}
			while (index >= 0 && level > 0) {
				index = space(index);
				boolean brace = (braces & 1) != 0;
				byte next = at(index);
				if (next == ',') {
					index = space(index + 1);
					index = brace ? colon(name(index)) : index;
					break;
				}
				if (next != (brace ? '}' : ']')) {
					return FAULT;
				}
				braces >>>= 1;
				level--;
				index++;
			}
			if (index < 0 || level == 0) {
				return index;
			}
		}
	}

	private int scalar(byte first, int from) {
		return switch (first) {
			case 't' -> literal(from, "true");
			case 'f' -> literal(from, "false");
			case 'n' -> literal(from, "null");
			default -> number(from);
		};
	}

	/**
	 * Skips the name of a property.
	 * @param from the index at which the name begins
	 * @return the index after the name
	 */
	public int name(int from) {
		int to = (at(from) == '"') ? string(from, false) : FAULT;
		return (to - from <= this.maxName) ? to : FAULT;
	}

	/**
	 * Skips the name of a property. A name with escapes is a fault.
	 * @param from the index at which the name begins
	 * @return the index after the name
	 */
	public int plainName(int from) {
		int index = from + 1;
		while (at(from) == '"') {
			index = PlainText.end(this.bytes, index, this.end);
			byte value = at(index);
			if (value == '"') {
				return (index + 1 - from <= this.maxName) ? index + 1 : FAULT;
			}
			index = (value < 0) ? Utf8.sequence(this.bytes, index, this.end) : FAULT;
			if (index < 0) {
				return FAULT;
			}
		}
		return FAULT;
	}

	/**
	 * Skips a colon and the white space around it.
	 * @param from the index at which to begin, or {@link #FAULT}
	 * @return the index at which the value begins
	 */
	public int colon(int from) {
		if (from < 0) {
			return FAULT;
		}
		int index = space(from);
		return (at(index) == ':') ? space(index + 1) : FAULT;
	}

	private int string(int from, boolean anyEscape) {
		byte[] bytes = this.bytes;
		int index = from + 1;
		while (true) {
			index = PlainText.end(bytes, index, this.end);
			if (index >= this.end) {
				return FAULT;
			}
			byte value = bytes[index];
			if (value == '"') {
				return index + 1;
			}
			if (value == '\\') {
				index = escape(index + 1, anyEscape);
			}
			else {
				index = (value < 0) ? Utf8.sequence(bytes, index, this.end) : FAULT;
			}
			if (index < 0) {
				return FAULT;
			}
		}
	}

	private int escape(int from, boolean any) {
		byte escaped = at(from);
		if (escaped == 'u') {
			return any ? hex(from + 1) : FAULT;
		}
		return (escaped >= 0 && ESCAPED[escaped]) ? from + 1 : FAULT;
	}

	private int hex(int from) {
		for (int index = from; index < from + 4; index++) {
			if (Character.digit(at(index), 16) < 0) {
				return FAULT;
			}
		}
		return from + 4;
	}

	private int literal(int from, String literal) {
		for (int i = 0; i < literal.length(); i++) {
			if (at(from + i) != literal.charAt(i)) {
				return FAULT;
			}
		}
		return from + literal.length();
	}

	private int number(int from) {
		int index = (at(from) == '-') ? from + 1 : from;
		int digits = index;
		index = digits(index);
		if (index == digits || (index > digits + 1 && at(digits) == '0')) {
			return FAULT;
		}
		if (at(index) == '.') {
			int fraction = index + 1;
			index = digits(fraction);
			if (index == fraction) {
				return FAULT;
			}
		}
		if (at(index) == 'e' || at(index) == 'E') {
			index++;
			int exponent = (at(index) == '+' || at(index) == '-') ? index + 1 : index;
			index = digits(exponent);
			if (index == exponent) {
				return FAULT;
			}
		}
		return (index - from <= this.maxNumber) ? index : FAULT;
	}

	private int digits(int from) {
		int index = from;
		while (at(index) >= '0' && at(index) <= '9') {
			index++;
		}
		return index;
	}

	/**
	 * The limits for a text. They are the limits of Jackson's parser or, if smaller,
	 * limits that suffice for usual objects.
	 *
	 * @param depth the largest number of open brackets
	 * @param name the largest length of a name
	 * @param number the largest length of a number
	 */
	public record Limits(int depth, int name, int number) {

		public Limits {
			depth = Math.min(depth, MAX_DEPTH);
			name = Math.min(name, MAX_NAME);
			number = Math.min(number, MAX_NUMBER);
		}

	}

}
