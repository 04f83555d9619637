package dev.reflector.client.internal.exchange;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.reflector.client.internal.decode.DecodedBody;
import dev.reflector.client.internal.frame.FrameDecoder;
import dev.reflector.client.internal.frame.Framer;
import dev.reflector.client.internal.frame.OpenFrame;
import dev.reflector.client.internal.frame.Unpacking;
import dev.reflector.client.options.ObjectFormat;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;

/**
 * A successful response.
 *
 * @param format the format of the body, according to its content type
 * @param unpacking creates the decompression of the body for one subscriber
 * @param buffers the buffers of the body as they arrive; the subscriber releases them
 * @param frames receives an object that measures how long the current frame has been
 * incomplete; the exchange limits this time
 */
public record Answer(ObjectFormat format, Supplier<Unpacking> unpacking, Flux<DataBuffer> buffers,
		Consumer<OpenFrame> frames) {

	/**
	 * Decodes the body.
	 * @param <R> the type of a decoded frame
	 * @param framer cuts this body into frames
	 * @param decoder decodes a frame, and must not keep a reference to its bytes
	 * @param scheduler runs the decoding
	 * @return the decoded frames
	 */
	public <R> Flux<R> decoded(Framer framer, FrameDecoder<R> decoder, Scheduler scheduler) {
		return new DecodedBody<>(this.buffers, this.unpacking, framer, decoder, scheduler);
	}

	/**
	 * Returns the bytes of the body as they arrive.
	 * @return the bytes, which may be compressed
	 */
	public Flux<byte[]> bytes() {
		return this.buffers.map(Answer::bytes);
	}

	/**
	 * Returns the whole body.
	 * @param limit the largest number of bytes; if the body is longer, parts of it are
	 * missing in the result
	 * @return the bytes, which may be compressed
	 */
	public Mono<byte[]> body(int limit) {
		return bytes().collect(ByteArrayOutputStream::new, (body, bytes) -> {
			if (body.size() + bytes.length <= limit) {
				body.write(bytes, 0, bytes.length);
			}
		}).map(ByteArrayOutputStream::toByteArray);
	}

	/** Copies the bytes of a buffer, and releases the buffer. */
	static byte[] bytes(DataBuffer buffer) {
		try {
			byte[] bytes = new byte[buffer.readableByteCount()];
			buffer.read(bytes);
			return bytes;
		}
		finally {
			DataBufferUtils.release(buffer);
		}
	}

}
