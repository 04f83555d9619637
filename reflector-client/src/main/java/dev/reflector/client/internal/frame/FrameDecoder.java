package dev.reflector.client.internal.frame;

import org.jspecify.annotations.Nullable;

/**
 * Decodes the frames of one body.
 *
 * @param <R> the type of a decoded frame
 */
@FunctionalInterface
public interface FrameDecoder<R> {

	/**
	 * Decodes a frame.
	 * @param frame the frame; its bytes must be copied to be kept
	 * @return the content
	 */
	R decode(Frame frame);

	/**
	 * Decodes an assumed frame, if its content has the usual form, and sets its end.
	 * @param ahead the frame; its bytes must be copied to be kept
	 * @return the content; {@code null} when the framer must find the end first
	 */
	default @Nullable R decodeAhead(Frame ahead) {
		return null;
	}

}
