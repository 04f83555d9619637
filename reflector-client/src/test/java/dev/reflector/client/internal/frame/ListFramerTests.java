package dev.reflector.client.internal.frame;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.reflector.client.fixture.Clients;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ListFramer}.
 */
class ListFramerTests {

	private static final String ITEMS = "\"items\" : [ {\"a\":\"]}\\\"\"} ,{\"ä😀\":[1]},null , 12.5e3,\"x\",[] ]";

	private static final String HEAD = "\"kind\":\"WidgetList\", \"apiVersion\":\"example.com\\/v1\"";

	private static final String METADATA = "\"metadata\":{\"resourceVersion\":\"12\",\"continue\":\"a+b\\u003d\"}";

	private static final String OTHER = "\"x\":[{\"items\":[{}]},1],\"y\":-1.5,\"z\":true,\"\":null,\"s\":\"\\\"}\"";

	@ParameterizedTest
	@ValueSource(strings = { "{" + HEAD + "," + METADATA + "," + ITEMS + "}",
			"\n{" + ITEMS + "," + OTHER + "," + METADATA + " ,\n" + HEAD + "}\n",
			"{" + OTHER + "," + METADATA + "," + ITEMS + "," + HEAD + "}  " })
	void readsKeysInAnyOrderSplitAtEveryPosition(String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		for (int split = 0; split <= bytes.length; split++) {
			ListFramer framer = framer(1000);
			List<String> items = Frames.texts(framer, Arrays.copyOfRange(bytes, 0, split),
					Arrays.copyOfRange(bytes, split, bytes.length));
			assertThat(items).as("split at %d", split)
				.containsExactly("{\"a\":\"]}\\\"\"}", "{\"ä😀\":[1]}", "null", "12.5e3", "\"x\"", "[]");
			framer.finish();
			assertThat(framer.head().kind()).isEqualTo("WidgetList");
			assertThat(framer.head().apiVersion()).isEqualTo("example.com/v1");
			Frame metadata = framer.head().metadata();
			JsonNode read = JsonMapper.shared().readTree(metadata.bytes(), metadata.offset(), metadata.length());
			assertThat(read.path("resourceVersion").asString()).isEqualTo("12");
			assertThat(read.path("continue").asString()).isEqualTo("a+b=");
		}
	}

	@Test
	void noticesATruncationAtEveryPosition() {
		byte[] bytes = ("{" + OTHER + "," + METADATA + "," + ITEMS + "," + HEAD + "}").getBytes(StandardCharsets.UTF_8);
		for (int length = 0; length < bytes.length; length++) {
			ListFramer framer = framer(1000);
			Frames.texts(framer, Arrays.copyOfRange(bytes, 0, length));
			assertThatExceptionOfType(MalformedResponseException.class).as("cut off at %d", length)
				.isThrownBy(framer::finish);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"items\":null}", "{\"items\":[]}", "{\"items\":[ ]}", "{}", "{\"metadata\":{}}",
			"{\"items\" : null , \"metadata\" : null}" })
	void readsListsWithoutItems(String text) {
		ListFramer framer = framer(1000);
		assertThat(Frames.texts(framer, text.getBytes(StandardCharsets.UTF_8))).isEmpty();
		framer.finish();
		assertThat(framer.head().hasItems()).isEqualTo(text.contains("items"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "<html></html>", "[]", "null", "{]", "{,}", "{\"items\":[1,]}", "{\"items\":[,1]}",
			"{\"items\":[1 2]}", "{\"items\":{}}", "{\"items\":nul}", "{\"items\":5}", "{\"items\":[]}x",
			"{\"items\":[]}{}", "{\"items\":[],}", "{\"items\":[],\"items\":[]}", "{\"items\" []}", "{items:[]}",
			"{\"items\":[{\"a\":[}]}]}" })
	void rejectsTextThatIsNoList(String text) {
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> {
			ListFramer framer = framer(1000);
			Frames.texts(framer, text.getBytes(StandardCharsets.UTF_8));
			framer.finish();
		});
	}

	@Test
	void boundsMetadataButNotSkippedParts() {
		String large = "x".repeat(2_000_000);
		Frames.texts(framer(1000), ("{\"other\":\"" + large + "\",\"items\":[]}").getBytes(StandardCharsets.UTF_8));
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> Frames.texts(framer(1000),
				("{\"metadata\":{\"x\":\"" + large + "\"}}").getBytes(StandardCharsets.UTF_8)));
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> Frames.texts(framer(1000), ("{\"" + large + "\":1}").getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void knowsThatItemsAreTypedOnceTheListHasSaidSo() {
		byte[] before = ("{" + HEAD + ",\"items\":[{}]}").getBytes(StandardCharsets.UTF_8);
		byte[] after = ("{\"items\":[{}]," + HEAD + "}").getBytes(StandardCharsets.UTF_8);
		List<Boolean> typed = new ArrayList<>();
		Frames.read(framer(10), before, (frame) -> typed.add(frame.typed()));
		Frames.read(framer(10), after, (frame) -> typed.add(frame.typed()));
		assertThat(typed).containsExactly(true, false);
	}

	private static ListFramer framer(int maxObjectSize) {
		return new ListFramer(Clients.WIDGETS, maxObjectSize);
	}

}
