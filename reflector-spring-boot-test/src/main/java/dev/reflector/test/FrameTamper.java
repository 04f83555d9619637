package dev.reflector.test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plays a fault to the body of a proper answer: to the frames of a watch, or to the items
 * of a list as if each was a frame.
 */
final class FrameTamper implements UnaryOperator<Flux<ByteBuf>> {

	private static final String ITEM_PREFIX = "{\"type\":\"ADDED\",\"object\":";

	private final boolean watch;

	private final long event;

	private final FramePlay play;

	private final AtomicLong count = new AtomicLong();

	/**
	 * Tampers with one answer.
	 * @param watch whether it is that of a watch
	 * @param event the number of the event at which to begin, 1 for the first
	 * @param play what to do
	 */
	FrameTamper(boolean watch, long event, FramePlay play) {
		this.watch = watch;
		this.event = event;
		this.play = play;
	}

	@Override
	public Flux<ByteBuf> apply(Flux<ByteBuf> chunks) {
		return (this.watch ? frames(chunks) : items(chunks)).onErrorComplete(FramePlay.EndOfStream.class)
			.map(Unpooled::wrappedBuffer);
	}

	private Flux<byte[]> frames(Flux<ByteBuf> chunks) {
		Lines lines = new Lines();
		return chunks.concatMapIterable(lines::split, 1)
			// an empty one sends the headers off
			.concatMap((line) -> (line.length > 0) ? played(line) : Mono.just(line), 1);
	}

	private Publisher<byte[]> played(byte[] frame) {
		long position = this.count.incrementAndGet() - this.event;
		return (position < 0) ? Mono.just(frame) : this.play.play(position, frame);
	}

	private Flux<byte[]> items(Flux<ByteBuf> chunks) {
		return chunks.collect(ByteArrayOutputStream::new, (body, chunk) -> body.writeBytes(take(chunk)))
			.flatMapMany((body) -> items(Json.read(body.toByteArray())));
	}

	private Flux<byte[]> items(ObjectNode list) {
		ArrayNode items = list.withArray("items");
		list.putArray("items");
		byte[] rest = Json.bytes(list);
		String text = new String(rest, StandardCharsets.UTF_8);
		int split = text.indexOf("\"items\":[") + "\"items\":[".length();
		AtomicLong written = new AtomicLong();
		return Flux.concat(Mono.just(bytes(text.substring(0, split))),
				Flux.fromIterable(items)
					.map((item) -> bytes(ITEM_PREFIX + item + "}\n"))
					.concatMap(this::played, 1)
					.map((frame) -> bytes(((written.getAndIncrement() > 0) ? "," : "") + item(frame))),
				Mono.just(bytes(text.substring(split))));
	}

	private static String item(byte[] frame) {
		String text = new String(frame, StandardCharsets.UTF_8);
		String stripped = text.strip();
		return (stripped.startsWith(ITEM_PREFIX) && stripped.endsWith("}"))
				? stripped.substring(ITEM_PREFIX.length(), stripped.length() - 1) : text;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static byte[] take(ByteBuf chunk) {
		try {
			return ByteBufUtil.getBytes(chunk);
		}
		finally {
			chunk.release();
		}
	}

	/**
	 * Cuts chunks into lines, which frames are.
	 */
	private static final class Lines {

		private final ByteArrayOutputStream open = new ByteArrayOutputStream();

		List<byte[]> split(ByteBuf chunk) {
			byte[] bytes = take(chunk);
			if (bytes.length == 0) {
				return List.of(bytes);
			}
			List<byte[]> lines = new ArrayList<>();
			int from = 0;
			for (int i = 0; i < bytes.length; i++) {
				if (bytes[i] == '\n') {
					this.open.writeBytes(Arrays.copyOfRange(bytes, from, i + 1));
					lines.add(this.open.toByteArray());
					this.open.reset();
					from = i + 1;
				}
			}
			this.open.writeBytes(Arrays.copyOfRange(bytes, from, bytes.length));
			return lines;
		}

	}

}
