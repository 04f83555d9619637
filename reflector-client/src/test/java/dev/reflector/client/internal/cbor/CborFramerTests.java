package dev.reflector.client.internal.cbor;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import dev.reflector.client.fixture.CborBytes;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.Framer;
import dev.reflector.client.internal.frame.Frames;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CborFramerTests {

	private static final String LIST = """
			{"kind":"WidgetList","apiVersion":"example.com/v1","metadata":{"resourceVersion":"9","continue":"c"},\
			"items":[{"a":[]},{"b":"x"},{}],"other":[{"items":[1]}]}""";

	private static List<String> frames(Framer framer, byte[]... pieces) {
		List<String> frames = new ArrayList<>();
		for (byte[] piece : pieces) {
			Frames.read(framer, piece,
					(frame) -> frames.add(frame.oversize() ? "oversize " + frame.size() : json(frame)));
		}
		return frames;
	}

	private static String json(Frame frame) {
		Frame json = CborToJson.whole(frame, 100);
		return new String(json.bytes(), 0, json.length(), StandardCharsets.UTF_8);
	}

	private static CborListFramer list() {
		return new CborListFramer(Clients.WIDGETS, 100);
	}

	@Test
	void findsItemsSplitAtEveryPositionInEveryOrder() {
		for (int seed = 0; seed < 10; seed++) {
			byte[] body = CborBytes.of(LIST, new Random(seed));
			for (int split = 0; split <= body.length; split++) {
				CborListFramer framer = list();
				assertThat(frames(framer, Arrays.copyOf(body, split), Arrays.copyOfRange(body, split, body.length)))
					.containsExactly("{\"a\":[]}", "{\"b\":\"x\"}", "{}");
				framer.finish();
				assertThat(framer.head().kind()).isEqualTo("WidgetList");
				assertThat(framer.head().apiVersion()).isEqualTo("example.com/v1");
				assertThat(framer.head().hasItems()).isTrue();
				assertThat(framer.head().metadata()).isNotNull();
			}
		}
	}

	@Test
	void findsItemsOfIndefiniteLength() {
		byte[] body = CborBytes.joined(CborBytes.hex("bf"), CborBytes.text("items"), CborBytes.hex("9f"),
				CborBytes.inner("{\"a\":1}"), CborBytes.inner("{\"b\":2}"), CborBytes.hex("ff"), CborBytes.text("kind"),
				CborBytes.text("WidgetList"), CborBytes.hex("ff"));
		for (int split = 0; split <= body.length; split++) {
			CborListFramer framer = list();
			assertThat(frames(framer, Arrays.copyOf(body, split), Arrays.copyOfRange(body, split, body.length)))
				.containsExactly("{\"a\":1}", "{\"b\":2}");
			framer.finish();
			assertThat(framer.head().kind()).isEqualTo("WidgetList");
		}
	}

	@Test
	void w16_missingAndNullItemsAreAnEmptyList() {
		for (String json : List.of("{\"items\":[]}", "{\"items\":null}")) {
			CborListFramer framer = list();
			assertThat(frames(framer, CborBytes.of(json))).isEmpty();
			framer.finish();
			assertThat(framer.head().hasItems()).isTrue();
		}
		CborListFramer framer = list();
		assertThat(frames(framer, CborBytes.of("{}"))).isEmpty();
		framer.finish();
		assertThat(framer.head().hasItems()).isFalse();
	}

	@Test
	void aListThatBreaksOffNeverPassesForAShorterOne() {
		byte[] body = CborBytes.of(LIST);
		for (int length = 0; length < body.length; length++) {
			CborListFramer framer = list();
			frames(framer, Arrays.copyOf(body, length));
			assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(framer::finish);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "7b226974656d73223a5b5d7d", "80", "01", "ff", "a1456974656d73a0", "a1456974656d7301",
			"a2456974656d7380456974656d7380", "a1456974656d73811c", "a000", "a1456974656d73f5" })
	void bytesThatAreNoListAreAnError(String body) {
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> {
			CborListFramer framer = list();
			frames(framer, CborBytes.hex(body));
			framer.finish();
		}).withMessageContaining("CBOR");
	}

	@Test
	void keepsNoMoreOfAnItemThanAllowed() {
		byte[] body = CborBytes.of("{\"items\":[{\"a\":\"" + "x".repeat(1000) + "\"},{\"b\":1}]}");
		for (int split : new int[] { 0, 10, 50, 500, body.length }) {
			assertThat(frames(list(), Arrays.copyOf(body, split), Arrays.copyOfRange(body, split, body.length)))
				.containsExactly("oversize 1012", "{\"b\":1}");
		}
	}

	@Test
	void findsFramesSplitAtEveryPosition() {
		byte[] body = CborBytes.joined(CborBytes.frame("ADDED", CborBytes.of("{\"a\":1}")),
				CborBytes.frame("DELETED", CborBytes.of("{}")), CborBytes.hex("bf416101ff"));
		for (int split = 0; split <= body.length; split++) {
			CborWatchFramer framer = new CborWatchFramer(100);
			assertThat(frames(framer, Arrays.copyOf(body, split), Arrays.copyOfRange(body, split, body.length)))
				.containsExactly("{\"type\":\"ADDED\",\"object\":{\"a\":1}}", "{\"type\":\"DELETED\",\"object\":{}}",
						"{\"a\":1}");
			assertThat(framer.isInFrame()).isFalse();
		}
		CborWatchFramer framer = new CborWatchFramer(100);
		frames(framer, Arrays.copyOf(body, 20));
		assertThat(framer.isInFrame()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "7b7d0a", "01", "80", "ff" })
	void aStreamOfOtherValuesIsAnError(String body) {
		CborWatchFramer framer = new CborWatchFramer(100);
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> frames(framer, CborBytes.hex(body)))
			.withMessage("a watch frame that is not a CBOR map");
	}

	/** Huge lengths of a string, an array and a map, and a million nested arrays. */
	@ParameterizedTest
	@ValueSource(strings = { "a141615b7fffffffffffffff", "a141617b7fffffffffffffff", "a141619b7fffffffffffffff",
			"a14161bb3fffffffffffffff", "bb3fffffffffffffff", "a141617b0000000010000000" })
	void aFrameThatSaysItHasNoEndIsRefusedAtOnce(String body) {
		byte[] bytes = CborBytes.hex(body);
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> frames(new CborWatchFramer(100), bytes))
			.withMessageContaining("longer than");
	}

	@Test
	void aFrameOfArraysWithinArraysIsRefusedBeforeItIsLarge() {
		byte[] body = new byte[200_000];
		Arrays.fill(body, (byte) 0x81);
		System.arraycopy(CborBytes.hex("a14161"), 0, body, 0, 3);
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> frames(new CborWatchFramer(100), body))
			.withMessageContaining("nested deeper");
	}

}
