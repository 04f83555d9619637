package dev.reflector.integration;

import java.util.stream.Stream;

import dev.reflector.ReflectorStatus;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.Fault;
import dev.reflector.test.ListFault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.reflector.integration.FaultScenario.Way.way;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

	private static Stream<Way> answers() {
		return LongForm.some(Stream.of(way("pods", json(PODS)), way("gadgets in a list of no kind", json(GADGETS)),
				way("a Status", json(SUCCESS)), way("nothing", json("{}")), way("null", json("null")),
				way("an array", json("[]")),
				way("a page to sign in", Fault.response(200, "text/html", "<html></html>")),
				way("one object", ListFault.anotherKind("example.com/v1", "Widget", false)),
				way("neither kind nor items", ListFault.anotherKind(null, null, false)),
				way("no items of an unknown kind", ListFault.anotherKind("example.com/v1", "Widgets", false)),
				way("another kind of the group", ListFault.anotherKind("example.com/v1", "GadgetList", true)),
				way("a table", ListFault.anotherKind("meta.k8s.io/v1", "Table", true)),
				way("metadata alone", ListFault.anotherKind("meta.k8s.io/v1", "PartialObjectMetadataList", true))));
	}

	@TestFactory
	Stream<DynamicTest> aWrongListDoesNotChangeTheMirror(CapturedOutput output) {
		return withOneApplication(answers(), (application, way) -> assertMirrorStays(application, way.fault(), 2,
				"MalformedResponseException", output), LIST);
	}

	@TestFactory
	Stream<DynamicTest> aWrongListInCborDoesNotChangeTheMirror(CapturedOutput output) {
		this.format = "cbor";
		return withOneApplication(
				LongForm.some(Stream.of("PodList", "Widget", "Status"))
					.map((kind) -> way(kind, ListFault.anotherKind("v1", kind, true))),
				(application, way) -> assertMirrorStays(application, way.fault(), 2, "MalformedResponseException",
						output),
				LIST);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aListWithoutAnEndIsGivenUp(boolean empty, CapturedOutput output) {
		// a thousand pages each time
		int attempts = empty ? 1 : 2;
		try (MirrorApplication application = application(LIST)) {
			awaitWatching(application);
			assertMirrorStays(application, empty ? ListFault.emptyPage() : ListFault.repeatedToken(), attempts,
					"EndlessList", output);
		}
	}

	private void assertMirrorStays(MirrorApplication application, Fault fault, int times, String reason,
			CapturedOutput output) {
		int begin = output.length();
		long former = application.reflector.status().counts().errors();
		this.server.clearRequests();
		this.server.fail(RecordedRequest::isList, Integer.MAX_VALUE, fault);
		application.reflector.relist();
		await().until(() -> application.reflector.status().counts().errors() >= former + times);
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
		assertThat(output.toString().substring(begin))
			.containsPattern("WARN .*Reflector 'widgets': cannot get the full state: " + reason);
		// in this order, since further attempts are made at the same time
		int pages = lists().size();
		long attempts = application.reflector.status().counts().errors() - former + 1;
		assertThat(pages).as("pages for each attempt").isLessThanOrEqualTo((int) attempts * 1001);
		this.server.clearFaults();
		create("c" + former);
		awaitWatching(application);
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
