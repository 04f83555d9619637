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
	 * @param frame the frame; its array is reused, so bytes that are needed later must be
	 * copied
	 * @return the content
	 */
	R decode(Frame frame);

	/**
	 * Decodes a frame whose end is only assumed, if its content has the usual form, and
	 * sets the end.
	 * @param ahead the frame; its array is reused, so bytes that are needed later must be
	 * copied
	 * @return the content, or {@code null} if the framer must find the end first
	 */
	default @Nullable R decodeAhead(Frame ahead) {
		return null;
	}

}
