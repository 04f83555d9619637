package dev.reflector.client.internal.frame;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * Copies the bytes of one body from its buffers, and decompresses them. Keeps state
 * between buffers; not thread-safe.
 */
@FunctionalInterface
public interface Unpacking extends AutoCloseable {

	/** Copies bodies that are not compressed. */
	Unpacking NONE = (chunk, buffer) -> {
		chunk.fill(buffer);
		return buffer.readableByteCount() == 0;
	};

	/**
	 * Copies as many bytes as a chunk has room for, perhaps none.
	 * @param chunk the target
	 * @param buffer the source; the same buffer is passed again until it is used up
	 * @return whether the buffer is used up
	 * @throws MalformedResponseException when the bytes are not valid
	 */
	boolean fill(Chunk chunk, DataBuffer buffer);

	/**
	 * Checks that the body may end here.
	 * @throws MalformedResponseException when it may not
	 */
	default void finish() {
	}

	/**
	 * Releases the memory of this decompression. May be called repeatedly; no other
	 * method may be called afterwards.
	 */
	@Override
	default void close() {
	}

}
