package dev.reflector.console;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.example.console.ConsoleTestApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the answers of the console over a real socket.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ConsoleHttpTests {

	private final WebApplicationType web;

	private RunningConsole console;

	ConsoleHttpTests(WebApplicationType web) {
		this.web = web;
	}

	@BeforeAll
	void start() {
		this.console = RunningConsole.start(this.web, "--reflector.console.write-operations=true");
		this.console.widget("shop", "anvil", 1);
		this.console.widget("shop", "bolt", 2);
		this.console.widget("store", "bolt-cutter", 3);
		await().untilAsserted(() -> {
			assertThat(this.console.json("/reflectors/api/reflectors/widgets/objects").path("total").asInt())
				.isGreaterThanOrEqualTo(3);
			JsonNode widgets = widgets(this.console.json("/reflectors/api/reflectors"));
			assertThat(widgets.path("state").asString()).isEqualTo("WATCHING");
			// listeners receive an object after it is in the mirror
			assertThat(widgets.path("listeners").get(0).path("handled").asLong()).isPositive();
		});
	}

	@AfterAll
	void stop() {
		if (this.console != null) {
			this.console.close();
		}
	}

	@Test
	void theOverviewTellsOfEachReflector() {
		JsonNode overview = this.console.json("/reflectors/api/reflectors");
		assertThat(overview.path("application").asString()).isEqualTo("shop");
		assertThat(overview.path("writeOperations").asBoolean()).isTrue();
		assertThat(overview.path("csrf").isNull()).isTrue();
		assertThat(overview.path("reflectors").valueStream().map((reflector) -> reflector.path("name").asString()))
			.containsExactly("secrets", "widgets");
		JsonNode widgets = widgets(overview);
		assertThat(widgets.path("resource").asString()).isEqualTo("widgets.example.com/v1");
		assertThat(widgets.path("state").asString()).isEqualTo("WATCHING");
		assertThat(widgets.path("synced").asBoolean()).isTrue();
		assertThat(widgets.path("listeners").get(0).path("handled").asLong()).isPositive();
		assertThat(widgets.path("operations").valueStream().map(JsonNode::asString)).containsExactly("relist", "resync",
				"pause", "verify");
	}

	@Test
	void thePageIsServedUnderAPathWithASlash() {
		HttpResponse<String> redirect = this.console.get("/reflectors");
		assertThat(redirect.statusCode()).isEqualTo(302);
		assertThat(redirect.headers().firstValue("Location"))
			.hasValueSatisfying((location) -> assertThat(this.console.uri("/reflectors").resolve(location).getPath())
				.isEqualTo("/reflectors/"));
		HttpResponse<String> page = this.console.get("/reflectors/");
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.headers().firstValue("Content-Type"))
			.hasValueSatisfying((type) -> assertThat(type).startsWith("text/html"));
		assertThat(page.headers().firstValue("Content-Security-Policy")).hasValueSatisfying(
				(policy) -> assertThat(policy).contains("default-src 'self'").doesNotContain("script-src", "http"));
		assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
		assertThat(page.body()).contains("assets/").doesNotContain("http://", "https://", "<script>");
	}

	@ParameterizedTest
	@ValueSource(strings = { "console.js", "console.css", "vendor/uPlot.esm.js", "vendor/uPlot.min.css",
			"vendor/virtual-core/index.js", "vendor/virtual-core/utils.js" })
	void filesAreSentOnceAndThenOnlyWhenTheyHaveChanged(String file) {
		HttpResponse<String> first = this.console.get("/reflectors/assets/" + file);
		assertThat(first.statusCode()).isEqualTo(200);
		assertThat(first.headers().firstValue("Content-Type")).hasValueSatisfying(
				(type) -> assertThat(type).startsWith(file.endsWith(".css") ? "text/css" : "text/javascript"));
		String etag = first.headers().firstValue("ETag").orElseThrow();
		HttpResponse<String> second = this.console
			.send(this.console.request("/reflectors/assets/" + file).header("If-None-Match", etag));
		assertThat(second.statusCode()).isEqualTo(304);
		assertThat(second.body()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "nothing.js", "ConsoleController.class", "vendor/uPlot.cjs.js", "vendor/package.json",
			"a/b.js", "..%2Fconsole%2Fconsole.js", "." })
	void nothingElseIsAFile(String file) {
		assertThat(this.console.get("/reflectors/assets/" + file).statusCode()).isIn(400, 404);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/" })
	void theFolderOfTheFilesIsNotFound(String slash) {
		assertThat(this.console.get("/reflectors/assets" + slash).statusCode()).isEqualTo(404);
	}

	@Test
	void objectsArePagedInTheOrderOfTheirKeys() {
		JsonNode page = objects("offset=1&limit=1");
		assertThat(page.path("total").asInt()).isGreaterThanOrEqualTo(3);
		assertThat(page.path("matching").asInt()).isEqualTo(page.path("total").asInt());
		assertThat(page.path("offset").asInt()).isEqualTo(1);
		assertThat(names(page)).hasSize(1);
		assertThat(names(objects("namespace=shop"))).containsExactly("anvil", "bolt");
		assertThat(names(objects("namespace=shop&offset=1&limit=1"))).containsExactly("bolt");
		assertThat(names(objects("namespace=shop&order=desc"))).containsExactly("bolt", "anvil");
		assertThat(page.path("namespaces").valueStream().map((namespace) -> namespace.path("name").asString()))
			.contains("shop", "store");
	}

	@Test
	void objectsAreSearchedAndFiltered() {
		assertThat(names(objects("search=BOLT"))).containsExactly("bolt", "bolt-cutter");
		assertThat(names(objects("search=bolt&namespace=store"))).containsExactly("bolt-cutter");
		assertThat(names(objects("label=app%3Danvil"))).containsExactly("anvil");
		assertThat(names(objects("label=app,app!%3Danvil&search=bolt"))).containsExactly("bolt", "bolt-cutter");
		assertThat(names(objects("label=!app"))).isEmpty();
		assertThat(objects("search=nothing").path("matching").asInt()).isZero();
	}

	@Test
	void objectsAreSortedByNameNamespaceAndAge() {
		this.console.widget("zoo", "a-by-name", 1);
		this.console.widget("ant", "b-by-name", 1);
		await().untilAsserted(() -> {
			assertThat(names(objects("search=-by-name&sort=name"))).containsExactly("a-by-name", "b-by-name");
			assertThat(names(objects("search=-by-name&sort=key"))).containsExactly("b-by-name", "a-by-name");
			assertThat(names(objects("search=-by-name&sort=key&order=desc"))).containsExactly("a-by-name", "b-by-name");
			assertThat(objects("sort=age").path("items").valueStream().map((item) -> item.path("createdAt").asLong()))
				.hasSizeGreaterThan(1)
				.isSortedAccordingTo(Comparator.reverseOrder());
		});
	}

	@Test
	void objectsAreSortedByVersionAndByChange() {
		this.console.widget("sorted", "first", 1);
		this.console.widget("sorted", "second", 1);
		this.console.widget("sorted", "first", 2);
		await().untilAsserted(() -> {
			assertThat(names(objects("namespace=sorted&sort=version"))).containsExactly("second", "first");
			assertThat(names(objects("namespace=sorted&sort=version&order=desc"))).containsExactly("first", "second");
			JsonNode changed = objects("namespace=sorted&sort=changed&order=desc");
			assertThat(names(changed)).containsExactly("first", "second");
			assertThat(changed.path("items").get(0).path("change").asString()).isEqualTo("UPDATED");
			assertThat(changed.path("items").get(0).path("changedAt").asLong()).isPositive();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "limit=0", "limit=1001", "limit=many", "offset=-1", "sort=size", "order=up",
			"label=app%3D%3D%3Dx", "label=,", "search=" + LONG })
	void aParameterThatMakesNoSenseIsToldSo(String parameters) {
		HttpResponse<String> response = this.console.get("/reflectors/api/reflectors/widgets/objects?" + parameters);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.headers().firstValue("Content-Type"))
			.hasValueSatisfying((type) -> assertThat(type).startsWith("application/problem+json"));
		JsonNode problem = RunningConsole.JSON.readTree(response.body());
		assertThat(problem.path("status").asInt()).isEqualTo(400);
		assertThat(problem.path("detail").asString()).contains("'" + parameters.split("=")[0] + "'");
	}

	@Test
	void whatIsNotThereIsNotFound() {
		assertThat(this.console.get("/reflectors/api/reflectors/nothing/objects").statusCode()).isEqualTo(404);
		assertThat(this.console.get("/reflectors/api/reflectors/nothing/timeline").statusCode()).isEqualTo(404);
		assertThat(
				this.console.get("/reflectors/api/reflectors/widgets/object?namespace=shop&name=nothing").statusCode())
			.isEqualTo(404);
		assertThat(this.console.get("/reflectors/api/reflectors/widgets/object?namespace=shop").statusCode())
			.isEqualTo(400);
	}

	@Test
	void anObjectIsShownWithWhatHasChanged() {
		this.console.widget("seen", "one", 1);
		await().until(() -> names(objects("namespace=seen")).size() == 1);
		this.console.widget("seen", "one", 2);
		await().untilAsserted(() -> {
			JsonNode view = object("widgets", "seen", "one");
			assertThat(view.path("object").path("spec").path("size").asInt()).isEqualTo(2);
			assertThat(view.path("previous").path("spec").path("size").asInt()).isEqualTo(1);
			assertThat(view.path("change").asString()).isEqualTo("UPDATED");
			assertThat(view.path("differences").valueStream().map((difference) -> difference.path("path").asString()))
				.contains("/spec/size", "/metadata/resourceVersion");
		});
		this.console.server.resources("widgets").delete("seen", "one");
		await().untilAsserted(() -> {
			JsonNode view = object("widgets", "seen", "one");
			assertThat(view.path("object").isNull()).isTrue();
			assertThat(view.path("previous").path("spec").path("size").asInt()).isEqualTo(2);
			assertThat(view.path("change").asString()).isEqualTo("DELETED");
		});
		assertThat(names(objects("namespace=seen"))).isEmpty();
	}

	@Test
	void valuesOfSecretsNeverLeaveTheApplication() {
		Map<String, Object> metadata = Map.of("namespace", "shop", "name", "keys", "labels", Map.of("app", "door"),
				"annotations",
				Map.of("kubectl.kubernetes.io/last-applied-configuration", "aHVzaA==", "note", "aHVzaA=="));
		this.console.server.resources("secrets")
			.apply(Map.of("metadata", metadata, "data", Map.of("token", "aHVzaA=="), "stringData",
					Map.of("note", "aHVzaA==")));
		await().until(() -> this.console.get("/reflectors/api/reflectors/secrets/object?namespace=shop&name=keys")
			.statusCode() == 200);
		this.console.server.resources("secrets")
			.apply(Map.of("metadata", metadata, "data", Map.of("token", "d2hpc3Blcg==")));
		await().untilAsserted(() -> {
			String body = this.console.get("/reflectors/api/reflectors/secrets/object?namespace=shop&name=keys").body();
			JsonNode view = RunningConsole.JSON.readTree(body);
			assertThat(view.path("differences").valueStream().map((difference) -> difference.path("path").asString()))
				.contains("/data/token");
			assertThat(body).doesNotContain("aHVzaA==", "d2hpc3Blcg==");
			assertThat(view.path("object").path("metadata").path("name").asString()).isEqualTo("keys");
			assertThat(view.path("object").path("metadata").path("labels").path("app").asString()).isEqualTo("door");
			assertThat(view.path("object").path("data").path("token").asString()).contains("(12 characters)");
			assertThat(view.path("object").path("decoded").asString()).contains("(12 characters)");
			assertThat(view.path("previous").path("data").path("token").asString()).contains("(8 characters)");
			assertThat(view.path("previous").path("texts").path("note").asString()).contains("(8 characters)");
		});
	}

	@Test
	void whatTheSanitizingFunctionsHideIsHiddenInObjects() {
		this.console.widget("hidden", "one", 7);
		await().until(() -> names(objects("namespace=hidden")).size() == 1);
		JsonNode view = object("widgets", "hidden", "one");
		assertThat(view.path("object").path("spec").path("password").asString()).isEqualTo("******");
		assertThat(view.path("object").path("spec").path("size").asInt()).isEqualTo(7);
	}

	@Test
	void numbersAnnotationsAndLabelsAreHiddenToo() {
		this.console.server.resources("widgets")
			.apply(Map.of("metadata",
					Map.of("namespace", "masked", "name", "one", "labels",
							Map.of("example.com/owner", "alice", "app", "seen"), "annotations",
							Map.of("example.com/pin", "alice")),
					"spec", Map.of("size", ConsoleTestApplication.HIDDEN_SIZE)));
		await().until(() -> names(objects("namespace=masked")).size() == 1);
		JsonNode view = object("widgets", "masked", "one");
		assertThat(view.toString()).doesNotContain("alice");
		assertThat(view.path("object").path("spec").path("size").asString()).isEqualTo("******");
		JsonNode row = objects("namespace=masked").path("items").get(0);
		assertThat(row.path("labels").path("example.com/owner").asString()).isEqualTo("******");
		assertThat(row.path("labels").path("app").asString()).isEqualTo("seen");
		assertThat(names(objects("namespace=masked&label=example.com/owner%3Dalice"))).isEmpty();
	}

	@Test
	void hiddenKeysAreHiddenInTheTable() {
		this.console.widget("masked", "veiled", 1);
		await().until(() -> names(objects("search=******")).size() == 1);
		JsonNode page = objects("search=******");
		assertThat(page.path("items").get(0).path("namespace").asString()).isEmpty();
		assertThat(names(page)).containsExactly("******");
		assertThat(names(objects("search=veiled"))).isEmpty();
	}

	@Test
	void samplesAreTakenEachSecond() {
		await().untilAsserted(() -> {
			JsonNode series = this.console.json("/reflectors/api/reflectors/widgets/series");
			assertThat(series.path("times").size()).isGreaterThan(1);
			for (String column : new String[] { "eventRate", "queueDepth", "deliveryMillis", "ageMillis" }) {
				assertThat(series.path(column).size()).as(column).isEqualTo(series.path("times").size());
			}
		});
	}

	@Test
	void theStreamBeginsWithEverythingAndTellsWhatHappens() throws IOException, InterruptedException {
		HttpResponse<Stream<String>> response = this.console.client
			.send(this.console.request("/reflectors/api/stream").build(), BodyHandlers.ofLines());
		assertThat(response.headers().firstValue("Content-Type"))
			.hasValueSatisfying((type) -> assertThat(type).startsWith("text/event-stream"));
		assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
		try (Stream<String> lines = response.body()) {
			Iterator<JsonNode> frames = lines.filter((line) -> line.startsWith("data:"))
				.map((line) -> RunningConsole.JSON.readTree(line.substring(5)))
				.iterator();
			JsonNode first = frames.next();
			assertThat(first.path("reflectors").valueStream().map((reflector) -> reflector.path("name").asString()))
				.containsExactly("secrets", "widgets");
			assertThat(first.path("timeline").path("widgets").path("spans").size()).isPositive();
			this.console.widget("streamed", "one", 1);
			await().until(() -> names(objects("namespace=streamed")).equals(List.of("one")));
			long revision = this.console.json("/reflectors/api/reflectors/widgets/objects?namespace=streamed")
				.path("revision")
				.asLong();
			assertThat(revision).isPositive();
			// objects of earlier tests may be delivered first
			JsonNode frame = frames.next();
			int added = frame.path("changes").path("widgets").path("added").asInt();
			while (frame.path("changes").path("widgets").path("revision").asLong() < revision) {
				frame = frames.next();
				added += frame.path("changes").path("widgets").path("added").asInt();
			}
			assertThat(frame.path("reflectors").valueStream().map((reflector) -> reflector.path("name").asString()))
				.contains("widgets");
			assertThat(added).isPositive();
		}
	}

	@Test
	void ordersAreGivenToReflectors() {
		assertThat(this.console.post("/reflectors/api/reflectors/secrets/verify").body())
			.contains("the mirror equals the server");
		assertThat(this.console.post("/reflectors/api/reflectors/secrets/pause").statusCode()).isEqualTo(200);
		await().untilAsserted(() -> {
			JsonNode secrets = this.console.json("/reflectors/api/reflectors").path("reflectors").get(0);
			assertThat(secrets.path("state").asString()).isEqualTo("PAUSED");
			assertThat(secrets.path("operations").valueStream().map(JsonNode::asString)).containsExactly("resync",
					"resume");
		});
		assertThat(this.console.post("/reflectors/api/reflectors/secrets/resume").statusCode()).isEqualTo(200);
		await().until(() -> this.console.json("/reflectors/api/reflectors")
			.path("reflectors")
			.get(0)
			.path("state")
			.asString()
			.equals("WATCHING"));
		assertThat(this.console.post("/reflectors/api/reflectors/nothing/relist").statusCode()).isEqualTo(404);
		assertThat(this.console.post("/reflectors/api/reflectors/widgets/explode").statusCode()).isEqualTo(404);
		assertThat(this.console.post("/reflectors/api/reflectors/widgets/reset-snapshot").statusCode()).isEqualTo(409);
	}

	@ParameterizedTest
	@ValueSource(strings = { "cross-site", "same-site" })
	void anOrderFromAnotherSiteIsRefused(String site) {
		assertThat(refused(order().header("X-Reflector-Console", "1").header("Sec-Fetch-Site", site)))
			.contains("another site");
	}

	@Test
	void anOrderWithoutTheHeaderOfTheConsoleIsRefused() {
		assertThat(refused(order())).contains("X-Reflector-Console: 1");
		assertThat(refused(order().header("X-Reflector-Console", "0"))).contains("X-Reflector-Console: 1");
		assertThat(this.console.send(order().header("X-Reflector-Console", "1")).statusCode()).isEqualTo(200);
	}

	private HttpRequest.Builder order() {
		return this.console.request("/reflectors/api/reflectors/widgets/resync").POST(BodyPublishers.noBody());
	}

	private String refused(HttpRequest.Builder order) {
		HttpResponse<String> response = this.console.send(order);
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(response.headers().firstValue("Content-Type"))
			.hasValueSatisfying((type) -> assertThat(type).startsWith("application/problem+json"));
		return RunningConsole.JSON.readTree(response.body()).path("detail").asString();
	}

	private static final String LONG = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
			+ "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
			+ "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
			+ "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
			+ "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
			+ "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

	private static JsonNode widgets(JsonNode overview) {
		return overview.path("reflectors").get(1);
	}

	private JsonNode objects(String parameters) {
		return this.console.json("/reflectors/api/reflectors/widgets/objects?" + parameters);
	}

	private JsonNode object(String reflector, String namespace, String name) {
		return this.console
			.json("/reflectors/api/reflectors/" + reflector + "/object?namespace=" + namespace + "&name=" + name);
	}

	private static List<String> names(JsonNode page) {
		return page.path("items").valueStream().map((item) -> item.path("name").asString()).toList();
	}

}
