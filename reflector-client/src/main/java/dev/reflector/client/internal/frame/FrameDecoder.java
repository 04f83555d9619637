package dev.reflector.client.internal.frame;

import org.jspecify.annotations.Nullable;

/**
 * Decodes the frames of one body.
 *
 * @param <R> what a frame is decoded into
 */
@FunctionalInterface
public interface FrameDecoder<R> {

	/**
	 * Decodes a frame.
	 * @param frame the frame, of which nothing is kept
	 * @return what it holds
	 */
	R decode(Frame frame);

	/**
	 * Decodes what is merely assumed to begin with a frame, if it is as most frames are.
	 * @param ahead an assumed frame, of which nothing is kept
	 * @return what the frame holds, which knows from now on where it ends; {@code null}
	 * when only who cuts the body into frames can tell
	 */
	default @Nullable R decodeAhead(Frame ahead) {
		return null;
	}

}
