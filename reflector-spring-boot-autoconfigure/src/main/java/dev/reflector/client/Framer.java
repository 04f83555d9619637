package dev.reflector.client;

import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of one response into frames, whatever the borders of the network buffers
 * are. Keeps state between chunks; one thread at a time.
 */
interface Framer {

	/**
	 * Reads up to the end of the next frame.
	 * @param chunk the bytes
	 * @return the frame, which is valid until the framer is called again or the chunk is
	 * filled again; {@code null} when the chunk ends before the frame does
	 * @throws MalformedResponseException when the bytes make no sense
	 */
	@Nullable Frame next(Chunk chunk);

	/**
	 * What is left of a chunk, without looking through it or passing over it, where a
	 * frame is likely to begin there: who decodes it can tell where it ends.
	 * @param chunk the bytes
	 * @return an assumed frame; {@code null} when nothing speaks for one
	 */
	default @Nullable Frame ahead(Chunk chunk) {
		return null;
	}

}
