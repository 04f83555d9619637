package dev.reflector.client.internal.frame;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * Some bytes of a response, with the position up to which they were read. The array is
 * reused, so copy bytes that must be kept.
 */
public final class Chunk {

	/** The size of a chunk in bytes. A larger network buffer is read in several steps. */
	public static final int CAPACITY = 16 * 1024;

	public byte[] bytes = {};

	public int position;

	public int end;

	/** The index behind the last line feed; negative when not yet searched. */
	private int linesEnd;

	/** There is no line feed before this index. */
	private int searched;

	/**
	 * Copies bytes from a buffer behind the unread bytes.
	 * @param buffer the buffer, from which as many bytes are read as there is room for
	 */
	public void fill(DataBuffer buffer) {
		int count = Math.min(buffer.readableByteCount(), CAPACITY - (this.end - this.position));
		makeRoom(count);
		buffer.read(this.bytes, this.end, count);
		this.end += count;
	}

	/**
	 * Makes as much room as possible behind the unread bytes.
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
	 * Returns the end of the last complete line. The text behind it continues in the next
	 * bytes.
	 * @return the index behind its line feed, not before the position
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

	/** Whether there is no room for more unread bytes. */
	public boolean isFull() {
		return this.end - this.position == CAPACITY;
	}

	public boolean isRead() {
		return this.position == this.end;
	}

	/**
	 * Moves the position to the next byte that is no white space.
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
