package dev.reflector.client.internal.proto;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.reflector.ResourceType;
import dev.reflector.client.fixture.CborBytes;
import dev.reflector.client.fixture.ProtoBytes;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.Framer;
import dev.reflector.client.internal.frame.Frames;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of how bodies in protobuf are cut (W-26).
 */
class ProtobufFramerTests {

	private static final ResourceType PODS = ResourceType.of("v1", "Pod", "pods");

	private static final byte[] METADATA = ProtoBytes.bytes(1, ProtoBytes.text(2, "9"), ProtoBytes.text(3, "more"));

	private static final byte[] ITEM = ProtoBytes.bytes(2, ProtoBytes.text(1, "item"));

	private static List<String> frames(Framer framer, byte[]... pieces) {
		List<String> frames = new ArrayList<>();
		for (byte[] piece : pieces) {
			Frames.read(framer, piece, (frame) -> frames.add(described(frame)));
		}
		return frames;
	}

	private static String described(Frame frame) {
		return frame.oversize() ? "oversize " + frame.length() + " of " + frame.size()
				: new String(frame.bytes(), frame.offset(), frame.length(), StandardCharsets.UTF_8);
	}

	private static ProtobufListFramer list() {
		return new ProtobufListFramer(PODS, 100);
	}

	private static byte[] list(byte[]... fields) {
		return ProtoBytes.object("v1", "PodList", fields);
	}

	@Test
	void findsItemsSplitAtEveryPosition() {
		byte[] body = list(ProtoBytes.number(7, -1), METADATA, ProtoBytes.bytes(9, new byte[300]), ITEM,
				ProtoBytes.bytes(2, ProtoBytes.text(1, "x".repeat(50))),
				new byte[] { 8 << 3 | 1, 1, 2, 3, 4, 5, 6, 7, 8 }, new byte[] { 8 << 3 | 5, 1, 2, 3, 4 },
				ProtoBytes.bytes(2), ITEM);
		for (int split = 0; split <= body.length; split++) {
			ProtobufListFramer framer = list();
			assertThat(frames(framer, Arrays.copyOf(body, split), Arrays.copyOfRange(body, split, body.length)))
				.containsExactly("\n\4item", "\n2" + "x".repeat(50), "", "\n\4item");
			framer.finish();
			assertThat(framer.head().kind()).isEqualTo("PodList");
			assertThat(framer.head().apiVersion()).isEqualTo("v1");
			assertThat(framer.head().isTyped()).isTrue();
			assertThat(framer.isPartial()).isFalse();
			assertThat(described(Objects.requireNonNull(framer.head().metadata())))
				.isEqualTo("{\"resourceVersion\":\"9\",\"continue\":\"more\"}");
		}
	}

	@Test
	void aListThatBreaksOffIsNoShorterList() {
		byte[] body = CborBytes.joined(ProtoBytes.object("v1", "PodList", METADATA, ITEM, ITEM));
		// after the list, only the encoding is left
		int end = body.length - 4;
		for (int length = 0; length < end; length++) {
			ProtobufListFramer framer = list();
			frames(framer, Arrays.copyOf(body, length));
			assertThatExceptionOfType(MalformedResponseException.class).as("%d bytes", length)
				.isThrownBy(framer::finish);
		}
		ProtobufListFramer framer = list();
		assertThat(frames(framer, Arrays.copyOf(body, end))).hasSize(2);
		framer.finish();
	}

	static Stream<byte[]> notLists() {
		return Stream.of("{\"items\":[]}".getBytes(StandardCharsets.US_ASCII),
				CborBytes.joined(list(METADATA), new byte[] { 0 }),
				// groups, and wire types that do not exist
				list(new byte[] { 3 << 3 | 3 }), list(new byte[] { 3 << 3 | 6 }), list(new byte[] { 3 << 3 | 4 }),
				// the number 0
				list(new byte[] { 2, 0 }),
				// numbers without an end, and beyond 32 bits
				list(CborBytes.hex("ffffffffffffffffffffff01")), list(CborBytes.hex("8080808080808001")),
				// lengths: negative, and beyond the list
				list(CborBytes.joined(new byte[] { 2 << 3 | 2 }, ProtoBytes.varint(-1))),
				list(CborBytes.joined(new byte[] { 2 << 3 | 2 }, ProtoBytes.varint(5), new byte[4])),
				list(new byte[] { 7 << 3 | 1, 0 }),
				// twice
				list(METADATA, METADATA), CborBytes.joined(list(METADATA), ProtoBytes.bytes(2, METADATA)),
				CborBytes.joined(list(METADATA), ProtoBytes.bytes(1, ProtoBytes.text(2, "PodList"))),
				// an encoding, and metadata that is none
				CborBytes.joined(list(METADATA), ProtoBytes.text(3, "gzip")),
				list(ProtoBytes.bytes(1, ProtoBytes.number(2, 7))),
				list(ProtoBytes.bytes(1, ProtoBytes.bytes(2, new byte[] { (byte) 0xff }))),
				// items of another type, or of none
				ProtoBytes.object("v1", "List", ITEM), ProtoBytes.object("apps/v1", "PodList", ITEM),
				CborBytes.joined("k8s\0".getBytes(StandardCharsets.US_ASCII), ProtoBytes.bytes(2, ITEM)));
	}

	@ParameterizedTest
	@MethodSource("notLists")
	void anInvalidListIsAnError(byte[] body) {
		ProtobufListFramer framer = list();
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> {
			frames(framer, body);
			framer.finish();
		});
	}

	@Test
	void w59_knowsMetadataAlone() {
		ProtobufListFramer framer = list();
		frames(framer, ProtoBytes.object("meta.k8s.io/v1", "PartialObjectMetadataList", METADATA, ITEM));
		assertThat(framer.isPartial()).isTrue();
		assertThat(framer.head().isTyped()).isFalse();
	}

	@Test
	void largeItemsAreNotKept() {
		byte[] large = ProtoBytes.bytes(2, new byte[1000]);
		ProtobufListFramer framer = list();
		assertThat(frames(framer, list(METADATA, large, ITEM))).containsExactly("oversize 100 of 1000", "\n\4item");
		framer.finish();
		// a length alone takes no memory
		ProtobufListFramer endless = list();
		assertThat(frames(endless, CborBytes.joined("k8s\0".getBytes(StandardCharsets.US_ASCII),
				ProtoBytes.bytes(1, ProtoBytes.text(1, "v1"), ProtoBytes.text(2, "PodList")), new byte[] { 2 << 3 | 2 },
				ProtoBytes.varint(Long.MAX_VALUE), new byte[] { 2 << 3 | 2 }, ProtoBytes.varint(Long.MAX_VALUE - 100))))
			.isEmpty();
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(endless::finish);
	}

	@Test
	void findsFramesSplitAtEveryPosition() {
		byte[] body = CborBytes.joined(ProtoBytes.frame(ProtoBytes.text(1, "a")), ProtoBytes.frame(),
				ProtoBytes.frame(ProtoBytes.text(1, "bc")));
		for (int split = 0; split <= body.length; split++) {
			ProtobufWatchFramer framer = new ProtobufWatchFramer(100);
			List<String> frames = frames(framer, Arrays.copyOf(body, split));
			boolean between = split == 0 || split == 7 || split == 11 || split == body.length;
			assertThat(framer.isInFrame()).isEqualTo(!between);
			assertThat(framer.open().nanos() > 0).isEqualTo(!between);
			frames.addAll(frames(framer, Arrays.copyOfRange(body, split, body.length)));
			assertThat(frames).containsExactly("\n\1a", "", "\n\2bc");
			assertThat(framer.isInFrame()).isFalse();
			assertThat(framer.open().nanos()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ffffffff", "80000000", "04000001" })
	void aFrameWithAHugeLengthEndsTheStreamAtOnce(String length) {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> frames(new ProtobufWatchFramer(100), CborBytes.hex(length)))
			.withMessageContaining("bytes, more than the 67108864 that are read");
	}

	@Test
	void largeFramesAreNotKept() {
		Supplier<ProtobufWatchFramer> framer = () -> new ProtobufWatchFramer(100);
		assertThat(frames(framer.get(), ProtoBytes.frame(new byte[5000]), ProtoBytes.frame(ProtoBytes.text(1, "a"))))
			.containsExactly("oversize 1124 of 5000", "\n\1a");
	}

}
