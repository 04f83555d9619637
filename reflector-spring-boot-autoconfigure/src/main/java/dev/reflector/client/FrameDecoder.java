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
	 * @return what it holds; {@code null} when it was merely assumed to be a frame, and
	 * only who cuts the body into frames can tell. Otherwise, an assumed frame knows by
	 * then where it ends
	 */
	@Nullable R decode(Frame frame);

}
