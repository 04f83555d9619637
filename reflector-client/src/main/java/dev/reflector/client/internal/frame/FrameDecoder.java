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
	 * @return the decoded frame
	 */
	R decode(Frame frame);

	/**
	 * Decodes a frame whose end is only assumed, and sets its end. Decodes only content
	 * in the usual form.
	 * @param ahead the frame; its array is reused, so bytes that are needed later must be
	 * copied
	 * @return the decoded frame, or {@code null} if the framer must first find the end
	 */
	default @Nullable R decodeAhead(Frame ahead) {
		return null;
	}

}
