package dev.reflector.client.internal.frame;

import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of one response into frames, whatever the borders of the network buffers
 * are. Keeps state between chunks; one thread at a time.
 */
public interface Framer {

	/**
	 * Reads up to the end of the next frame.
	 * @param chunk the bytes
	 * @return the frame, which is valid until the framer is called again or the chunk is
	 * filled again; {@code null} when the chunk ends before the frame does
	 * @throws MalformedResponseException when the bytes make no sense
	 */
	@Nullable Frame next(Chunk chunk);

	/**
	 * What of a chunk is likely to begin with a frame, without looking through it or
	 * passing over it: who decodes it can tell where the frame ends.
	 * @param chunk the bytes
	 * @return an assumed frame, which may be empty; {@code null} when there is none
	 */
	default @Nullable Frame ahead(Chunk chunk) {
		return null;
	}

	/**
	 * Passes over what has been decoded ahead.
	 * @param chunk the bytes
	 * @param ahead what was likely to be a frame, and was one
	 */
	default void pass(Chunk chunk, Frame ahead) {
		chunk.position = ahead.end();
	}

	/**
	 * Whether a chunk ends within a frame of which nothing has been read, as far as can
	 * be told without knowing where it ends.
	 * @param chunk the bytes
	 * @return whether to wait for the bytes that follow
	 */
	default boolean isCut(Chunk chunk) {
		return false;
	}

}
