package dev.reflector.client.internal.frame;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * Some bytes of a response with a position up to which they have been read. Its array is
 * filled again, so whoever wants to keep bytes copies them.
 */
public final class Chunk {

	/** More than that of a network buffer is read in several steps. */
	public static final int CAPACITY = 16 * 1024;

	public byte[] bytes = {};

	public int position;

	public int end;

	/** Not known while negative. */
	private int linesEnd;

	/** No line ends before it. */
	private int searched;

	/**
	 * Takes over the next bytes, behind those that have not been read.
	 * @param buffer where to take bytes from, as many as there is room for, which are
	 * then read there
	 */
	public void fill(DataBuffer buffer) {
		int count = Math.min(buffer.readableByteCount(), CAPACITY - (this.end - this.position));
		makeRoom(count);
		buffer.read(this.bytes, this.end, count);
		this.end += count;
	}

	/**
	 * Makes room for as many bytes as there may be, behind those that have not been read.
	 * @return how many
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
	 * Where the last line ends that is there to its end. What is behind that goes on in
	 * the next bytes.
	 * @return the index, not before the position
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

	/** As many bytes that have not been read as there may be. */
	public boolean isFull() {
		return this.end - this.position == CAPACITY;
	}

	public boolean isRead() {
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
