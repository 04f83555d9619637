package dev.reflector.test.internal.fault;

import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.reflector.test.internal.format.WireFormat;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes the frames of one stream, from some event on.
 */
public interface FramePlay {

	/**
	 * Returns the bytes to send for a frame.
	 * @param position 0 for the event at which the fault begins, 1 for the next
	 * @param frame the frame as it should be sent
	 * @return the bytes to send, or {@link #end()} to end the stream
	 */
	Publisher<byte[]> play(long position, byte[] frame);

	/**
	 * Returns the bytes to send when the answer ends properly.
	 * @return the bytes that have been held back
	 */
	default Publisher<byte[]> rest() {
		return Mono.empty();
	}

	/**
	 * Returns a change that plays this one at each frame from the event on.
	 * @return a new change
	 */
	default FramePlay each() {
		return (position, frame) -> play(0, frame);
	}

	/**
	 * Replaces one frame. The frames after it do not change.
	 * @param instead returns the bytes to send for that frame
	 * @return the change
	 */
	static FramePlay once(Function<byte[], Publisher<byte[]>> instead) {
		return (position, frame) -> (position == 0) ? instead.apply(frame) : Mono.just(frame);
	}

	/**
	 * Changes one frame.
	 * @param format the format of frames
	 * @param change changes the frame {@code {"type": ..., "object": ...}}
	 * @return the change
	 */
	static FramePlay change(WireFormat format, UnaryOperator<ObjectNode> change) {
		return once((frame) -> Mono.just(format.frame(change.apply(format.read(frame)))));
	}

	/**
	 * Inserts bytes before one frame.
	 * @param bytes the bytes
	 * @return the change
	 */
	static FramePlay insert(byte[] bytes) {
		return once((frame) -> Flux.just(bytes, frame));
	}

	/**
	 * Replaces one frame, and then ends the stream.
	 * @param last returns the last bytes to send
	 * @return the change
	 */
	static FramePlay last(Function<byte[], Publisher<byte[]>> last) {
		return once((frame) -> Flux.concat(last.apply(frame), end()));
	}

	static Mono<byte[]> end() {
		return Mono.error(EndOfStream.INSTANCE);
	}

	/**
	 * Signals that the stream must end cleanly.
	 */
	final class EndOfStream extends RuntimeException {

		private static final EndOfStream INSTANCE = new EndOfStream();

		private static final long serialVersionUID = 1;

		private EndOfStream() {
			super("end of stream", null, false, false);
		}

	}

}
