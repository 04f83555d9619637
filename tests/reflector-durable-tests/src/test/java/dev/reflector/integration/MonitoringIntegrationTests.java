package dev.reflector.integration;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import dev.reflector.fixture.SourceTree;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Compares the dashboard and the alerts of the guide with what an application that has
 * everything answers to Prometheus.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MonitoringIntegrationTests {

	private static final Path DOCS = SourceTree.ROOT.resolve("docs");

	private static final Path DASHBOARD = DOCS.resolve("monitoring/reflector-dashboard.json");

	private static final Path RULES = DOCS.resolve("monitoring/reflector-rules.yaml");

	/** Prometheus adds them, the last two in Kubernetes. */
	private static final Set<String> TARGET_LABELS = Set.of("job", "instance", "namespace", "pod");

	private static final Pattern IN_LEGEND = Pattern.compile("\\{\\{\\s*(\\w+)\\s*}}");

	private static final Pattern IN_ANNOTATION = Pattern.compile("\\$labels\\.(\\w+)");

	private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w+)");

	private static final Pattern QUERY = Pattern.compile("label_values\\((.*), (\\w+)\\)");

	/** A page of the site, and a heading. */
	private static final Pattern RUNBOOK = Pattern
		.compile("https://example\\.com/reflector/docs/([\\w-]+)\\.html#([\\w-]+)");

	private static Scrape scrape = new Scrape(List.of());

	@BeforeAll
	static void scrape(@TempDir Path directory) throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.start();
				MirrorApplication application = MirrorApplication.on(server,
						"spring.main.web-application-type=reactive", "server.port=0",
						"management.prometheus.metrics.export.enabled=true",
						"management.endpoints.web.exposure.include=prometheus",
						"reflector.resources.disabled.api-version=example.com/v1",
						"reflector.resources.disabled.kind=Widget", "reflector.resources.disabled.enabled=false",
						"reflector.snapshot.enabled=true",
						"reflector.snapshot.jdbc.file=" + directory.resolve("mirror.db"),
						"reflector.snapshot.accept-loss=true", "reflector.sharding.enabled=true",
						"reflector.sharding.assignment=dynamic", "reflector.sharding.slots=2",
						"reflector.sharding.leases.namespace=apps", "reflector.sharding.leases.group=shop",
						"reflector.sharding.leases.identity=one", "reflector.leader-election.enabled=true",
						"reflector.leader-election.name=shop", "reflector.leader-election.namespace=apps",
						"reflector.publish.kafka.topics.widgets=widgets", UnrelatedAutoConfigurations.INCLUDED,
						// there is none, and nothing to publish
						"spring.kafka.bootstrap-servers=127.0.0.1:1", "reflector.publish.kafka.start-timeout=1ms")) {
			await().until(application.reflector::hasSynced);
			String port = application.context.getEnvironment().getProperty("local.server.port");
			HttpResponse<String> answer = HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/prometheus")).build(),
						HttpResponse.BodyHandlers.ofString());
			assertThat(answer.statusCode()).isEqualTo(200);
			scrape = Scrape.parse(answer.body());
		}
	}

	@Test
	void panelsAskForWhatApplicationsHave() throws IOException {
		JsonNode dashboard = dashboard();
		Set<String> variables = elements(dashboard.at("/templating/list")).stream()
			.map((variable) -> variable.path("name").asString())
			.collect(Collectors.toSet());
		assertThat(variables).contains("datasource", "job", "instance", "reflector");
		for (JsonNode panel : panels(dashboard)) {
			for (JsonNode target : elements(panel.path("targets"))) {
				String expression = target.path("expr").asString();
				assertThat(names(VARIABLE, expression.replace("$__rate_interval", ""))).as(expression)
					.isSubsetOf(variables);
				assertThat(target.at("/datasource/uid").asString()).isEqualTo("${datasource}");
				assertKnown(expression, names(IN_LEGEND, target.path("legendFormat").asString()));
			}
		}
		for (JsonNode variable : elements(dashboard.at("/templating/list"))) {
			if (variable.path("type").asString().equals("query")) {
				String query = variable.at("/query/query").asString();
				assertThat(query).matches(QUERY);
				assertKnown(QUERY.matcher(query).replaceAll("$1"), Set.of(QUERY.matcher(query).replaceAll("$2")));
			}
		}
	}

	@Test
	void panelsAreQuestionsThatHaveAnAnswer() throws IOException {
		JsonNode dashboard = dashboard();
		assertThat(elements(dashboard.path("panels"))).extracting((panel) -> panel.path("id").asInt())
			.doesNotHaveDuplicates();
		assertThat(panels(dashboard)).hasSizeGreaterThan(30).allSatisfy((panel) -> {
			assertThat(panel.path("title").asString()).endsWith("?");
			assertThat(panel.path("description").asString()).isNotBlank();
			assertThat(elements(panel.path("targets"))).isNotEmpty()
				.extracting((target) -> target.path("refId").asString())
				.doesNotHaveDuplicates();
		}).extracting((panel) -> panel.path("title").asString()).doesNotHaveDuplicates();
	}

	@Test
	void alertsAskForWhatApplicationsHave() throws IOException {
		for (Map<String, ?> alert : alerts()) {
			assertKnown((String) alert.get("expr"), names(IN_ANNOTATION, alert.get("annotations").toString()));
		}
	}

	@Test
	void alertsSayWhatTheyMeanAndWhereThatIsExplained() throws IOException {
		List<Map<String, ?>> alerts = alerts();
		assertThat(alerts).hasSizeGreaterThan(10).extracting((alert) -> alert.get("alert")).doesNotHaveDuplicates();
		for (Map<String, ?> alert : alerts) {
			assertThat(alert).extractingByKey("annotations").satisfies((annotations) -> {
				Map<?, ?> texts = (Map<?, ?>) annotations;
				assertThat(texts.keySet().toString()).isEqualTo("[summary, description, runbook_url]");
				Matcher page = RUNBOOK.matcher(texts.get("runbook_url").toString());
				assertThat(page.matches()).isTrue();
				assertThat(headings(DOCS.resolve(page.group(1) + ".md"))).as(page.group(1)).contains(page.group(2));
			});
		}
	}

	@Test
	void noAlertIsAboutAReflectorThatIsDisabled() {
		assertThat(scrape.value("reflector_synced", "disabled")).isZero();
		assertThat(scrape.value("reflector_errors_total", "disabled")).isZero();
		assertThat(scrape.value("reflector_received_bytes_total", "disabled")).isZero();
		assertThat(scrape.value("reflector_received_bytes_total", "widgets")).isPositive();
	}

	@Test
	void theGuideNamesTheFiles() throws IOException {
		assertThat(Files.readString(DOCS.resolve("operations.md"))).contains("(" + DOCS.relativize(DASHBOARD) + ")",
				"(" + DOCS.relativize(RULES) + ")");
	}

	private static void assertKnown(String expression, Set<String> shown) {
		PromQl query = PromQl.parse(expression);
		assertThat(query.selectors()).as(expression).isNotEmpty();
		for (PromQl.Selector selector : query.selectors()) {
			assertThat(scrape.of(selector.metric())).as(selector.metric()).isNotEmpty();
			Set<String> known = known(selector);
			assertThat(selector.labels().keySet()).as(expression).isSubsetOf(known);
			assertThat(query.kept()).as(expression).isSubsetOf(known);
			assertThat(query.dropped()).as(expression).isSubsetOf(known);
			selector.labels().forEach((label, values) -> {
				if (values.stream().noneMatch((value) -> value.startsWith("$"))) {
					assertThat(scrape.of(selector.metric())).as(expression)
						.extracting((sample) -> sample.labels().get(label))
						.containsAll(values);
				}
			});
		}
		Set<String> left = query.kept().isEmpty() ? known(query.selectors().get(0)) : new HashSet<>(query.kept());
		left.removeAll(query.dropped());
		assertThat(shown).as("what is shown of " + expression).isSubsetOf(left);
	}

	private static Set<String> known(PromQl.Selector selector) {
		Set<String> known = new HashSet<>(scrape.labels(selector.metric()));
		known.addAll(TARGET_LABELS);
		return known;
	}

	private static Set<String> names(Pattern pattern, String text) {
		return pattern.matcher(text).results().map((name) -> name.group(1)).collect(Collectors.toSet());
	}

	private static JsonNode dashboard() throws IOException {
		return JsonMapper.shared().readTree(Files.readString(DASHBOARD));
	}

	private static List<JsonNode> panels(JsonNode dashboard) {
		return elements(dashboard.path("panels")).stream()
			.filter((panel) -> !panel.path("type").asString().equals("row"))
			.toList();
	}

	private static List<JsonNode> elements(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false).toList();
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, ?>> alerts() throws IOException {
		Map<String, List<Map<String, ?>>> rules = new Yaml().load(Files.readString(RULES));
		List<Map<String, ?>> alerts = new ArrayList<>();
		rules.get("groups").forEach((group) -> alerts.addAll((List<Map<String, ?>>) group.get("rules")));
		return alerts;
	}

	/** Returns the headings of a page as links name them. */
	private static List<String> headings(Path page) throws IOException {
		return Files.readString(page)
			.lines()
			.filter((line) -> line.startsWith("#"))
			.map((line) -> line.replaceAll("^#+ ", "").toLowerCase(Locale.ROOT))
			.map((heading) -> heading.replaceAll("[^\\w -]", "").replace(' ', '-'))
			.toList();
	}

}
