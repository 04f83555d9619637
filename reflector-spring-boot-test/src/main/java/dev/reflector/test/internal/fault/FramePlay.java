package dev.reflector.test.internal.fault;

import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.reflector.test.internal.format.WireFormat;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes the frames of one stream, from the event at which a fault begins.
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
	 * Returns a change that plays this change at each frame, as if each frame were the
	 * first.
	 * @return a new change
	 */
	default FramePlay each() {
		return (position, frame) -> play(0, frame);
	}

	/**
	 * Returns a change that replaces the first frame. Later frames do not change.
	 * @param instead returns the bytes to send for the first frame
	 * @return the change
	 */
	static FramePlay once(Function<byte[], Publisher<byte[]>> instead) {
		return (position, frame) -> (position == 0) ? instead.apply(frame) : Mono.just(frame);
	}

	/**
	 * Returns a change to the content of the first frame.
	 * @param format the format of frames
	 * @param change changes the frame {@code {"type": ..., "object": ...}}
	 * @return the change
	 */
	static FramePlay change(WireFormat format, UnaryOperator<ObjectNode> change) {
		return once((frame) -> Mono.just(format.frame(change.apply(format.read(frame)))));
	}

	/**
	 * Returns a change that inserts bytes before the first frame.
	 * @param bytes the bytes
	 * @return the change
	 */
	static FramePlay insert(byte[] bytes) {
		return once((frame) -> Flux.just(bytes, frame));
	}

	/**
	 * Returns a change that replaces the first frame, and then ends the stream.
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
