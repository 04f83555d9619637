package dev.reflector.client.internal.frame;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * Takes the bytes of one body out of its buffers, as they were before they were encoded.
 * Keeps state between buffers; one thread at a time.
 */
@FunctionalInterface
public interface Unpacking extends AutoCloseable {

	/** Of bodies that are not encoded. */
	Unpacking NONE = (chunk, buffer) -> {
		chunk.fill(buffer);
		return buffer.readableByteCount() == 0;
	};

	/**
	 * Takes the next bytes, no more than a chunk can hold.
	 * @param chunk where to put them, behind what has not been read there, with room for
	 * more. May be left as it is
	 * @param buffer where to take them from; the same again until it is done with
	 * @return whether it is done with the buffer
	 * @throws MalformedResponseException when the bytes make no sense
	 */
	boolean fill(Chunk chunk, DataBuffer buffer);

	/**
	 * Takes note that the body has come to its end.
	 * @throws MalformedResponseException when it must not end there
	 */
	default void finish() {
	}

	/** Gives back what it holds. May be called again; nothing else may be. */
	@Override
	default void close() {
	}

}
