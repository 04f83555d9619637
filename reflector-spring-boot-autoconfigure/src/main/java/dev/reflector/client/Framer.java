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
	 * The next line of a chunk, without looking through it or passing over it, where it
	 * is likely to be a frame: what is decoded of it can tell whether it is one.
	 * @param chunk the bytes
	 * @return the line without its end, an assumed frame; {@code null} when nothing
	 * speaks for it
	 */
	default @Nullable Frame line(Chunk chunk) {
		return null;
	}

}
