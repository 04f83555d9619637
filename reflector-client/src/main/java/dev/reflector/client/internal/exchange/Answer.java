package dev.reflector.client.internal.exchange;

import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.reflector.client.internal.decode.DecodedBody;
import dev.reflector.client.internal.frame.FrameDecoder;
import dev.reflector.client.internal.frame.Framer;
import dev.reflector.client.internal.frame.OpenFrame;
import dev.reflector.client.internal.frame.Unpacking;
import dev.reflector.client.options.ObjectFormat;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * The body of an answer that reports success.
 *
 * @param format what the server says that it is
 * @param unpacking makes what takes its bytes out of the buffers
 * @param buffers its buffers as they arrive, to be released by whoever takes them
 * @param frames takes the frames that must not take too long
 */
public record Answer(ObjectFormat format, Supplier<Unpacking> unpacking, Flux<DataBuffer> buffers,
		Consumer<OpenFrame> frames) {

	/**
	 * Decodes the body.
	 * @param <R> what a frame is decoded into
	 * @param framer cuts this body
	 * @param decoder decodes a frame, and keeps nothing of it
	 * @param scheduler where to do so
	 * @return what was decoded
	 */
	public <R> Flux<R> decoded(Framer framer, FrameDecoder<R> decoder, Scheduler scheduler) {
		return new DecodedBody<>(this.buffers, this.unpacking, framer, decoder, scheduler);
	}

}
