package dev.reflector.integration;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.client.credentials.Route;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A real API server with widgets. The requests of this class are not under test and use
 * HTTP/1.1, which has no GOAWAY.
 */
final class RealServer {

	static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

	private final ApiServer server;

	private final HttpClient http;

	RealServer(String kubeconfig) {
		this.server = Kubeconfig.load(Path.of(kubeconfig), null);
		HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
		if (this.server.ssl().bundle() != null) {
			builder.sslContext(this.server.ssl().bundle().createSslContext());
		}
		this.http = builder.build();
	}

	/** Returns the same server behind a relay on this machine. */
	ApiServer behind(Relay relay) {
		String name = this.server.url().getHost();
		boolean address = name.startsWith("[") || name.matches("[0-9.]+");
		return new ApiServer(URI.create(this.server.url().getScheme() + "://127.0.0.1:" + relay.port()),
				this.server.ssl(), this.server.token(), this.server.impersonation(),
				new Route(null, address ? null : name), this.server.origin());
	}

	URI url() {
		return this.server.url();
	}

	HttpResponse<String> send(String method, String path, String body) throws Exception {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.server.url() + path))
			.method(method, HttpRequest.BodyPublishers.ofString(body))
			.header("Content-Type", method.equals("PATCH") ? "application/merge-patch+json" : "application/json");
		String token = this.server.token().token();
		if (token != null) {
			request.header("Authorization", "Bearer " + token);
		}
		return this.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	static String widget(String name, int size) {
		return """
				{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"%s"},"spec":{"size":%d}}"""
			.formatted(name, size);
	}

	/** Waits until the mirror and the sum of the events equal the server. */
	void awaitEqual(MirrorApplication application) {
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

}
