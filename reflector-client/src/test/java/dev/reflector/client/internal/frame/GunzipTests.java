package dev.reflector.client.internal.frame;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

import dev.reflector.client.fixture.Gzip;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

public class GunzipTests {

	private static final int ALLOWANCE = 1024 * 1024;

	private static byte[] joined(byte[]... parts) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		for (byte[] part : parts) {
			bytes.writeBytes(part);
		}
		return bytes.toByteArray();
	}

	private static String inflate(Gunzip gunzip, byte[]... pieces) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (byte[] piece : pieces) {
			inflate(gunzip, piece, out::writeBytes);
		}
		return out.toString(StandardCharsets.UTF_8);
	}

	@Test
	void refusesAChunkWithoutRoomInsteadOfLoopingForEver() {
		Chunk chunk = new Chunk();
		chunk.end = chunk.makeRoom();
		Gunzip gunzip = new Gunzip(1 << 20, true);
		assertThatIllegalStateException()
			.isThrownBy(() -> gunzip.fill(chunk, DefaultDataBufferFactory.sharedInstance.wrap(Gzip.of("text"))));
	}

	private static void inflate(Gunzip gunzip, byte[] piece, Consumer<byte[]> reader) {
		DataBuffer buffer = DefaultDataBufferFactory.sharedInstance.wrap(piece);
		Chunk chunk = new Chunk();
		boolean done = false;
		while (!done) {
			done = gunzip.fill(chunk, buffer);
			reader.accept(Arrays.copyOfRange(chunk.bytes, chunk.position, chunk.end));
			chunk.position = chunk.end;
		}
		assertThat(buffer.readableByteCount()).isZero();
	}

	/** With all optional parts of the header. */
	private static byte[] adorned(String text, int flags, byte[] extra) {
		byte[] content = text.getBytes(StandardCharsets.UTF_8);
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes(new byte[] { 0x1f, (byte) 0x8b, 8, (byte) flags, 1, 2, 3, 4, 0, 3 });
		if ((flags & 4) != 0) {
			out.write(extra.length);
			out.write(extra.length >> 8);
			out.writeBytes(extra);
		}
		if ((flags & 8) != 0) {
			out.writeBytes("name\0".getBytes(StandardCharsets.UTF_8));
		}
		if ((flags & 16) != 0) {
			out.writeBytes("\0".getBytes(StandardCharsets.UTF_8));
		}
		if ((flags & 2) != 0) {
			out.write(0);
			out.write(0);
		}
		Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
		deflater.setInput(content);
		deflater.finish();
		byte[] buffer = new byte[1000];
		out.write(buffer, 0, deflater.deflate(buffer));
		deflater.end();
		CRC32 checksum = new CRC32();
		checksum.update(content);
		for (long value : new long[] { checksum.getValue(), content.length }) {
			for (int i = 0; i < 4; i++) {
				out.write((int) (value >>> (8 * i)));
			}
		}
		return out.toByteArray();
	}

	@Test
	void w65_membersMayBeSplitAnywhere() {
		byte[] bytes = joined(Gzip.of("first"), Gzip.of(""), Gzip.of("second"));
		for (int split = 0; split <= bytes.length; split++) {
			try (Gunzip gunzip = new Gunzip(ALLOWANCE, false)) {
				String text = inflate(gunzip, Arrays.copyOf(bytes, split),
						Arrays.copyOfRange(bytes, split, bytes.length));
				assertThat(text).as("split at %d", split).isEqualTo("firstsecond");
				gunzip.finish();
			}
		}
	}

	@Test
	void w65_flushedBytesAreDeliveredAtOnce() throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(bytes, true); Gunzip gunzip = new Gunzip(ALLOWANCE, false)) {
			out.write("first".getBytes(StandardCharsets.UTF_8));
			out.flush();
			assertThat(inflate(gunzip, bytes.toByteArray())).isEqualTo("first");
			bytes.reset();
			out.write("second".getBytes(StandardCharsets.UTF_8));
			out.flush();
			assertThat(inflate(gunzip, bytes.toByteArray())).isEqualTo("second");
			assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(gunzip::finish)
				.withMessageContaining("breaks off");
		}
	}

	@Test
	void partsAreNoLargerThanNecessary() {
		String text = "abcdefgh".repeat(100_000);
		try (Gunzip gunzip = new Gunzip(ALLOWANCE, false)) {
			StringBuilder inflated = new StringBuilder();
			inflate(gunzip, Gzip.of(text), (part) -> {
				assertThat(part).hasSizeLessThanOrEqualTo(16 * 1024);
				inflated.append(new String(part, StandardCharsets.UTF_8));
			});
			assertThat(inflated).hasToString(text);
			gunzip.finish();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 4, 8, 16, 31 })
	void everyHeaderIsPassedOver(int flags) {
		byte[] bytes = joined(adorned("first", flags, new byte[300]), adorned("second", flags, new byte[0]));
		for (int split = 0; split <= bytes.length; split++) {
			try (Gunzip gunzip = new Gunzip(ALLOWANCE, false)) {
				assertThat(inflate(gunzip, Arrays.copyOf(bytes, split), Arrays.copyOfRange(bytes, split, bytes.length)))
					.isEqualTo("firstsecond");
				gunzip.finish();
			}
		}
	}

	@Test
	void damagedBytesAreAnErrorAndNeverOtherText() {
		byte[] bytes = Gzip.of("some text that is long enough");
		// time, compressor flags and operating system are ignored
		for (int index : new int[] { 0, 1, 2, bytes.length - 1, bytes.length - 8 }) {
			byte[] damaged = bytes.clone();
			damaged[index] ^= 1;
			try (Gunzip gunzip = new Gunzip(ALLOWANCE, false)) {
				assertThatExceptionOfType(MalformedResponseException.class).as("byte %d", index)
					.isThrownBy(() -> inflate(gunzip, damaged))
					.withMessage("the compressed body is not valid gzip");
			}
		}
		byte[] reserved = bytes.clone();
		reserved[3] = (byte) 0x80;
		try (Gunzip gunzip = new Gunzip(ALLOWANCE, false)) {
			assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> inflate(gunzip, reserved));
		}
		try (Gunzip gunzip = new Gunzip(ALLOWANCE, false)) {
			assertThatExceptionOfType(MalformedResponseException.class)
				.isThrownBy(() -> inflate(gunzip, joined(bytes, "garbage".getBytes(StandardCharsets.UTF_8))));
		}
	}

	@Test
	void incompleteBodiesAreDetected() {
		byte[] bytes = Gzip.of("text");
		for (int length = 1; length < bytes.length; length++) {
			try (Gunzip gunzip = new Gunzip(ALLOWANCE, false)) {
				inflate(gunzip, Arrays.copyOf(bytes, length));
				assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(gunzip::finish);
			}
			try (Gunzip gunzip = new Gunzip(ALLOWANCE, true)) {
				inflate(gunzip, Arrays.copyOf(bytes, length));
				// W-32: a stream may end anywhere
				assertThatNoException().isThrownBy(gunzip::finish);
			}
		}
	}

	@Test
	void theCompressionRatioIsBounded() {
		byte[] bomb = Gzip.of(" ".repeat(2 * ALLOWANCE));
		assertThat(bomb.length * Gunzip.MAX_RATIO).isLessThan(ALLOWANCE);
		try (Gunzip gunzip = new Gunzip(ALLOWANCE, false)) {
			assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> inflate(gunzip, bomb))
				.withMessageContaining("200 times");
		}
		try (Gunzip gunzip = new Gunzip(2 * ALLOWANCE, false)) {
			assertThat(inflate(gunzip, bomb)).hasSize(2 * ALLOWANCE);
		}
	}

}
