package dev.reflector.test.internal.exchange;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Compresses bodies as real servers do.
 */
public enum Gzip {

	/** The whole body is one gzip member (W-63). */
	WHOLE {

		@Override
		Flux<ByteBuf> compress(Flux<ByteBuf> chunks) {
			return Flux
				.using(Member::new,
						(member) -> chunks.map((chunk) -> Unpooled.wrappedBuffer(member.write(chunk)))
							.concatWith(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(member.finish()))),
						Member::finish);
		}

	},

	/** Each chunk of the body is a separate gzip member. A chunk is one event (W-62). */
	EACH_CHUNK {

		@Override
		Flux<ByteBuf> compress(Flux<ByteBuf> chunks) {
			return chunks.map((chunk) -> {
				if (!chunk.isReadable()) {
					// an empty chunk makes the server send the headers
					return chunk;
				}
				Member member = new Member();
				ByteBuf begin = Unpooled.wrappedBuffer(member.write(chunk));
				return Unpooled.wrappedBuffer(begin, Unpooled.wrappedBuffer(member.finish()));
			});
		}

	};

	/**
	 * Size of a body, in bytes, above which it is compressed. Does not apply to watches
	 * (W-63).
	 */
	public static final int WORTHWHILE = 128 * 1024;

	abstract Flux<ByteBuf> compress(Flux<ByteBuf> chunks);

	/**
	 * Whether a client accepts gzip.
	 * @param acceptEncoding the header {@code Accept-Encoding}, empty for none
	 * @return whether the header names gzip
	 */
	static boolean accepted(String acceptEncoding) {
		// as in real servers, the client must name gzip exactly, without a weight
		return Stream.of(acceptEncoding.split(",")).map(String::strip).anyMatch("gzip"::equals);
	}

	/**
	 * A gzip member that is being written.
	 */
	private static final class Member {

		private final ByteArrayOutputStream compressed = new ByteArrayOutputStream();

		private final GZIPOutputStream gzip;

		Member() {
			try {
				this.gzip = new GZIPOutputStream(this.compressed);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		byte[] write(ByteBuf chunk) {
			try {
				this.gzip.write(ByteBufUtil.getBytes(chunk));
				return taken();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			finally {
				chunk.release();
			}
		}

		byte[] finish() {
			try {
				this.gzip.close();
				return taken();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private byte[] taken() {
			byte[] taken = this.compressed.toByteArray();
			this.compressed.reset();
			return taken;
		}

	}

}
