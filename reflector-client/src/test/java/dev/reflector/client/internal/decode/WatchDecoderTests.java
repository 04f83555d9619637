package dev.reflector.client.internal.decode;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.reflector.ResourceKey;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.internal.bind.ObjectBinder;
import dev.reflector.client.internal.bind.ServerObjectModule;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link WatchDecoder}.
 */
class WatchDecoderTests {

	private final WatchDecoder<Widget> decoder = decoder();

	private static WatchDecoder<Widget> decoder() {
		JsonMapper mapper = ServerObjectModule.mapper(JsonMapper.builder().build());
		return new WatchDecoder<>(new ObjectDecoder<>(new ObjectBinder<>(mapper.readerFor(Widget.class), Widget.class),
				MetadataAccessor.forType(Widget.class), new ExpectedType(Clients.WIDGETS, false)));
	}

	@Test
	void readsObjectsInAnyOrderOfKeys() {
		String object = Clients.json("a", 3);
		assertThat(decode(Clients.frame("ADDED", object))).isInstanceOfSatisfying(WatchEvent.Added.class,
				(event) -> assertWidget((Widget) event.object()));
		assertThat(decode("{\"x\":[{}],\"object\" : " + object + " , \"y\":{}, \"type\" : \"MODIFIED\",\"z\":1}"))
			.isInstanceOfSatisfying(WatchEvent.Modified.class, (event) -> assertWidget((Widget) event.object()));
		assertThat(decode(" {\"type\":\"DELETED\",\"x\":1,\"object\":" + object + "}"))
			.isInstanceOfSatisfying(WatchEvent.Deleted.class, (event) -> assertWidget((Widget) event.object()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR", "OTHER", "", "ADDED\",\"x\":\"" })
	void theCommonFormMeansTheSameAsOthers(String type) {
		String object = Clients.json("a", 3);
		String start = "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\"";
		List<String> objects = List.of(object, " " + object, start + ",\"metadata\":{\"name\":\"b\"}}", start + "}",
				start, start + ",\"kind\":\"Gadget\",\"metadata\":{\"name\":\"b\",\"resourceVersion\":\"3\"}}",
				"{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"b\"}}",
				"{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widgets\",\"metadata\":{\"name\":\"b\"}}",
				"{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v11\",\"metadata\":{\"name\":\"b\"}}", "{}", "null",
				"[1]", "", object + ",\"type\":\"DELETED\",\"object\":{}");
		for (String each : objects) {
			String common = "{\"type\":\"" + type + "\",\"object\":" + each + "}";
			String other = "{ \"type\" : \"" + type + "\", \"object\":"
					+ each.replace("{\"kind\"", "{ \"kind\"").replace("{\"apiVersion\"", "{ \"apiVersion\"") + "}";
			assertThat(outcome(common)).as(common).usingRecursiveComparison().isEqualTo(outcome(other));
		}
	}

	private Object outcome(String frame) {
		try {
			return decode(frame);
		}
		catch (MalformedResponseException ex) {
			return String.valueOf(ex.getMessage());
		}
	}

	private void assertWidget(Widget widget) {
		assertThat(widget.metadata().name()).isEqualTo("a");
		assertThat(widget.spec()).isEqualTo(new Widget.Spec(3, "\"ä€😀\\"));
	}

	@Test
	void readsFramesFromTheMiddleOfABuffer() {
		String frame = "{\"object\":" + Clients.json("a", 3) + ",\"type\":\"ADDED\"}";
		byte[] bytes = ("garbage" + frame + "garbage").getBytes(StandardCharsets.UTF_8);
		int length = bytes.length - 14;
		assertThat(this.decoder.decode(new Frame(bytes, 7, length, length, false), null))
			.isInstanceOfSatisfying(WatchEvent.Added.class, (event) -> assertWidget((Widget) event.object()));
	}

	@Test
	void readsBookmarks() {
		String object = "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"resourceVersion\":\"99\"%s}}";
		assertThat(decode(Clients.frame("BOOKMARK", object.formatted(""))))
			.isEqualTo(new WatchEvent.Bookmark<>("99", false));
		for (String value : List.of("\"false\"", "\"True\"", "true", "\"\"", "null")) {
			assertThat(decode(Clients.frame("BOOKMARK",
					object.formatted(",\"annotations\":{\"k8s.io/initial-events-end\":" + value + "}"))))
				.isEqualTo(new WatchEvent.Bookmark<>("99", false));
		}
		assertThat(decode(Clients.frame("BOOKMARK",
				object.formatted(",\"annotations\":{\"a\":\"b\",\"k8s.io/initial-events-end\":\"true\"}"))))
			.isEqualTo(new WatchEvent.Bookmark<>("99", true));
		assertThat(decode(Clients.frame("BOOKMARK", "{}"))).isEqualTo(new WatchEvent.Bookmark<>("", false));
	}

	@Test
	void r070_bookmarksOfAnotherKindAreSkipped() {
		String object = "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":\"99\","
				+ "\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}";
		assertThat(decode(Clients.frame("BOOKMARK", object.formatted("Gadget", "example.com/v1"))))
			.isInstanceOf(WatchEvent.Skipped.class);
		assertThat(decode(Clients.frame("BOOKMARK", object.formatted("Widget", "example.com/v2"))))
			.isInstanceOf(WatchEvent.Skipped.class);
		assertThat(decode(Clients.frame("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"99\"}}")))
			.isEqualTo(new WatchEvent.Bookmark<>("99", false));
	}

	@ParameterizedTest
	@ValueSource(strings = { "v1", "meta.k8s.io/v1" })
	void readsStatuses(String apiVersion) {
		String status = "{\"kind\":\"Status\",\"apiVersion\":\"" + apiVersion
				+ "\",\"code\":410,\"reason\":\"Expired\","
				+ "\"message\":\"too old\",\"details\":{\"causes\":[{\"reason\":\"r\",\"message\":\"m\"}],"
				+ "\"retryAfterSeconds\":2}}";
		assertThat(decode(Clients.frame("ERROR", status))).isInstanceOfSatisfying(WatchEvent.Error.class, (error) -> {
			assertThat(error.status().isExpired()).isTrue();
			assertThat(error.status().causes()).extracting(Status.Cause::reason).contains("r");
			assertThat(error.status().retryAfterSeconds()).isEqualTo(2);
			assertThat(error.status().hasDetails()).isTrue();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"kind\":\"Status\",\"apiVersion\":\"v2\",\"code\":410}", "{\"kind\":\"Pod\"}", "{}",
			"null", "1" })
	void takesOtherErrorsForUnexpectedObjects(String object) {
		assertThat(decode(Clients.frame("ERROR", object))).isInstanceOfSatisfying(WatchEvent.Error.class, (error) -> {
			assertThat(error.status().code()).isZero();
			assertThat(error.status().reason()).isEmpty();
			assertThat(error.status().message()).startsWith("unexpected object");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"type\":\"PATCHED\",\"object\":{}}", "{\"type\":null,\"object\":{}}",
			"{\"object\":{}}", "{\"type\":5}", "{type:\"ADDED\"}" })
	void refusesFramesWithoutAKnownType(String frame) {
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> decode(frame));
	}

	@Test
	void skipsObjectsThatDoNotFit() {
		assertSkipped(Clients.json("a", 1).replace(":1,\"text\"", ":\"s3cret\",\"text\""), "spec.replicas");
		// the message of a constructor may quote its arguments
		assertSkipped(Clients.json("a", 666), "threw java.lang.");
		assertSkipped(Clients.json("a", 1).replace("\"replicas\":1", "\"replicas\":1 1"), "no valid JSON");
		String deep = "[".repeat(5000) + "]".repeat(5000);
		assertSkipped(Clients.json("a", 1).replace("\"unknown\":", "\"deep\":" + deep + ",\"unknown\":"), "limit");
		assertSkipped(Clients.json("a", 1).replace("example.com/v1", "example.com/v2"), "another type");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"Widget\" \"Gadget\"", "example.com/v1 v1", "example.com/v1 example.org/v1",
			"\"example.com/v1\",\"kind\":\"Widget\" \"meta.k8s.io/v1\",\"kind\":\"Table\"" })
	void c010_objectsOfAnotherTypeHaveNoIdentityHere(String change) {
		String[] words = change.split(" ");
		String object = Clients.json("a", 1).replace(words[0], words[1]);
		assertThat(decode(Clients.frame("DELETED", object))).isInstanceOfSatisfying(WatchEvent.Skipped.class,
				(skipped) -> {
					assertThat(skipped.object().key()).isNull();
					assertThat(skipped.object().resourceVersion()).isEmpty();
					assertThat(skipped.object().reason()).startsWith("example.com/v1 Widget: ")
						.contains("another type");
				});
	}

	private void assertSkipped(String object, String reason) {
		assertThat(decode(Clients.frame("DELETED", object))).isInstanceOfSatisfying(WatchEvent.Skipped.class,
				(skipped) -> {
					assertThat(skipped.deletion()).isTrue();
					assertThat(skipped.object().key()).isEqualTo(new ResourceKey("ns", "a"));
					assertThat(skipped.object().resourceVersion()).isEqualTo("7");
					assertThat(skipped.object().reason()).contains(reason).doesNotContain("s3cret", "no such number");
				});
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"metadata\":{}}", "{\"metadata\":null}", "{\"metadata\":{\"name\":\"\"}}", "null",
			"[]", "7" })
	void skipsObjectsWithoutAName(String object) {
		assertThat(decode(Clients.frame("ADDED", object))).isInstanceOfSatisfying(WatchEvent.Skipped.class,
				(skipped) -> assertThat(skipped.object().key()).isNull());
	}

	@Test
	void skipsFramesWithoutAnObject() {
		assertThat(decode("{\"type\":\"ADDED\"}")).isInstanceOf(WatchEvent.Skipped.class);
	}

	@Test
	void recoversTheKeyOfAnOversizeObject() {
		byte[] bytes = Clients.frame("MODIFIED", Clients.json("a", 3)).getBytes(StandardCharsets.UTF_8);
		for (int length = 1; length < bytes.length; length++) {
			WatchEvent<Widget> event = this.decoder.decode(new Frame(bytes, 0, length, bytes.length, false), null);
			assertThat(event).isInstanceOfSatisfying(WatchEvent.Skipped.class, (skipped) -> {
				assertThat(skipped.type()).isIn("", "MODIFIED");
				assertThat(skipped.object().key()).isIn(null, new ResourceKey("ns", "a"));
				assertThat(skipped.object().reason()).contains("reflector.api-server.max-object-size");
			});
		}
		assertThat(this.decoder.decode(new Frame(bytes, 0, 150, bytes.length, false), null))
			.isInstanceOfSatisfying(WatchEvent.Skipped.class, (skipped) -> {
				assertThat(skipped.object().key()).isEqualTo(new ResourceKey("ns", "a"));
				assertThat(skipped.object().resourceVersion()).isEqualTo("7");
			});
	}

	private WatchEvent<Widget> decode(String frame) {
		byte[] bytes = frame.getBytes(StandardCharsets.UTF_8);
		return this.decoder.decode(new Frame(bytes, 0, bytes.length, bytes.length, false), null);
	}

}
