package dev.reflector.client.internal.frame;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Puts a frame together that may be spread over several chunks. Keeps no more than a
 * limit of it, and its array for the next frame unless it is large.
 */
public final class FrameAssembler {

	private static final byte[] EMPTY = new byte[0];

	private static final int MAX_SPARE = 64 * 1024;

	private final int limit;

	private final long largest;

	private byte[] bytes = EMPTY;

	private int length;

	private long size;

	private boolean complete;

	/**
	 * Puts frames together that may be of any size.
	 * @param limit how much of a frame is kept
	 */
	public FrameAssembler(int limit) {
		this(limit, Long.MAX_VALUE);
	}

	/**
	 * Puts frames together.
	 * @param limit how much of a frame is kept
	 * @param largest how large a frame may be
	 */
	public FrameAssembler(int limit, long largest) {
		this.limit = limit;
		this.largest = largest;
	}

	/**
	 * Takes a frame, or what a chunk has of it.
	 * @param scanner finds where it ends
	 * @param chunk the chunk
	 * @param typed see {@link Frame}
	 * @return the frame, valid until the next call; {@code null} when it goes on in the
	 * next chunk
	 * @throws MalformedResponseException when the frame is larger than frames may be
	 */
	@Nullable public Frame take(FrameScanner scanner, Chunk chunk, boolean typed) {
		int from = chunk.position;
		if (scanner.skip(chunk)) {
			return complete(chunk.bytes, from, chunk.position, typed);
		}
		append(chunk.bytes, from, chunk.position);
		return null;
	}

	private void append(byte[] chunk, int from, int to) {
		if (this.complete) {
			clear();
		}
		this.size += to - from;
		if (this.size > this.largest) {
			throw new MalformedResponseException("a frame that has not ended after " + this.largest + " bytes");
		}
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

	private Frame complete(byte[] chunk, int from, int to, boolean typed) {
		int part = to - from;
		if (this.complete) {
			clear();
		}
		if (this.size == 0) {
			return new Frame(chunk, from, Math.min(part, this.limit), part, typed);
		}
		append(chunk, from, to);
		this.complete = true;
		return new Frame(this.bytes, 0, this.length, this.size, typed);
	}

	private void clear() {
		if (this.bytes.length > MAX_SPARE) {
			this.bytes = EMPTY;
		}
		this.length = 0;
		this.size = 0;
		this.complete = false;
	}

}
