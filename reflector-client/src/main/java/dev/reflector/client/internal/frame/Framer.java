package dev.reflector.client.internal.frame;

import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of one response into frames, independently of the borders of network
 * buffers. Keeps state between chunks; not thread-safe.
 */
public interface Framer {

	/**
	 * Reads up to the end of the next frame.
	 * @param chunk the bytes
	 * @return the frame, valid until the framer is called or the chunk is filled again;
	 * {@code null} when the chunk ends before the frame
	 * @throws MalformedResponseException when the bytes are not valid
	 */
	@Nullable Frame next(Chunk chunk);

	/**
	 * Returns the bytes of a chunk that probably begin with a frame. They are neither
	 * scanned nor skipped: the decoder finds the end of the frame, so that the bytes are
	 * read only once.
	 * @param chunk the bytes
	 * @return an assumed frame, which may be empty; {@code null} for none
	 */
	default @Nullable Frame ahead(Chunk chunk) {
		return null;
	}

	/**
	 * Skips an assumed frame after it was decoded.
	 * @param chunk the bytes
	 * @param ahead the frame, with its end
	 */
	default void skip(Chunk chunk, Frame ahead) {
		chunk.position = ahead.end();
	}

	/**
	 * Whether a chunk probably ends within a frame of which nothing was read yet.
	 * @param chunk the bytes
	 * @return whether to wait for the bytes that follow
	 */
	default boolean isCut(Chunk chunk) {
		return false;
	}

}
