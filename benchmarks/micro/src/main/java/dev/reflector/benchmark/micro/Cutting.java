package dev.reflector.benchmark.micro;

import java.util.Arrays;
import java.util.function.Consumer;

import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.Framer;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;

/**
 * Cuts bodies into frames.
 */
public final class Cutting {

	private Cutting() {
	}

	/**
	 * Cuts the next buffer of a body.
	 * @param framer cuts the body
	 * @param chunk holds the bytes
	 * @param bytes the buffer
	 * @param reader takes the frames, which are valid during the call
	 */
	public static void cut(Framer framer, Chunk chunk, byte[] bytes, Consumer<Frame> reader) {
		DataBuffer buffer = DefaultDataBufferFactory.sharedInstance.wrap(bytes);
		while (buffer.readableByteCount() > 0) {
			chunk.fill(buffer);
			for (Frame frame = framer.next(chunk); frame != null; frame = framer.next(chunk)) {
				reader.accept(frame);
			}
		}
	}

	/**
	 * Copies a frame, which stays valid.
	 * @param frame a frame
	 * @return the same frame with its own bytes
	 */
	public static Frame copy(Frame frame) {
		byte[] bytes = Arrays.copyOfRange(frame.bytes(), frame.offset(), frame.end());
		return new Frame(bytes, 0, bytes.length, frame.size(), frame.typed());
	}

}
