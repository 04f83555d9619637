package dev.reflector.test.internal.read;

import java.util.List;
import java.util.stream.IntStream;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.fixture.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListTests {

	private static final String ALL = "/apis/example.com/v1/widgets";

	private EmbeddedApiServer server;

	private TestClient client;

	private ResourceCollection widgets;

	@BeforeEach
	void start() {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("apps/v1", "Deployment", "deployments", true)
			.historyWindow(5)
			.start();
		this.client = new TestClient(this.server);
		this.widgets = this.server.resources("widgets");
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void listsOfCustomResourcesPutItemsFirstAndGiveTheirTypes() {
		create("a");
		TestClient.Answer list = this.client.get(ALL);
		assertThat(list.json().propertyNames()).containsExactly("kind", "apiVersion", "items", "metadata");
		assertThat(list.at("/kind")).isEqualTo("WidgetList");
		assertThat(list.at("/items/0/kind")).isEqualTo("Widget");
		assertThat(list.at("/items/0/apiVersion")).isEqualTo("example.com/v1");
	}

	@Test
	void listsOfBuiltInTypesPutMetadataFirstAndOmitTheirTypes() {
		this.server.resources("deployments").create("{\"metadata\":{\"name\":\"web\"}}");
		TestClient.Answer list = this.client.get("/apis/apps/v1/deployments");
		assertThat(list.json().propertyNames()).containsExactly("kind", "apiVersion", "metadata", "items");
		assertThat(list.json().at("/items/0").propertyNames()).containsExactly("metadata");
		assertThat(list.at("/items/0/metadata/name")).isEqualTo("web");
	}

	@Test
	void onlyListsOfAnyVersionMayComeInNoParticularOrder() {
		try (EmbeddedApiServer unordered = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.unordered(true)
			.start()) {
			List<String> names = IntStream.range(0, 20).mapToObj((i) -> "w" + (char) ('a' + i)).toList();
			names
				.forEach((name) -> unordered.resources("widgets").create("{\"metadata\":{\"name\":\"" + name + "\"}}"));
			TestClient client = new TestClient(unordered);
			List<String> listed = client.get(ALL + "?resourceVersion=0&limit=5").names();
			assertThat(listed).containsExactlyInAnyOrderElementsOf(names).isNotEqualTo(names);
			assertThat(client.get(ALL + "?resourceVersion=0").names()).isEqualTo(listed);
			assertThat(client.get(ALL).names()).isEqualTo(names);
			assertThat(client.get(ALL + "?limit=5").names()).isEqualTo(names.subList(0, 5));
		}
	}

	@Test
	void emptyListsHaveAVersion() {
		TestClient.Answer list = this.client.get(ALL);
		assertThat(list.json().path("items").isArray()).isTrue();
		assertThat(list.resourceVersion()).isEqualTo("1");
	}

	@Test
	void namespacesSelect() {
		create("a");
		this.widgets.create("{\"metadata\":{\"name\":\"b\",\"namespace\":\"other\"}}");
		assertThat(this.client.get("/apis/example.com/v1/namespaces/other/widgets").names()).containsExactly("b");
		assertThat(this.client.get(ALL).names()).containsExactly("a", "b");
	}

	@Test
	void selectorsSelect() {
		this.widgets.create("{\"metadata\":{\"name\":\"a\",\"labels\":{\"tier\":\"web\",\"x\":\"1\"}}}");
		this.widgets.create("{\"metadata\":{\"name\":\"b\",\"labels\":{\"tier\":\"db\"}}}");
		create("c");
		assertThat(names("labelSelector=tier%3Dweb")).containsExactly("a");
		assertThat(names("labelSelector=tier!%3Dweb")).containsExactly("b", "c");
		assertThat(names("labelSelector=tier in (web,db),!x")).containsExactly("b");
		assertThat(names("labelSelector=tier notin (web)")).containsExactly("b", "c");
		assertThat(names("labelSelector=tier")).containsExactly("a", "b");
		assertThat(names("fieldSelector=metadata.name%3Db")).containsExactly("b");
		assertThat(names("fieldSelector=metadata.name!%3Db,metadata.namespace%3D%3Ddefault")).containsExactly("a", "c");
		assertThat(this.client.get(ALL + "?fieldSelector=spec.size%3D1").status()).isEqualTo(400);
		assertThat(this.client.get(ALL + "?labelSelector=a b").status()).isEqualTo(400);
	}

	@Test
	void pagesShowTheStateOfTheFirstPage() {
		List.of("a", "b", "c", "d", "e").forEach(this::create);
		TestClient.Answer first = this.client.get(ALL + "?limit=2");
		assertThat(first.names()).containsExactly("a", "b");
		assertThat(first.at("/metadata/remainingItemCount")).isEqualTo("3");
		this.widgets.delete("default", "c");
		this.widgets.create("{\"metadata\":{\"name\":\"cc\"}}");
		this.widgets.mergePatch("default", "d", "{\"spec\":{\"size\":7}}");
		TestClient.Answer second = next(first, 2);
		assertThat(second.names()).containsExactly("c", "d");
		assertThat(second.at("/items/1/spec/size")).isEqualTo("1");
		assertThat(second.resourceVersion()).isEqualTo(first.resourceVersion());
		TestClient.Answer third = next(second, 2);
		assertThat(third.names()).containsExactly("e");
		assertThat(third.at("/metadata/continue")).isEmpty();
		assertThat(third.json().at("/metadata/remainingItemCount").isMissingNode()).isTrue();
	}

	@Test
	void pagesWithSelectorsHaveNoRemainingItemCount() {
		List.of("a", "b").forEach(this::create);
		TestClient.Answer page = this.client.get(ALL + "?limit=1&labelSelector=!x");
		assertThat(page.at("/metadata/continue")).isNotEmpty();
		assertThat(page.json().at("/metadata/remainingItemCount").isMissingNode()).isTrue();
	}

	@Test
	void compactionEndsTokens() {
		List.of("a", "b", "c").forEach(this::create);
		TestClient.Answer first = this.client.get(ALL + "?limit=1");
		this.server.compact();
		TestClient.Answer expired = next(first, 1);
		assertThat(expired.status()).isEqualTo(410);
		assertThat(expired.at("/reason")).isEqualTo("Expired");
		this.widgets.create("{\"metadata\":{\"name\":\"bb\"}}");
		TestClient.Answer inconsistent = next(expired, 0);
		assertThat(inconsistent.names()).containsExactly("b", "bb", "c");
		assertThat(inconsistent.resourceVersion()).isEqualTo("6");
	}

	@Test
	void historyWindowEndsTokens() {
		List.of("a", "b", "c").forEach(this::create);
		TestClient.Answer first = this.client.get(ALL + "?limit=1");
		List.of("d", "e", "f", "g", "h").forEach(this::create);
		assertThat(next(first, 1).status()).isEqualTo(200);
		create("i");
		assertThat(next(first, 1).status()).isEqualTo(410);
	}

	@Test
	void exactVersionsAreReadFromHistory() {
		create("a");
		create("b");
		this.widgets.delete("default", "a");
		TestClient.Answer past = this.client.get(ALL + "?resourceVersion=3&resourceVersionMatch=Exact");
		assertThat(past.names()).containsExactly("a", "b");
		assertThat(past.resourceVersion()).isEqualTo("3");
		assertThat(names("resourceVersion=2&limit=10")).containsExactly("a");
		assertThat(names("resourceVersion=2&limit=10&resourceVersionMatch=NotOlderThan")).containsExactly("b");
		assertThat(names("resourceVersion=2")).containsExactly("b");
		this.server.compact();
		TestClient.Answer gone = this.client.get(ALL + "?resourceVersion=3&resourceVersionMatch=Exact");
		assertThat(gone.status()).isEqualTo(410);
		assertThat(gone.at("/reason")).isEqualTo("Expired");
		assertThat(names("resourceVersion=3")).containsExactly("b");
	}

	@Test
	void anyVersionIgnoresTheLimit() {
		List.of("a", "b", "c").forEach(this::create);
		assertThat(names("resourceVersion=0&limit=1")).hasSize(3);
	}

	@Test
	void futureVersionsTimeOut() {
		TestClient.Answer answer = this.client.get(ALL + "?resourceVersion=99");
		assertThat(answer.status()).isEqualTo(504);
		assertThat(answer.at("/reason")).isEqualTo("Timeout");
		assertThat(answer.at("/details/causes/0/reason")).isEqualTo("ResourceVersionTooLarge");
		assertThat(answer.header("Retry-After")).isEqualTo("1");
	}

	@Test
	void illegalCombinationsAreInvalid() {
		create("a");
		for (String query : List.of("resourceVersionMatch=Exact", "resourceVersion=0&resourceVersionMatch=Exact",
				"resourceVersion=1&resourceVersionMatch=Bogus", "continue=x&resourceVersionMatch=Exact",
				"sendInitialEvents=true")) {
			TestClient.Answer answer = this.client.get(ALL + "?" + query);
			assertThat(answer.status()).as(query).isEqualTo(422);
			assertThat(answer.at("/reason")).isEqualTo("Invalid");
		}
		for (String query : List.of("continue=x", "continue=x&resourceVersion=1", "resourceVersion=abc", "limit=x")) {
			assertThat(this.client.get(ALL + "?" + query).status()).as(query).isEqualTo(400);
		}
	}

	@Test
	void bigListsAreComplete() {
		String padding = "x".repeat(2000);
		for (int i = 0; i < 500; i++) {
			this.widgets
				.create("{\"metadata\":{\"name\":\"w" + (1000 + i) + "\"},\"spec\":{\"text\":\"" + padding + "\"}}");
		}
		TestClient.Answer list = this.client.get(ALL);
		assertThat(list.names()).hasSize(500).isSorted();
		assertThat(list.header("Content-Length")).isEmpty();
		assertThat(list.resourceVersion()).isEqualTo("501");
	}

	private void create(String name) {
		this.widgets.create("{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"size\":1}}");
	}

	private List<String> names(String query) {
		return this.client.get(ALL + "?" + query).names();
	}

	private TestClient.Answer next(TestClient.Answer page, int limit) {
		return this.client.get(ALL + "?limit=" + limit + "&continue=" + page.at("/metadata/continue"));
	}

}
