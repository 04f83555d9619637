package dev.reflector.integration;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.client.ApiServer;
import dev.reflector.client.Kubeconfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The same against a real API server that serves {@code widgets.example.com/v1}. Creates
 * and deletes widgets in the namespace {@code default}.
 */
@EnabledIfSystemProperty(named = "reflector.it.kubeconfig", matches = ".+",
		disabledReason = "no real API server: name one with -Dreflector.it.kubeconfig=<file>")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RealServerIntegrationTests {

	private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

	private static final int OBJECTS = 200;

	private final String kubeconfig = System.getProperty("reflector.it.kubeconfig");

	private final String prefix = "it-" + Long.toHexString(System.nanoTime()) + "-";

	private ApiServer server;

	private HttpClient http;

	@BeforeEach
	void connect() {
		this.server = Kubeconfig.load(Path.of(this.kubeconfig), null);
		HttpClient.Builder builder = HttpClient.newBuilder();
		if (this.server.sslBundle() != null) {
			builder.sslContext(this.server.sslBundle().createSslContext());
		}
		this.http = builder.build();
	}

	@AfterEach
	void cleanUp() throws Exception {
		for (int i = 0; i < OBJECTS; i++) {
			send("DELETE", WIDGETS + "/" + this.prefix + i, "");
		}
	}

	@ParameterizedTest
	@CsvSource({ "auto,arrival", "list,per-key" })
	void theMirrorEqualsTheServer(String initialList, String ordering) throws Exception {
		for (int i = 0; i < OBJECTS / 2; i++) {
			create(i);
		}
		try (MirrorApplication application = MirrorApplication.start(
				"reflector.api-server.kubeconfig=" + this.kubeconfig, "reflector.watch.initial-list=" + initialList,
				"reflector.list.page-size=20", "reflector.queue.ordering=" + ordering)) {
			awaitEqual(application);
			for (int i = OBJECTS / 2; i < OBJECTS; i++) {
				create(i);
				patch(i - OBJECTS / 2, "{\"spec\":{\"size\":" + (1000 + i) + "}}");
				if (i % 3 == 0) {
					send("DELETE", WIDGETS + "/" + this.prefix + (i - OBJECTS / 4), "");
				}
			}
			awaitEqual(application);
			application.reflector.pause();
			for (int i = 0; i < OBJECTS; i += 7) {
				patch(i, "{\"metadata\":{\"labels\":{\"touched\":\"yes\"}}}");
			}
			application.reflector.resume();
			awaitEqual(application);
			application.reflector.relist();
			awaitEqual(application);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	private void awaitEqual(MirrorApplication application) {
		await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
			Map<String, String> expected = listed();
			assertThat(application.mirror()).isEqualTo(expected);
			assertThat(application.heard.folded()).isEqualTo(expected);
		});
	}

	private Map<String, String> listed() throws Exception {
		JsonNode list = JsonMapper.shared().readTree(send("GET", "/apis/example.com/v1/widgets", "").body());
		Map<String, String> listed = new TreeMap<>();
		list.path("items")
			.forEach((item) -> listed.put(
					item.at("/metadata/namespace").asString() + "/" + item.at("/metadata/name").asString(),
					item.at("/metadata/resourceVersion").asString()));
		return listed;
	}

	private void create(int number) throws Exception {
		assertThat(send("POST", WIDGETS, """
				{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"%s"},"spec":{"size":%d}}"""
			.formatted(this.prefix + number, number)).statusCode()).isEqualTo(201);
	}

	private void patch(int number, String patch) throws Exception {
		assertThat(send("PATCH", WIDGETS + "/" + this.prefix + number, patch).statusCode()).isIn(200, 404);
	}

	private HttpResponse<String> send(String method, String path, String body) throws Exception {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.server.url() + path))
			.method(method, HttpRequest.BodyPublishers.ofString(body))
			.header("Content-Type", method.equals("PATCH") ? "application/merge-patch+json" : "application/json");
		String token = this.server.token().token();
		if (token != null) {
			request.header("Authorization", "Bearer " + token);
		}
		return this.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

}
