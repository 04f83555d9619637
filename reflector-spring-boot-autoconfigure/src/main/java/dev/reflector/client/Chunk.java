package dev.reflector.client;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * Some bytes of a response with a position up to which they have been read. Its array is
 * filled again when all has been read, so whoever wants to keep bytes copies them.
 */
final class Chunk {

	/** More than that of a network buffer is read in several steps. */
	static final int CAPACITY = 16 * 1024;

	byte[] bytes = {};

	int position;

	int end;

	/** Not known while negative. */
	private int linesEnd;

	/**
	 * Takes over the next bytes. What was there before must have been read.
	 * @param buffer where to take bytes from, which are then read there
	 */
	void fill(DataBuffer buffer) {
		int count = Math.min(buffer.readableByteCount(), CAPACITY);
		if (this.bytes.length < count) {
			this.bytes = new byte[Math.min(Math.max(count, 2 * this.bytes.length), CAPACITY)];
		}
		clearMarks();
		buffer.read(this.bytes, 0, count);
		this.end = count;
	}

	/**
	 * Makes room for as many bytes as there may be. What was there before must have been
	 * read.
	 */
	void clear() {
		if (this.bytes.length < CAPACITY) {
			this.bytes = new byte[CAPACITY];
		}
		clearMarks();
	}

	private void clearMarks() {
		this.position = 0;
		this.end = 0;
		this.linesEnd = -1;
	}

	/**
	 * Where the last line ends that is there to its end. What is behind that goes on in
	 * the next bytes.
	 * @return the index, not before the position
	 */
	int linesEnd() {
		if (this.linesEnd < 0) {
			int index = this.end;
			while (index > this.position && this.bytes[index - 1] != '\n') {
				index--;
			}
			this.linesEnd = index;
		}
		return Math.max(this.linesEnd, this.position);
	}

	boolean isRead() {
		return this.position == this.end;
	}

	/**
	 * Moves to the next byte that is no white space.
	 * @return whether there is one
	 */
	boolean skipWhitespace() {
		byte[] bytes = this.bytes;
		int end = this.end;
		int position = this.position;
		while (position < end && isWhitespace(bytes[position])) {
			position++;
		}
		this.position = position;
		return position < end;
	}

	static boolean isWhitespace(byte value) {
		return value == ' ' || value == '\n' || value == '\r' || value == '\t';
	}

}
