package dev.reflector.test.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.fixture.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShardingTests {

	private static final String WIDGETS = "/apis/example.com/v1/widgets";

	private static final String PODS = "/api/v1/pods";

	private static final String LOWER = shard("uid", "0x0000000000000000", "0x8000000000000000");

	private static final String UPPER = shard("uid", "0x8000000000000000", "0x10000000000000000");

	private final EmbeddedApiServer server = server(true);

	private final TestClient client = new TestClient(this.server);

	private static EmbeddedApiServer server(boolean sharding) {
		EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("v1", "Pod", "pods", true)
			.sharding(sharding)
			.start();
		for (String plural : List.of("widgets", "pods")) {
			IntStream.range(0, 40)
				.forEach((i) -> server.resources(plural)
					.create(Map.of("metadata", Map.of("name", "x" + i, "namespace", "n" + i % 4))));
		}
		return server;
	}

	private static String shard(String field, String from, String to) {
		return "shardRange(object.metadata." + field + ", '" + from + "', '" + to + "')";
	}

	private static String encoded(String selector) {
		return "shardSelector=" + selector.replace(" ", "%20").replace("'", "%27").replace("|", "%7C");
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void hashesAreFnv1a() {
		// from the tables of the hash's authors
		assertThat(ShardRanges.hash("")).isEqualTo(0xcbf29ce484222325L);
		assertThat(ShardRanges.hash("a")).isEqualTo(0xaf63dc4c8601ec8cL);
		assertThat(ShardRanges.hash("foobar")).isEqualTo(0x85944171f73967e8L);
	}

	@Test
	void shardsAddUpToTheCollection() {
		for (String path : List.of(WIDGETS, PODS)) {
			List<String> lower = this.client.get(path + "?" + encoded(LOWER)).names();
			List<String> upper = this.client.get(path + "?" + encoded(UPPER)).names();
			assertThat(lower).isNotEmpty().doesNotContainAnyElementsOf(upper);
			assertThat(upper).isNotEmpty();
			assertThat(lower.size() + upper.size()).isEqualTo(40);
			assertThat(this.client.get(path + "?" + encoded(LOWER + " || " + UPPER)).names()).hasSize(40);
		}
	}

	@Test
	void onlyListsOfBuiltInTypesSaySo() {
		assertThat(this.client.get(PODS + "?" + encoded(LOWER)).at("/metadata/shardInfo/selector")).isEqualTo(LOWER);
		assertThat(this.client.get(PODS).text()).doesNotContain("shardInfo");
		assertThat(this.client.get(WIDGETS + "?" + encoded(LOWER)).text()).doesNotContain("shardInfo");
	}

	@Test
	void listsOfCustomResourcesMayBeMadeToSaySo() {
		try (EmbeddedApiServer talkative = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.sharding(true)
			.shardInfoOnCustomResources(true)
			.start()) {
			TestClient client = new TestClient(talkative);
			assertThat(client.get(WIDGETS + "?" + encoded(LOWER)).at("/metadata/shardInfo/selector")).isEqualTo(LOWER);
			assertThat(client.get(WIDGETS).text()).doesNotContain("shardInfo");
		}
	}

	@Test
	void pagesOfAShardCountTheRemainingItemsOfTheCollection() {
		List<String> all = this.client.get(PODS).names();
		List<String> whole = this.client.get(PODS + "?" + encoded(LOWER)).names();
		TestClient.Answer page = this.client.get(PODS + "?limit=1&" + encoded(LOWER));
		assertThat(page.names()).containsExactly(whole.get(0));
		int remaining = page.json().at("/metadata/remainingItemCount").asInt();
		assertThat(remaining).isGreaterThan(whole.size() - 1).isEqualTo(all.size() - 1 - all.indexOf(whole.get(0)));
		List<String> paged = new ArrayList<>(page.names());
		for (String next = page.at("/metadata/continue"); !next.isEmpty(); next = page.at("/metadata/continue")) {
			page = this.client.get(PODS + "?limit=7&continue=" + next + "&" + encoded(LOWER));
			paged.addAll(page.names());
		}
		assertThat(paged).isEqualTo(whole);
	}

	@Test
	void watchesAreFilteredToo() {
		int expected = this.client.get(WIDGETS + "?" + encoded(UPPER)).names().size();
		String watch = WIDGETS + "?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&";
		try (TestClient.Stream stream = this.client.watch(watch + encoded(UPPER))) {
			assertThat(stream.events(expected)).allMatch((event) -> event.startsWith("ADDED"));
			assertThat(stream.event()).startsWith("BOOKMARK");
		}
	}

	@Test
	void namespacesStayTogether() {
		String selector = shard("namespace", "0x0000000000000000", "0x8000000000000000");
		List<String> namespaces = this.client.get(WIDGETS + "?" + encoded(selector))
			.json()
			.path("items")
			.valueStream()
			.map((item) -> item.at("/metadata/namespace").asString())
			.toList();
		assertThat(namespaces.size() % 10).isZero();
		assertThat(namespaces).allMatch((namespace) -> ShardRanges.hash(namespace) >= 0);
	}

	@Test
	void anInvalidSelectorIsAnError() {
		String mixed = LOWER + " || " + shard("namespace", "0x8000000000000000", "0x10000000000000000");
		for (String selector : List.of("x", mixed, LOWER + " ||")) {
			TestClient.Answer answer = this.client.get(WIDGETS + "?" + encoded(selector));
			assertThat(answer.status()).isEqualTo(500);
			assertThat(answer.json().has("reason")).isFalse();
		}
	}

	@Test
	void aServerWithoutShardsIgnoresThem() {
		try (EmbeddedApiServer old = server(false)) {
			TestClient.Answer answer = new TestClient(old).get(PODS + "?" + encoded(LOWER));
			assertThat(answer.names()).hasSize(40);
			assertThat(answer.text()).doesNotContain("shardInfo");
		}
	}

}
