package dev.reflector.client.internal.frame;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * Copies the bytes of one body from its buffers, and decompresses them. Keeps state
 * between buffers, so it is not thread-safe.
 */
@FunctionalInterface
public interface Unpacking extends AutoCloseable {

	/** Copies the bytes of a body that is not compressed. */
	Unpacking NONE = (chunk, buffer) -> {
		chunk.fill(buffer);
		return buffer.readableByteCount() == 0;
	};

	/**
	 * Copies bytes from a buffer into a chunk, and decompresses them if necessary. May
	 * add no byte to the chunk even if there is room, for example if the buffer contains
	 * only a part of a gzip header.
	 * @param chunk the chunk that receives the bytes
	 * @param buffer the buffer, which the caller passes again until all its bytes were
	 * used
	 * @return whether all bytes of the buffer were used
	 * @throws MalformedResponseException if the bytes are not valid
	 */
	boolean fill(Chunk chunk, DataBuffer buffer);

	/**
	 * Checks that the body may end here.
	 * @throws MalformedResponseException if the body is incomplete
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
