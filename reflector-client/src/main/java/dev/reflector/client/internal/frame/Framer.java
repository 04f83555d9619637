package dev.reflector.client.internal.frame;

import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of one response into frames. A frame may begin and end in different
 * network buffers. Keeps state between chunks, so it is not thread-safe.
 */
public interface Framer {

	/**
	 * Reads up to the end of the next frame.
	 * @param chunk the bytes
	 * @return the frame, or {@code null} if the frame continues in the next chunk; a
	 * frame is valid until the framer is called or the chunk is filled again
	 * @throws MalformedResponseException if the bytes are not valid
	 */
	@Nullable Frame next(Chunk chunk);

	/**
	 * Returns the bytes of a chunk that probably begin with a frame, without scanning or
	 * skipping them. The decoder then finds the end of the frame, so that the bytes are
	 * read only once.
	 * @param chunk the bytes
	 * @return a frame whose end is only assumed and that may be empty, or {@code null}
	 * for none
	 */
	default @Nullable Frame ahead(Chunk chunk) {
		return null;
	}

	/**
	 * Skips the frame that {@link #ahead} has returned, after it was decoded.
	 * @param chunk the bytes
	 * @param ahead the frame, with the end that the decoder has set
	 */
	default void skip(Chunk chunk, Frame ahead) {
		chunk.position = ahead.end();
	}

	/**
	 * Returns whether the unread bytes of a chunk are probably the beginning of an
	 * incomplete frame.
	 * @param chunk the bytes
	 * @return {@code true} if the caller must wait for more bytes
	 */
	default boolean isCut(Chunk chunk) {
		return false;
	}

}
