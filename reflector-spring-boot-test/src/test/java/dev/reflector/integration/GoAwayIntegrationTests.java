package dev.reflector.integration;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

import dev.reflector.ReflectorStatus;
import dev.reflector.client.ApiServer;
import dev.reflector.client.Kubeconfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * HTTP/2 under load against a real API server that serves {@code widgets.example.com/v1}
 * and gives up connections now and then ({@code --goaway-chance}). Creates, changes and
 * deletes widgets in the namespace {@code default} for as many minutes as
 * {@code -Dreflector.it.minutes} says. Nobody else may write widgets meanwhile, and the
 * server must not forget its history.
 */
@EnabledIfSystemProperty(named = "reflector.it.kubeconfig", matches = ".+",
		disabledReason = "no real API server: name one with -Dreflector.it.kubeconfig=<file>")
@EnabledIfSystemProperty(named = "reflector.it.minutes", matches = "\\d+",
		disabledReason = "it takes its time: say how long with -Dreflector.it.minutes=<number>")
class GoAwayIntegrationTests {

	private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

	private static final int OBJECTS = 100;

	private static final long PAUSE_NANOS = 10_000_000;

	private final String kubeconfig = System.getProperty("reflector.it.kubeconfig");

	private final String prefix = "goaway-" + Long.toHexString(System.nanoTime()) + "-";

	private final ApiServer server = Kubeconfig.load(Path.of(this.kubeconfig), null);

	private final HttpClient http = http();

	private HttpClient http() {
		HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
		if (this.server.sslBundle() != null) {
			builder.sslContext(this.server.sslBundle().createSslContext());
		}
		return builder.build();
	}

	@Test
	void nothingIsLostOrListedAgainWhileConnectionsAreGivenUp() throws Exception {
		Duration duration = Duration.ofMinutes(Long.getLong("reflector.it.minutes"));
		try (MirrorApplication application = MirrorApplication.start(
				"reflector.api-server.kubeconfig=" + this.kubeconfig, "reflector.api-server.http-version=http-2",
				"reflector.watch.initial-list=list", "reflector.watch.min-timeout=2s")) {
			awaitEqual(application);
			int changes = application.heard.events.size();
			long end = System.nanoTime() + duration.toNanos();
			int written = 0;
			for (int write = 0; System.nanoTime() < end; write++) {
				written += write(write) ? 1 : 0;
				// what is heard is kept to the end, and is to fit into memory
				LockSupport.parkNanos(PAUSE_NANOS);
			}
			awaitEqual(application);
			ReflectorStatus status = application.reflector.status();
			assertThat(status.counts().lists()).as("lists").isOne();
			assertThat(application.heard.mistakes).as("events twice or missing").isEmpty();
			assertThat(heard(application.heard.events, changes)).as("events for %d writes", written).isEqualTo(written);
			assertThat(status.counts().watches()).as("watches").isGreaterThan(duration.toSeconds() / 20);
		}
		finally {
			for (int i = 0; i < OBJECTS; i++) {
				send("DELETE", WIDGETS + "/" + this.prefix + i, "");
			}
		}
	}

	private static long heard(List<String> events, int from) {
		return events.subList(from, events.size())
			.stream()
			.filter((event) -> "+~-".indexOf(event.charAt(0)) >= 0)
			.count();
	}

	/** Whether it has changed something, so that there is to be an event. */
	private boolean write(int write) throws Exception {
		int number = (write * 31) % OBJECTS;
		String object = WIDGETS + "/" + this.prefix + number;
		HttpResponse<String> response = switch (write % 4) {
			case 0 -> send("POST", WIDGETS, """
					{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"%s"},"spec":{"size":1}}"""
				.formatted(this.prefix + number));
			case 3 -> send("DELETE", object, "");
			default -> send("PATCH", object, "{\"spec\":{\"size\":" + (write + 2) + "}}");
		};
		assertThat(response.statusCode()).isIn(200, 201, 404, 409);
		return response.statusCode() < 300;
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

	/** Writes are not the subject: they go by HTTP/1.1, which knows no GOAWAY. */
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
