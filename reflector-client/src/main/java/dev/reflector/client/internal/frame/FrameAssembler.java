package dev.reflector.client.internal.frame;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Assembles frames that are spread over several chunks. If a frame exceeds a limit, keeps
 * only its beginning. Reuses its array for the next frame, unless the array is large.
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
	 * Creates an assembler for frames of any size.
	 * @param limit the largest number of bytes of a frame that are kept
	 */
	public FrameAssembler(int limit) {
		this(limit, Long.MAX_VALUE);
	}

	/**
	 * Creates an assembler for frames of a limited size.
	 * @param limit the largest number of bytes of a frame that are kept
	 * @param largest the largest number of bytes that a frame may have
	 */
	public FrameAssembler(int limit, long largest) {
		this.limit = limit;
		this.largest = largest;
	}

	/**
	 * Reads a frame, or the part of the frame that is in a chunk.
	 * @param scanner finds the end of the frame
	 * @param chunk the chunk
	 * @param typed whether the list around the frame has the expected type
	 * @return the frame, which is valid until the next call, or {@code null} if the frame
	 * continues in the next chunk
	 * @throws MalformedResponseException if the frame is too large
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
