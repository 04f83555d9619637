package dev.reflector.client;

import org.jspecify.annotations.Nullable;

/**
 * Decodes the frames of one body.
 *
 * @param <R> what a frame is decoded into
 */
@FunctionalInterface
interface FrameDecoder<R> {

	/**
	 * Decodes a frame.
	 * @param frame the frame, of which nothing is kept
	 * @return what it holds
	 */
	R decode(Frame frame);

	/**
	 * Decodes a line that nobody has looked through yet, if it is a frame from its first
	 * to its last byte.
	 * @param line the line, of which nothing is kept
	 * @return what it holds, {@code null} when only who cuts the body into frames can
	 * tell
	 */
	default @Nullable R decodeLine(Frame line) {
		return null;
	}

}
