package dev.reflector.integration;

import java.util.stream.Stream;

import dev.reflector.ReflectorStatus;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.Fault;
import dev.reflector.test.ListFault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Answers with 200 that are not the requested list, and lists without an end: the mirror
 * keeps its objects, and the error is reported.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WrongListIntegrationTests extends FaultScenario {

	private static final String PODS = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\"},"
			+ "\"items\":[{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\",\"namespace\":\"default\"}}]}";

	private static final String GADGETS = "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[{\"kind\":\"Gadget\","
			+ "\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"}}]}";

	private static final String SUCCESS = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\","
			+ "\"code\":200}";

	private String format = "json";

	@Override
	String format() {
		return this.format;
	}

	private static Fault json(String body) {
		return Fault.response(200, "application/json", body);
	}

	static Stream<Arguments> answers() {
		return LongForm.some(Stream.of(arguments("pods", json(PODS)),
				arguments("gadgets in a list of no kind", json(GADGETS)), arguments("a Status", json(SUCCESS)),
				arguments("nothing", json("{}")), arguments("null", json("null")), arguments("an array", json("[]")),
				arguments("a page to sign in", Fault.response(200, "text/html", "<html></html>")),
				arguments("one object", ListFault.anotherKind("example.com/v1", "Widget", false)),
				arguments("neither kind nor items", ListFault.anotherKind(null, null, false)),
				arguments("no items of an unknown kind", ListFault.anotherKind("example.com/v1", "Widgets", false)),
				arguments("another kind of the group", ListFault.anotherKind("example.com/v1", "GadgetList", true)),
				arguments("a table", ListFault.anotherKind("meta.k8s.io/v1", "Table", true)), arguments(
						"metadata alone", ListFault.anotherKind("meta.k8s.io/v1", "PartialObjectMetadataList", true))));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("answers")
	void aWrongListDoesNotChangeTheMirror(String name, Fault fault, CapturedOutput output) {
		assertMirrorStays(fault, 2, "MalformedResponseException", output);
	}

	static Stream<String> kinds() {
		return LongForm.some(Stream.of("PodList", "Widget", "Status"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("kinds")
	void aWrongListInCborDoesNotChangeTheMirror(String kind, CapturedOutput output) {
		this.format = "cbor";
		assertMirrorStays(ListFault.anotherKind("v1", kind, true), 2, "MalformedResponseException", output);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aListWithoutAnEndIsGivenUp(boolean empty, CapturedOutput output) {
		// a thousand pages each time
		int attempts = empty ? 1 : 2;
		assertMirrorStays(empty ? ListFault.emptyPage() : ListFault.repeatedToken(), attempts, "EndlessList", output);
	}

	private void assertMirrorStays(Fault fault, int times, String reason, CapturedOutput output) {
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			int before = lists().size();
			this.server.fail(RecordedRequest::isList, Integer.MAX_VALUE, fault);
			application.reflector.relist();
			await().until(() -> application.reflector.status().counts().errors() >= times);
			int asked = lists().size();
			// all of the last attempt is known when the next one begins
			await().until(() -> lists().size() > asked);
			application.assertEqualTo(this.widgets);
			ReflectorStatus status = application.reflector.status();
			assertThat(status.failingSince()).isNotNull();
			assertThat(status.lastError()).isNotNull()
				.satisfies((error) -> assertThat(error.reason()).isEqualTo(reason))
				.satisfies((error) -> assertThat(error.status()).isZero());
			assertThat(application.heard.events).noneMatch((event) -> event.startsWith("-"));
			assertThat(output).containsPattern("WARN .*Reflector 'widgets': cannot get the full state: " + reason);
			// in this order: the attempts go on
			int pages = lists().size() - before;
			long attempts = application.reflector.status().counts().errors() + 1;
			assertThat(pages).as("pages for each attempt").isLessThanOrEqualTo((int) attempts * 1001);
			this.server.clearFaults();
			create("c");
			awaitWatching(application);
		}
	}

	/** None of them is a widget, and the end marker says that this is all. */
	@Test
	void aStreamedListOfOtherObjectsDoesNotChangeTheMirror(CapturedOutput output) {
		this.server.fail(STREAMED_LIST, 1, json("""
				{"type":"ADDED","object":{"kind":"Gadget","apiVersion":"example.com/v1","metadata":{"name":"a"}}}
				{"type":"BOOKMARK","object":{"kind":"Widget","apiVersion":"example.com/v1","metadata":{
				"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}}
				"""));
		try (MirrorApplication application = application(STREAM)) {
			application.awaitEqualTo(this.widgets);
			awaitWatching(application);
			// delivered after the last object
			await().untilAsserted(() -> assertThat(application.heard.events).containsOnlyOnce("synced"));
			// a list is requested instead
			assertThat(lists()).hasSize(1);
		}
	}

}
