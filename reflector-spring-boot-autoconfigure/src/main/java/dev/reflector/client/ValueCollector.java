package dev.reflector.client;

import java.util.Arrays;

/**
 * Puts a value together that arrives in pieces. One that arrives in a single piece is not
 * copied. Of one that is too large only the beginning is kept, so that it can still be
 * told which object it was.
 */
final class ValueCollector {

	private static final int KEPT_OF_TOO_LARGE = 64 * 1024;

	private static final int FIRST_SIZE = 8 * 1024;

	/** An array larger than this is given back after use. */
	private static final int LARGEST_IDLE = 1024 * 1024;

	private final int limit;

	private byte[] pieces = new byte[0];

	private int length;

	private boolean tooLarge;

	ValueCollector(int limit) {
		this.limit = limit;
	}

	void begin() {
		this.length = 0;
		this.tooLarge = false;
		if (this.pieces.length > LARGEST_IDLE) {
			this.pieces = new byte[0];
		}
	}

	/** Takes a piece that is not the last. */
	void add(byte[] bytes, int from, int to) {
		if (this.tooLarge) {
			return;
		}
		int count = to - from;
		if ((long) this.length + count > this.limit) {
			this.tooLarge = true;
			count = Math.max(0, Math.min(count, KEPT_OF_TOO_LARGE - this.length));
			this.length = Math.min(this.length, KEPT_OF_TOO_LARGE);
		}
		if (this.length + count > this.pieces.length) {
			int size = Math.max(Math.max(FIRST_SIZE, this.length + count),
					(int) Math.min(this.limit, 2L * this.pieces.length));
			this.pieces = Arrays.copyOf(this.pieces, size);
		}
		System.arraycopy(bytes, from, this.pieces, this.length, count);
		this.length += count;
	}

	/** Takes the last piece and gives the whole. */
	Slice end(byte[] bytes, int from, int to) {
		if (this.length == 0 && !this.tooLarge && to - from <= this.limit) {
			return new Slice(bytes, from, to - from, true);
		}
		add(bytes, from, to);
		return new Slice(this.pieces, 0, this.length, !this.tooLarge);
	}

}
