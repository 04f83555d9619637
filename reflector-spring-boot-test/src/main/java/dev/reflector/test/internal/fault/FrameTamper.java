package dev.reflector.test.internal.fault;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

import dev.reflector.test.internal.format.FrameSplitter;
import dev.reflector.test.internal.format.ListEnvelope;
import dev.reflector.test.internal.format.WireFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plays a fault on the body of a proper answer. The fault changes the frames of a watch,
 * or the items of a list as if each item were a frame.
 */
final class FrameTamper implements UnaryOperator<Flux<ByteBuf>> {

	private static final String ITEM = "ADDED";

	private final boolean watch;

	private final WireFormat format;

	private final long event;

	private final FramePlay play;

	private final AtomicLong count = new AtomicLong();

	/**
	 * Creates the change to one answer.
	 * @param watch whether the answer is a watch
	 * @param format the format of the answer
	 * @param event the number of the event at which to begin, 1 for the first
	 * @param play changes the frames
	 */
	FrameTamper(boolean watch, WireFormat format, long event, FramePlay play) {
		this.watch = watch;
		this.format = format;
		this.event = event;
		this.play = play;
	}

	@Override
	public Flux<ByteBuf> apply(Flux<ByteBuf> chunks) {
		return (this.watch ? frames(chunks) : items(chunks)).onErrorComplete(FramePlay.EndOfStream.class)
			.map(Unpooled::wrappedBuffer);
	}

	private Flux<byte[]> frames(Flux<ByteBuf> chunks) {
		FrameSplitter splitter = FrameSplitter.of(this.format);
		return chunks.map(FrameTamper::take)
			// an empty chunk is passed on, because it makes the server send the headers
			.concatMapIterable((chunk) -> (chunk.length > 0) ? splitter.split(chunk) : List.of(chunk), 1)
			.concatMap((frame) -> (frame.length > 0) ? played(frame) : Mono.just(frame), 1)
			.concatWith(rest());
	}

	private Publisher<byte[]> played(byte[] frame) {
		long position = this.count.incrementAndGet() - this.event;
		return (position < 0) ? Mono.just(frame) : this.play.play(position, frame);
	}

	private Flux<byte[]> rest() {
		return Flux.defer(this.play::rest);
	}

	private Flux<byte[]> items(Flux<ByteBuf> chunks) {
		return chunks.collect(ByteArrayOutputStream::new, (body, chunk) -> body.writeBytes(take(chunk)))
			.flatMapMany((body) -> items(this.format.read(body.toByteArray())));
	}

	private Flux<byte[]> items(ObjectNode list) {
		ArrayNode items = list.withArray("items");
		list.putArray("items");
		ListEnvelope envelope = this.format.envelope(list, WireFormat.UNKNOWN, 0);
		AtomicLong written = new AtomicLong();
		return Flux.concat(Mono.just(envelope.opening()), Flux.fromIterable(items)
			.map((item) -> ByteBufUtil.getBytes(this.format.frame(ITEM, this.format.bytes(item, 0), false)))
			.concatMap(this::played, 1)
			.concatWith(rest())
			.map((frame) -> this.format.objectOf(frame, ITEM))
			.concatMapIterable(
					(item) -> (written.getAndIncrement() > 0) ? List.of(envelope.separator(), item) : List.of(item)),
				Mono.just(envelope.closing()));
	}

	private static byte[] take(ByteBuf chunk) {
		try {
			return ByteBufUtil.getBytes(chunk);
		}
		finally {
			chunk.release();
		}
	}

}
