package dev.reflector.test.internal.read;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.fixture.TestClient;
import dev.reflector.test.internal.api.Json;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchTests {

	private static final String ALL = "/apis/example.com/v1/widgets";

	private final List<AutoCloseable> closing = new ArrayList<>();

	private EmbeddedApiServer server;

	private TestClient client;

	private ResourceCollection widgets;

	@BeforeEach
	void start() {
		restart(EmbeddedApiServer.builder().historyWindow(1000));
	}

	private void restart(EmbeddedApiServer.Builder builder) {
		this.server = builder.type("example.com/v1", "Widget", "widgets", true)
			.type("apps/v1", "Deployment", "deployments", true)
			.start();
		this.closing.add(this.server);
		this.client = new TestClient(this.server);
		this.widgets = this.server.resources("widgets");
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable closeable : this.closing) {
			closeable.close();
		}
	}

	@Test
	void sendsChangesAfterAVersionInOrder() {
		create("a");
		create("b");
		TestClient.Stream watch = watch("resourceVersion=2");
		this.widgets.mergePatch("default", "a", "{\"spec\":{\"size\":2}}");
		this.server.resources("deployments").create("{\"metadata\":{\"name\":\"web\"}}");
		this.widgets.delete("default", "a");
		assertThat(watch.events(3)).containsExactly("ADDED b@3", "MODIFIED a@4", "DELETED a@6");
	}

	@Test
	void deletionsShowTheLastContent() {
		create("a");
		TestClient.Stream watch = watch("resourceVersion=2");
		this.widgets.delete("default", "a");
		JsonNode frame = watch.next();
		assertThat(frame.at("/object/spec/size").asInt()).isOne();
		assertThat(frame.at("/object/kind").asString()).isEqualTo("Widget");
	}

	@Test
	void showsOnlyItsNamespace() {
		TestClient.Stream watch = this.client
			.watch("/apis/example.com/v1/namespaces/default/widgets?resourceVersion=1");
		this.widgets.create("{\"metadata\":{\"name\":\"x\",\"namespace\":\"other\"}}");
		create("a");
		assertThat(watch.event()).isEqualTo("ADDED a@3");
	}

	@Test
	void objectsEnterAndLeaveSelections() {
		create("a");
		TestClient.Stream watch = watch("resourceVersion=2&labelSelector=tier%3Dweb");
		this.widgets.mergePatch("default", "a", "{\"metadata\":{\"labels\":{\"tier\":\"web\"}}}");
		this.widgets.mergePatch("default", "a", "{\"spec\":{\"size\":2}}");
		this.widgets.mergePatch("default", "a", "{\"metadata\":{\"labels\":{\"tier\":\"db\"}}}");
		this.widgets.delete("default", "a");
		create("b");
		this.widgets.mergePatch("default", "b", "{\"metadata\":{\"labels\":{\"tier\":\"web\"}}}");
		assertThat(watch.events(2)).containsExactly("ADDED a@3", "MODIFIED a@4");
		JsonNode left = watch.next();
		assertThat(left.path("type").asString()).isEqualTo("DELETED");
		assertThat(left.at("/object/metadata/resourceVersion").asString()).isEqualTo("5");
		assertThat(left.at("/object/metadata/labels/tier").asString()).isEqualTo("web");
		assertThat(watch.event()).isEqualTo("ADDED b@8");
	}

	@Test
	void tooOldVersionsAreReportedInTheStream() {
		create("a");
		this.server.compact();
		TestClient.Stream watch = watch("resourceVersion=2");
		assertThat(watch.status()).isEqualTo(200);
		JsonNode frame = watch.next();
		assertThat(frame.path("type").asString()).isEqualTo("ERROR");
		assertThat(frame.at("/object/code").asInt()).isEqualTo(410);
		assertThat(frame.at("/object/reason").asString()).isEqualTo("Expired");
		assertThat(watch.nextOrEnd()).isNull();
		assertThat(this.server.activeWatches()).isZero();
	}

	@Test
	void versionsOutsideTheHistoryWindowAreTooOld() {
		restart(EmbeddedApiServer.builder().historyWindow(2));
		List.of("a", "b", "c").forEach(this::create);
		assertThat(watch("resourceVersion=1").event()).isEqualTo("ERROR @");
		assertThat(watch("resourceVersion=2").events(2)).containsExactly("ADDED b@3", "ADDED c@4");
	}

	@Test
	void compactionLeavesOpenWatchesAlone() {
		TestClient.Stream watch = watch("resourceVersion=1");
		create("a");
		this.server.compact();
		create("b");
		assertThat(watch.events(2)).containsExactly("ADDED a@2", "ADDED b@4");
	}

	@Test
	void watchListSendsTheStateAndItsEndMarker() {
		create("b");
		create("a");
		TestClient.Stream watch = watch(
				"sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
		assertThat(watch.events(2)).containsExactly("ADDED a@3", "ADDED b@2");
		JsonNode marker = watch.next();
		assertThat(marker).isEqualTo(Json.of("""
				{"type":"BOOKMARK","object":{"apiVersion":"example.com/v1","kind":"Widget","metadata":
				{"resourceVersion":"3","annotations":{"k8s.io/initial-events-end":"true"}}}}"""));
		create("c");
		assertThat(watch.event()).isEqualTo("ADDED c@4");
	}

	@Test
	void watchesWithoutAVersionBeginWithTheState() {
		create("a");
		TestClient.Stream plain = watch("");
		TestClient.Stream marked = watch("resourceVersion=0&allowWatchBookmarks=true");
		create("b");
		assertThat(plain.events(2)).containsExactly("ADDED a@2", "ADDED b@3");
		assertThat(marked.event()).isEqualTo("ADDED a@2");
		assertThat(marked.next().at("/object/metadata/annotations/k8s.io~1initial-events-end").asString())
			.isEqualTo("true");
	}

	@Test
	void bookmarksAreSentOnDemandToWatchesThatAllowThem() {
		TestClient.Stream watch = watch("resourceVersion=1&allowWatchBookmarks=true");
		TestClient.Stream other = watch("resourceVersion=1");
		create("a");
		assertThat(watch.event()).isEqualTo("ADDED a@2");
		assertThat(other.event()).isEqualTo("ADDED a@2");
		this.server.resources("deployments").create("{\"metadata\":{\"name\":\"web\"}}");
		assertThat(this.server.resourceVersion()).isEqualTo("3");
		this.server.sendBookmarks();
		assertThat(watch.next()).isEqualTo(Json.of("""
				{"type":"BOOKMARK","object":{"apiVersion":"example.com/v1","kind":"Widget","metadata":
				{"resourceVersion":"3"}}}"""));
		create("b");
		assertThat(other.event()).isEqualTo("ADDED b@4");
	}

	@Test
	void aResetDeletesForWatchesThatStayOpen() {
		this.widgets.create("{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/hold\"]}}");
		TestClient.Stream watch = watch("resourceVersion=2");
		this.server.fail(RecordedRequest::isList, 1, Fault.status(500));
		this.server.reset();
		assertThat(watch.event()).isEqualTo("DELETED a@3");
		assertThat(this.widgets.size()).isZero();
		assertThat(this.server.requests()).isEmpty();
		assertThat(this.client.get(ALL).status()).isEqualTo(200);
		this.server.stop();
		this.server.reset();
		assertThat(this.client.get(ALL).status()).isEqualTo(200);
	}

	@Test
	void watchWithoutInitialEventsBeginsNow() {
		create("a");
		TestClient.Stream watch = watch("sendInitialEvents=false&resourceVersionMatch=NotOlderThan");
		create("b");
		assertThat(watch.event()).isEqualTo("ADDED b@3");
	}

	@Test
	void serverWithoutWatchListRefusesIt() {
		restart(EmbeddedApiServer.builder().watchList(false));
		create("a");
		TestClient.Answer answer = this.client
			.get(ALL + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
		assertThat(answer.status()).isEqualTo(422);
		TestClient.Stream watch = watch("allowWatchBookmarks=true");
		create("b");
		assertThat(watch.events(2)).containsExactly("ADDED a@2", "ADDED b@3");
	}

	@Test
	void illegalCombinationsAreInvalid() {
		for (String query : List.of("resourceVersionMatch=NotOlderThan", "sendInitialEvents=true",
				"sendInitialEvents=false", "sendInitialEvents=true&resourceVersionMatch=Exact",
				"sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x")) {
			assertThat(this.client.get(ALL + "?watch=true&" + query).status()).as(query).isEqualTo(422);
		}
		assertThat(this.client.get(ALL + "?watch=true&resourceVersion=abc").status()).isEqualTo(500);
		assertThat(this.client.get(ALL + "?watch=maybe").status()).isEqualTo(400);
	}

	@Test
	void futureVersionsAreSilentUntilTheTimeout() {
		TestClient.Stream watch = watch("resourceVersion=3&timeoutSeconds=1&allowWatchBookmarks=true");
		create("a");
		assertThat(watch.nextOrEnd()).isNull();
	}

	@Test
	void watchListOfAFutureVersionTimesOut() {
		restart(EmbeddedApiServer.builder().versionTimeout(Duration.ofMillis(20)));
		TestClient.Stream watch = watch("sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=99");
		assertThat(watch.status()).isEqualTo(200);
		JsonNode frame = watch.next();
		assertThat(frame.path("type").asString()).isEqualTo("ERROR");
		assertThat(frame.at("/object/code").asInt()).isEqualTo(504);
		assertThat(watch.nextOrEnd()).isNull();
	}

	@Test
	void watchListOfAFutureVersionBeginsOnceItIsReached() {
		restart(EmbeddedApiServer.builder().versionTimeout(Duration.ofSeconds(20)));
		TestClient.Stream watch = watch("sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=2");
		create("a");
		assertThat(watch.event()).isEqualTo("ADDED a@2");
	}

	@Test
	void bookmarksHaveTheServersVersion() {
		restart(EmbeddedApiServer.builder().bookmarkInterval(Duration.ofMillis(20)));
		TestClient.Stream watch = watch("resourceVersion=1&allowWatchBookmarks=true");
		this.server.resources("deployments").create("{\"metadata\":{\"name\":\"web\"}}");
		JsonNode frame = watch.next();
		while (!"2".equals(frame.at("/object/metadata/resourceVersion").asString())) {
			frame = watch.next();
		}
		assertThat(frame).isEqualTo(Json.of("""
				{"type":"BOOKMARK","object":{"apiVersion":"example.com/v1","kind":"Widget","metadata":
				{"resourceVersion":"2"}}}"""));
	}

	@Test
	void bookmarksFollowEachSoManyEvents() {
		restart(EmbeddedApiServer.builder().bookmarkEvery(2));
		create("a");
		create("b");
		create("c");
		TestClient.Stream watch = watch(
				"sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
		assertThat(watch.events(4)).last().isEqualTo("BOOKMARK @4");
		TestClient.Stream withoutBookmarks = watch("resourceVersion=4");
		create("d");
		this.server.resources("deployments").create("{\"metadata\":{\"name\":\"web\"}}");
		create("e");
		create("f");
		this.widgets.delete("default", "a");
		create("g");
		assertThat(watch.events(7)).containsExactly("ADDED d@5", "ADDED e@7", "BOOKMARK @7", "ADDED f@8", "DELETED a@9",
				"BOOKMARK @9", "ADDED g@10");
		assertThat(withoutBookmarks.events(5)).last().isEqualTo("ADDED g@10");
		assertThatIllegalArgumentException().isThrownBy(() -> EmbeddedApiServer.builder().bookmarkEvery(-1));
	}

	@Test
	void initialEventsMayComeInNoParticularOrder() {
		restart(EmbeddedApiServer.builder().unordered(true));
		List<String> written = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			create("w" + i);
			written.add("ADDED w" + i + "@" + (i + 2));
		}
		for (String parameters : List.of("allowWatchBookmarks=false", "allowWatchBookmarks=true",
				"sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")) {
			TestClient.Stream watch = watch(parameters);
			List<String> told = watch.events(20);
			assertThat(told).containsExactlyInAnyOrderElementsOf(written).isNotEqualTo(written);
			assertThat(watch(parameters).events(20)).isEqualTo(told);
			if (parameters.endsWith("true")) {
				assertThat(watch.event()).isEqualTo("BOOKMARK @21");
			}
		}
		// W-27: what was written comes in its order all the same
		assertThat(watch("resourceVersion=1").events(20)).isEqualTo(written);
	}

	@Test
	void oneBookmarkComesBeforeTheTimeout() {
		TestClient.Stream watch = watch("resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=3");
		assertThat(watch.event()).isEqualTo("BOOKMARK @1");
		assertThat(watch.nextOrEnd()).isNull();
	}

	@Test
	void closedWatchesEndCleanly() {
		TestClient.Stream watch = watch("resourceVersion=1");
		create("a");
		this.server.closeWatches();
		create("b");
		assertThat(watch.event()).isEqualTo("ADDED a@2");
		assertThat(watch.nextOrEnd()).isNull();
		assertThat(watch("resourceVersion=2").event()).isEqualTo("ADDED b@3");
	}

	/** However slowly it reads. */
	@Test
	void aClosedWatchSendsItsRemainingEvents() {
		TestClient.Stream watch = watch("resourceVersion=1");
		String text = "x".repeat(100_000);
		for (int i = 0; i < 200; i++) {
			this.server.resources("widgets").create(Map.of("metadata", Map.of("name", "w" + i), "text", text));
		}
		this.server.closeWatches();
		create("late");
		for (int i = 0; i < 200; i++) {
			assertThat(watch.event()).isEqualTo("ADDED w" + i + "@" + (i + 2));
		}
		assertThat(watch.nextOrEnd()).isNull();
	}

	@Test
	void forgetsWatchesOfClientsThatAreGone() {
		TestClient.Stream watch = watch("resourceVersion=1");
		assertThat(this.server.activeWatches()).isOne();
		watch.close();
		Awaitility.await().until(() -> this.server.activeWatches() == 0);
	}

	@Test
	void cutsOffClientsThatDoNotRead() {
		restart(EmbeddedApiServer.builder().historyWindow(10));
		watch("resourceVersion=1");
		String big = "x".repeat(500_000);
		Awaitility.await().until(() -> {
			this.widgets
				.apply("{\"metadata\":{\"name\":\"a\"},\"spec\":{\"text\":\"" + big + System.nanoTime() + "\"}}");
			return this.server.activeWatches() == 0;
		});
	}

	@Test
	void manyWatchesSeeEverything() {
		for (int i = 0; i < 300; i++) {
			create("w" + i);
		}
		List<TestClient.Stream> watches = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			watches.add(watch("allowWatchBookmarks=true"));
		}
		for (int i = 0; i < 300; i++) {
			this.widgets.mergePatch("default", "w" + i, "{\"spec\":{\"size\":2}}");
		}
		for (TestClient.Stream watch : watches) {
			List<String> events = watch.events(601);
			assertThat(events.get(300)).startsWith("BOOKMARK");
			assertThat(events.get(301)).isEqualTo("MODIFIED w0@302");
			assertThat(events.get(600)).isEqualTo("MODIFIED w299@601");
		}
	}

	private TestClient.Stream watch(String query) {
		TestClient.Stream watch = this.client.watch(ALL + (query.isEmpty() ? "" : "?" + query));
		this.closing.add(0, watch);
		return watch;
	}

	private void create(String name) {
		this.widgets.create("{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"size\":1}}");
	}

}
