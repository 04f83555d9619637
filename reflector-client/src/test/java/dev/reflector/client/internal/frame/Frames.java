package dev.reflector.client.internal.frame;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Makes a framer read bytes, as they come from a connection. */
public final class Frames {

	private Frames() {
	}

	/** The texts of the frames in these chunks. */
	public static List<String> texts(Framer framer, byte[]... chunks) {
		List<String> frames = new ArrayList<>();
		for (byte[] chunk : chunks) {
			read(framer, chunk, (frame) -> frames
				.add(new String(frame.bytes(), frame.offset(), frame.length(), StandardCharsets.UTF_8)));
		}
		return frames;
	}

	/** Passes each frame in these bytes to a reader, which must copy what it keeps. */
	public static void read(Framer framer, byte[] bytes, Consumer<Frame> reader) {
		Chunk chunk = new Chunk();
		DataBuffer buffer = DefaultDataBufferFactory.sharedInstance.wrap(bytes);
		while (buffer.readableByteCount() > 0) {
			chunk.fill(buffer);
			for (Frame frame = framer.next(chunk); frame != null; frame = framer.next(chunk)) {
				reader.accept(frame);
			}
			assertThat(chunk.isRead()).isTrue();
			// a copy, because the framer reuses the bytes
			Arrays.fill(chunk.bytes, (byte) '?');
		}
	}

}
