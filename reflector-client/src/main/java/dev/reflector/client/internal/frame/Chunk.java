package dev.reflector.client.internal.frame;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * Some bytes of a response, with the position up to which they were read. The array is
 * reused, so bytes that are needed later must be copied.
 */
public final class Chunk {

	/** The size of a chunk in bytes. A larger network buffer is read in several steps. */
	public static final int CAPACITY = 16 * 1024;

	public byte[] bytes = {};

	public int position;

	public int end;

	/** The index after the last line feed; negative if it was not searched yet. */
	private int linesEnd;

	/** The index up to which the bytes are known to contain no line feed. */
	private int searched;

	/**
	 * Copies bytes from a buffer to the end of the unread bytes. Copies no more bytes
	 * than there is room for.
	 * @param buffer the buffer
	 */
	public void fill(DataBuffer buffer) {
		int count = Math.min(buffer.readableByteCount(), CAPACITY - (this.end - this.position));
		makeRoom(count);
		buffer.read(this.bytes, this.end, count);
		this.end += count;
	}

	/**
	 * Makes as much room as possible after the unread bytes.
	 * @return the number of bytes that fit
	 */
	public int makeRoom() {
		makeRoom(CAPACITY - (this.end - this.position));
		return this.bytes.length - this.end;
	}

	private void makeRoom(int count) {
		int unread = this.end - this.position;
		byte[] before = this.bytes;
		if (before.length < unread + count) {
			this.bytes = new byte[Math.min(Math.max(unread + count, 2 * before.length), CAPACITY)];
		}
		if (this.position > 0 || this.bytes != before) {
			System.arraycopy(before, this.position, this.bytes, 0, unread);
		}
		this.searched = (this.linesEnd >= 0 && this.linesEnd <= this.position) ? unread : 0;
		this.linesEnd = -1;
		this.position = 0;
		this.end = unread;
	}

	/**
	 * Returns the end of the last complete line.
	 * @return the index after its line feed, or the position if no unread line is
	 * complete
	 */
	int linesEnd() {
		if (this.linesEnd < 0) {
			int index = this.end;
			int least = Math.max(this.searched, this.position);
			while (index > least && this.bytes[index - 1] != '\n') {
				index--;
			}
			this.linesEnd = (index > least) ? index : 0;
		}
		return Math.max(this.linesEnd, this.position);
	}

	/** Returns whether there is no room for more unread bytes. */
	public boolean isFull() {
		return this.end - this.position == CAPACITY;
	}

	public boolean isRead() {
		return this.position == this.end;
	}

	/**
	 * Moves the position to the next byte that is no white space.
	 * @return whether there is such a byte
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
