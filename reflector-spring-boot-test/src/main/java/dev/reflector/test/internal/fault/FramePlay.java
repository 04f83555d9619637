package dev.reflector.test.internal.fault;

import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.reflector.test.internal.format.WireFormat;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * A function by which a fault changes the frames of one stream, beginning with the event
 * at which the fault begins.
 */
public interface FramePlay {

	/**
	 * Returns the bytes to send for a frame.
	 * @param position 0 for the event at which the fault begins, 1 for the event after
	 * it, and so on
	 * @param frame the frame as it should be sent
	 * @return the bytes to send, or {@link #end()} to end the stream
	 */
	Publisher<byte[]> play(long position, byte[] frame);

	/**
	 * Returns the bytes that must be sent before the answer ends properly.
	 * @return the bytes of frames that were held back, empty by default
	 */
	default Publisher<byte[]> rest() {
		return Mono.empty();
	}

	/**
	 * Returns a function that changes each frame as this function changes the first
	 * frame.
	 * @return a new function
	 */
	default FramePlay each() {
		return (position, frame) -> play(0, frame);
	}

	/**
	 * Returns a function that replaces the first frame. Later frames are sent unchanged.
	 * @param instead returns the bytes to send for the first frame
	 * @return the function
	 */
	static FramePlay once(Function<byte[], Publisher<byte[]>> instead) {
		return (position, frame) -> (position == 0) ? instead.apply(frame) : Mono.just(frame);
	}

	/**
	 * Returns a function that changes the content of the first frame.
	 * @param format the format of frames
	 * @param change changes the frame {@code {"type": ..., "object": ...}}
	 * @return the function
	 */
	static FramePlay change(WireFormat format, UnaryOperator<ObjectNode> change) {
		return once((frame) -> Mono.just(format.frame(change.apply(format.read(frame)))));
	}

	/**
	 * Returns a function that inserts bytes before the first frame.
	 * @param bytes the bytes
	 * @return the function
	 */
	static FramePlay insert(byte[] bytes) {
		return once((frame) -> Flux.just(bytes, frame));
	}

	/**
	 * Returns a function that replaces the first frame, and then ends the stream.
	 * @param last returns the last bytes to send
	 * @return the function
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
