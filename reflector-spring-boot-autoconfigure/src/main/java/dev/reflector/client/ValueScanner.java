package dev.reflector.client;

/**
 * Finds the end of a JSON object, array or string in bytes that arrive in pieces. It
 * knows just enough of JSON for that: brackets, strings and escapes. Bytes of UTF-8
 * beyond ASCII can be none of these, so a character may be split anywhere.
 */
final class ValueScanner {

	private int depth;

	private boolean inString;

	private boolean escaped;

	/** Begins with the next byte scanned, which must open an object, array or string. */
	void begin() {
		this.depth = 0;
		this.inString = false;
		this.escaped = false;
	}

	/**
	 * Goes on.
	 * @param bytes the bytes
	 * @param from where to start
	 * @param to where the bytes end
	 * @return the index after the last byte of the value, or -1 when it does not end here
	 */
	int scan(byte[] bytes, int from, int to) {
		int depth = this.depth;
		int index = from;
		boolean inString = this.inString;
		boolean escaped = this.escaped;
		while (index < to) {
			byte b = bytes[index++];
			if (inString) {
				if (escaped) {
					escaped = false;
				}
				else if (b == '\\') {
					escaped = true;
				}
				else if (b == '"') {
					inString = false;
					if (depth == 0) {
						return index;
					}
				}
			}
			else if (b == '"') {
				inString = true;
			}
			else if (b == '{' || b == '[') {
				depth++;
			}
			else if ((b == '}' || b == ']') && --depth == 0) {
				return index;
			}
		}
		this.depth = depth;
		this.inString = inString;
		this.escaped = escaped;
		return -1;
	}

}
