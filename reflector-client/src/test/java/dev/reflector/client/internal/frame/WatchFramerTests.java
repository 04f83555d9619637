package dev.reflector.client.internal.frame;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link WatchFramer}.
 */
public class WatchFramerTests {

	private static final String FIRST = "{\"a\":\"}{]\\\"\\\\\",\"ä€😀\":[{},[1,2],\"\\\\\"]}";

	private static final String SECOND = "{\"b\":{\"c\":[[]]}}";

	@Test
	void findsFramesSplitAtEveryPosition() {
		String text = " \n" + FIRST + SECOND + "\r\n\t" + FIRST + "\n";
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		for (int split = 0; split <= bytes.length; split++) {
			assertThat(Frames.texts(new WatchFramer(1000), Arrays.copyOfRange(bytes, 0, split),
					Arrays.copyOfRange(bytes, split, bytes.length)))
				.as("split at %d", split)
				.containsExactly(FIRST, SECOND, FIRST);
		}
	}

	@Test
	void findsFramesThatComeByteByByte() {
		byte[] bytes = (FIRST + SECOND + FIRST).getBytes(StandardCharsets.UTF_8);
		byte[][] single = new byte[bytes.length][];
		for (int i = 0; i < bytes.length; i++) {
			single[i] = new byte[] { bytes[i] };
		}
		assertThat(Frames.texts(new WatchFramer(1000), single)).containsExactly(FIRST, SECOND, FIRST);
	}

	@Test
	void aFrameThatIsNotClosedDoesNotSwallowTheOthers() {
		byte[] bytes = (FIRST + "{\"\n" + FIRST + "\n" + SECOND + "\n").getBytes(StandardCharsets.UTF_8);
		WatchFramer framer = new WatchFramer(1000);
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> Frames.texts(framer, bytes))
			.withMessage("a JSON string with a control character");
	}

	/** Far more than is kept of a frame that is too large. */
	@Test
	void aFrameThatDoesNotEndIsGivenUp() {
		byte[] part = ("\"" + "x".repeat(999_997) + "\",").getBytes(StandardCharsets.UTF_8);
		byte[][] parts = new byte[80][];
		Arrays.fill(parts, part);
		parts[0] = "{\"a\":[".getBytes(StandardCharsets.UTF_8);
		WatchFramer framer = new WatchFramer(1000);
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> Frames.texts(framer, parts))
			.withMessage("a frame that has not ended after 67108864 bytes");
	}

	@Test
	void sharesTheBufferWhenAFrameLiesWithinIt() {
		Chunk chunk = new Chunk();
		chunk.fill(buffer((SECOND + FIRST).getBytes(StandardCharsets.UTF_8)));
		WatchFramer framer = new WatchFramer(1000);
		for (int i = 0; i < 2; i++) {
			assertThat(framer.next(chunk)).isNotNull().extracting(Frame::bytes).isSameAs(chunk.bytes);
		}
		assertThat(framer.next(chunk)).isNull();
	}

	@Test
	void keepsTheBeginningOfAnOversizeFrameAndGoesOnBehindIt() {
		String large = "{\"x\":\"" + "y".repeat(5000) + "\"}";
		byte[] bytes = (SECOND + large + FIRST).getBytes(StandardCharsets.UTF_8);
		for (int size : new int[] { 1, 7, 1000, 100_000 }) {
			List<Frame> frames = new ArrayList<>();
			WatchFramer framer = new WatchFramer(100);
			for (int from = 0; from < bytes.length; from += size) {
				Frames.read(framer, Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + size)),
						(frame) -> frames.add(copy(frame)));
			}
			assertThat(frames).extracting(Frame::oversize).containsExactly(false, true, false);
			assertThat(frames.get(1).length()).isEqualTo(100 + 1024);
			assertThat(frames.get(1).size()).isEqualTo(large.length());
			assertThat(text(frames.get(1))).isEqualTo(large.substring(0, 1124));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "<html>", "[]", "\"text\"", "1", "null", ",", "{\"a\":1},{\"b\":2}", "{\"a\":[1}}",
			"{\"a\":{]}", "\u0000" })
	void rejectsTextThatIsNoSequenceOfObjects(String text) {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> Frames.texts(new WatchFramer(1000), text.getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void survivesAnyDepth() {
		String deep = "{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
		assertThat(Frames.texts(new WatchFramer(1_000_000), deep.getBytes(StandardCharsets.UTF_8)))
			.containsExactly(deep);
	}

	@Test
	void knowsWhetherItIsWithinAFrame() {
		WatchFramer framer = new WatchFramer(1000);
		assertThat(framer.isInFrame()).isFalse();
		assertThat(Frames.texts(framer, "{\"a\"".getBytes(StandardCharsets.UTF_8))).isEmpty();
		assertThat(framer.isInFrame()).isTrue();
		assertThat(Frames.texts(framer, ":1} ".getBytes(StandardCharsets.UTF_8))).containsExactly("{\"a\":1}");
		assertThat(framer.isInFrame()).isFalse();
	}

	private static DataBuffer buffer(byte[] bytes) {
		return DefaultDataBufferFactory.sharedInstance.wrap(bytes);
	}

	private static Frame copy(Frame frame) {
		byte[] bytes = Arrays.copyOfRange(frame.bytes(), frame.offset(), frame.end());
		return new Frame(bytes, 0, bytes.length, frame.size(), frame.typed());
	}

	private static String text(Frame frame) {
		return new String(frame.bytes(), frame.offset(), frame.length(), StandardCharsets.UTF_8);
	}

}
