package dev.reflector.test.internal.fault;

import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.reflector.test.internal.format.WireFormat;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a fault does to the frames of one stream, from some event on.
 */
public interface FramePlay {

	/**
	 * What is sent for a frame.
	 * @param position 0 for the event at which the fault begins, 1 for the next
	 * @param frame the frame as it should be sent
	 * @return the bytes to send, {@link #end()} to end the stream
	 */
	Publisher<byte[]> play(long position, byte[] frame);

	/**
	 * What is sent when the answer ends properly.
	 * @return the bytes that have been held back
	 */
	default Publisher<byte[]> rest() {
		return Mono.empty();
	}

	/**
	 * The same for each frame from the event on.
	 * @return another play
	 */
	default FramePlay each() {
		return (position, frame) -> play(0, frame);
	}

	/**
	 * Something else for one frame; the frames after it are left as they are.
	 * @param instead what to send for that frame
	 * @return the play
	 */
	static FramePlay once(Function<byte[], Publisher<byte[]>> instead) {
		return (position, frame) -> (position == 0) ? instead.apply(frame) : Mono.just(frame);
	}

	/**
	 * A change of one frame.
	 * @param format how frames are written
	 * @param change what to do with {@code {"type": ..., "object": ...}}
	 * @return the play
	 */
	static FramePlay change(WireFormat format, UnaryOperator<ObjectNode> change) {
		return once((frame) -> Mono.just(format.frame(change.apply(format.read(frame)))));
	}

	/**
	 * Some bytes ahead of one frame.
	 * @param bytes the bytes
	 * @return the play
	 */
	static FramePlay insert(byte[] bytes) {
		return once((frame) -> Flux.just(bytes, frame));
	}

	/**
	 * Something else for one frame, after which nothing follows.
	 * @param last what to send last
	 * @return the play
	 */
	static FramePlay last(Function<byte[], Publisher<byte[]>> last) {
		return once((frame) -> Flux.concat(last.apply(frame), end()));
	}

	static Mono<byte[]> end() {
		return Mono.error(EndOfStream.INSTANCE);
	}

	/**
	 * Says that the stream must end cleanly.
	 */
	final class EndOfStream extends RuntimeException {

		private static final EndOfStream INSTANCE = new EndOfStream();

		private static final long serialVersionUID = 1;

		private EndOfStream() {
			super("end of stream", null, false, false);
		}

	}

}
