package dev.reflector.client;

/**
 * A network buffer with a position up to which it has been read.
 */
final class Chunk {

	final byte[] bytes;

	int position;

	Chunk(byte[] bytes) {
		this.bytes = bytes;
	}

	/**
	 * Moves to the next byte that is no white space.
	 * @return whether there is one
	 */
	boolean skipWhitespace() {
		byte[] bytes = this.bytes;
		int position = this.position;
		while (position < bytes.length && isWhitespace(bytes[position])) {
			position++;
		}
		this.position = position;
		return position < bytes.length;
	}

	static boolean isWhitespace(byte value) {
		return value == ' ' || value == '\n' || value == '\r' || value == '\t';
	}

}
