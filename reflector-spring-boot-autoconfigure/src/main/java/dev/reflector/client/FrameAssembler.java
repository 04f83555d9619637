package dev.reflector.client;

import java.util.Arrays;

/**
 * Puts a frame together that may be spread over several buffers. Keeps no more than a
 * limit of it.
 */
final class FrameAssembler {

	private static final byte[] EMPTY = new byte[0];

	private final int limit;

	private byte[] bytes = EMPTY;

	private int length;

	private long size;

	FrameAssembler(int limit) {
		this.limit = limit;
	}

	/**
	 * Takes over a part of a frame that goes on in the next buffer.
	 * @param chunk the buffer
	 * @param from where the part starts
	 * @param to where it ends
	 */
	void append(byte[] chunk, int from, int to) {
		this.size += to - from;
		int kept = Math.min(to - from, this.limit - this.length);
		if (kept > 0) {
			ensureCapacity(this.length + kept);
			System.arraycopy(chunk, from, this.bytes, this.length, kept);
			this.length += kept;
		}
	}

	private void ensureCapacity(int capacity) {
		if (capacity > this.bytes.length) {
			long doubled = Math.max(capacity, Math.min(2L * this.bytes.length, this.limit));
			this.bytes = Arrays.copyOf(this.bytes, (int) doubled);
		}
	}

	/**
	 * Takes the last part of a frame and forgets it.
	 * @param chunk the buffer
	 * @param from where the part starts
	 * @param to where it ends
	 * @param typed see {@link Frame}
	 * @return the frame
	 */
	Frame complete(byte[] chunk, int from, int to, boolean typed) {
		int part = to - from;
		if (this.size == 0) {
			return new Frame(chunk, from, Math.min(part, this.limit), part, typed);
		}
		append(chunk, from, to);
		Frame frame = new Frame(this.bytes, 0, this.length, this.size, typed);
		// the frame is decoded on another thread: it keeps the array
		clear();
		return frame;
	}

	void clear() {
		this.bytes = EMPTY;
		this.length = 0;
		this.size = 0;
	}

	boolean isEmpty() {
		return this.size == 0;
	}

}
