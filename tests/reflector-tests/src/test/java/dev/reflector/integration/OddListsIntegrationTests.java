package dev.reflector.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.fixture.LongForm;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.ListFault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Lists that are valid, but that many clients do not expect: pages without items, and
 * lists without a version.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OddListsIntegrationTests {

	private EmbeddedApiServer server;

	private ResourceCollection widgets;

	@BeforeEach
	void startServer() {
		startServer(true);
	}

	private void startServer(boolean watchList) {
		if (this.server != null) {
			this.server.close();
		}
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.watchList(watchList)
			.start();
		this.widgets = this.server.resources("widgets");
		List.of("a", "b", "c").forEach(this::create);
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	private void create(String name) {
		this.widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	private MirrorApplication application(String... properties) {
		List<String> all = new ArrayList<>(List.of("reflector.backoff.initial=20ms", "reflector.backoff.max=20ms",
				"reflector.backoff.jitter=0", "reflector.watch.initial-list=list"));
		all.addAll(List.of(properties));
		return MirrorApplication.on(this.server, all.toArray(String[]::new));
	}

	private List<RecordedRequest> lists() {
		return this.server.requests(RecordedRequest::isList);
	}

	private void awaitWatching(MirrorApplication application) {
		application.awaitEqualTo(this.widgets);
		application.awaitWatching(this.server);
		assertThat(application.heard.mistakes).isEmpty();
	}

	private void awaitVersionOfNextWatch(MirrorApplication application, String version) {
		int before = this.server.requests(RecordedRequest::isWatch).size();
		this.server.closeWatches();
		await().until(() -> this.server.requests(RecordedRequest::isWatch).size() > before);
		awaitWatching(application);
		assertThat(this.server.requests(RecordedRequest::isWatch)).last()
			.satisfies((watch) -> assertThat(watch.parameter("resourceVersion")).isEqualTo(version));
	}

	static Stream<Fault> pagesWithoutItems() {
		return LongForm.some(Stream.of(ListFault.emptyPage(), ListFault.nullItems()));
	}

	static Stream<Arguments> missingVersions() {
		return LongForm.some(Stream.of(arguments((String) null), arguments(""), arguments("0")));
	}

	@ParameterizedTest
	@MethodSource("pagesWithoutItems")
	void w16_pagesWithoutItemsAreNotTheLast(Fault fault) {
		// a client that stops at an empty page takes an empty mirror for complete; "null"
		// breaks a reader that expects an array
		this.server.fail(RecordedRequest::isList, 2, fault);
		try (MirrorApplication application = application()) {
			awaitWatching(application);
			assertThat(lists()).hasSize(3);
			assertThat(lists().get(0).parameters()).doesNotContainKey("continue");
			assertThat(lists().subList(1, 3))
				.allSatisfy((list) -> assertThat(list.parameters()).containsOnlyKeys("continue", "limit")
					.containsEntry("limit", "500"));
			// delivered after the last object
			await().untilAsserted(() -> assertThat(application.heard.events).containsOnlyOnce("+a@2 initial",
					"+b@3 initial", "+c@4 initial", "synced"));
		}
	}

	@ParameterizedTest
	@MethodSource("pagesWithoutItems")
	void w16_aPageWithoutItemsWithinARelistDeletesNothing(Fault fault) {
		// a client that stops at an empty page takes half of the state for all of it, and
		// "deletes" the rest
		try (MirrorApplication application = application("reflector.list.page-size=1")) {
			awaitWatching(application);
			this.server.clearRequests();
			this.server.failAfter(1, RecordedRequest::isList, 1, fault);
			application.reflector.relist();
			await().until(() -> application.reflector.status().counts().relists() == 1);
			awaitWatching(application);
			assertThat(lists()).hasSize(4);
			assertThat(application.heard.events).noneMatch((event) -> event.startsWith("-"));
		}
	}

	@ParameterizedTest
	@MethodSource("missingVersions")
	void w22_aListWithoutAVersionIsFollowedByTheStateOnceMore(String version, CapturedOutput output) {
		// the watch begins with the state again
		this.server.fail(RecordedRequest::isList, 1, ListFault.resourceVersion(version));
		try (MirrorApplication application = application()) {
			awaitWatching(application);
			assertThat(this.server.requests(RecordedRequest::isWatch)).first()
				.satisfies((watch) -> assertThat(watch.parameter("resourceVersion"))
					.isEqualTo("0".equals(version) ? "0" : null));
			this.widgets.delete("default", "a");
			awaitWatching(application);
			assertThat(application.heard.events.stream().filter((event) -> event.startsWith("+")))
				.containsExactlyInAnyOrder("+a@2 initial", "+b@3 initial", "+c@4 initial");
			assertThat(application.heard.events).noneMatch((event) -> event.startsWith("~"));
			awaitVersionOfNextWatch(application, "5");
			assertThat(lists()).hasSize(1);
		}
		assertThat(output).contains("listed objects without a resource version");
	}

	@Test
	void r75_versionsOfAStateInNoOrderDoNotCount() {
		// a client that resumes from the last ADDED of such a state misses older objects
		// that come after it in the stream
		startServer(false);
		this.server.fail(RecordedRequest::isList, 1, ListFault.resourceVersion("0"));
		try (MirrorApplication application = application()) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			create("d");
			application.awaitEqualTo(this.widgets);
			int before = this.server.requests(RecordedRequest::isWatch).size();
			this.server.closeWatches();
			await().until(() -> this.server.requests(RecordedRequest::isWatch).size() > before);
			assertThat(this.server.requests(RecordedRequest::isWatch))
				.extracting((watch) -> watch.parameter("resourceVersion"))
				.containsOnly("0");
			await().until(() -> this.server.activeWatches() == 1);
			this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 7)));
			application.awaitEqualTo(this.widgets);
			awaitVersionOfNextWatch(application, "6");
			assertThat(lists()).hasSize(1);
			assertThat(application.heard.events.stream().filter((event) -> event.startsWith("~")))
				.containsExactly("~b@3>b@6");
		}
	}

}
