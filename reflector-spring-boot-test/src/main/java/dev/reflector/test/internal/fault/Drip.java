package dev.reflector.test.internal.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.reflector.test.internal.exchange.ServerExchange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sends bytes slowly, or only the first bytes of a body.
 */
public final class Drip {

	private static final int PIECES_PER_SECOND = 20;

	private final int size;

	private final Duration distance;

	public Drip(int bytesPerSecond) {
		if (bytesPerSecond < 1) {
			throw new IllegalArgumentException("'bytesPerSecond' must be positive");
		}
		this.size = Math.max(1, bytesPerSecond / PIECES_PER_SECOND);
		this.distance = Duration.ofNanos(1_000_000_000L * this.size / bytesPerSecond);
	}

	public Flux<ByteBuf> slow(Flux<ByteBuf> chunks, ServerExchange exchange) {
		return chunks.concatMap((chunk) -> {
			byte[] bytes = bytes(chunk);
			// an empty chunk is passed on, because it makes the server send the headers
			return (bytes.length > 0) ? pieces(bytes, exchange) : Mono.just(bytes);
		}, 1).map(Unpooled::wrappedBuffer);
	}

	public Flux<byte[]> pieces(byte[] bytes, ServerExchange exchange) {
		List<byte[]> pieces = new ArrayList<>();
		for (int from = 0; from < bytes.length; from += this.size) {
			pieces.add(Arrays.copyOfRange(bytes, from, Math.min(from + this.size, bytes.length)));
		}
		return Flux.fromIterable(pieces).delayElements(this.distance, exchange.clock());
	}

	/**
	 * Returns the first bytes of a body, followed by the given end.
	 * @param chunks the body
	 * @param count how many bytes of the body to send
	 * @param end the bytes to send after the first bytes of the body
	 * @return the first bytes of the body, and then the given end
	 */
	public static Flux<ByteBuf> take(Flux<ByteBuf> chunks, int count, Mono<byte[]> end) {
		return Flux.defer(() -> {
			int[] left = { count };
			return chunks.map((chunk) -> {
				byte[] bytes = bytes(chunk);
				byte[] taken = Arrays.copyOf(bytes, Math.min(left[0], bytes.length));
				left[0] -= taken.length;
				return taken;
			})
				.takeUntil((taken) -> left[0] == 0)
				.concatWith(end)
				.onErrorComplete(FramePlay.EndOfStream.class)
				.map(Unpooled::wrappedBuffer);
		});
	}

	private static byte[] bytes(ByteBuf chunk) {
		try {
			return ByteBufUtil.getBytes(chunk);
		}
		finally {
			chunk.release();
		}
	}

}
