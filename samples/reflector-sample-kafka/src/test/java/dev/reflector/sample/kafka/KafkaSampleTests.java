package dev.reflector.sample.kafka;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import dev.reflector.test.ResourceCollection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the walk-through of the guide: an application that only reads the topic sees the
 * changes in the cluster.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaSampleTests {

	private final HttpClient http = HttpClient.newHttpClient();

	private final int port = freePort();

	@BeforeAll
	static void bePatient() {
		Awaitility.setDefaultTimeout(Duration.ofSeconds(120));
	}

	@AfterAll
	static void reset() {
		Awaitility.reset();
	}

	/**
	 * A free port of those that no program is given for "any free port": it is still free
	 * when the application takes it.
	 */
	private static int freePort() {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
			try (ServerSocket socket = new ServerSocket(port)) {
				return socket.getLocalPort();
			}
			catch (BindException ex) {
				// another one
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	@Test
	void theMirrorShowsWhatThePublisherHasPublished() throws Exception {
		try (KafkaSample sample = new KafkaSample(0)) {
			Process publisher = sample.publisher();
			Process mirror = sample.mirror("--server.port=" + this.port);
			ResourceCollection widgets = sample.cluster().resources("widgets");
			create(widgets, "a", 1);
			create(widgets, "b", 2);
			await().untilAsserted(
					() -> assertThat(shown()).contains("\"name\":\"a\"", "\"name\":\"b\"", "\"spec\":{\"size\":2}"));
			widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 20)));
			widgets.delete("default", "a");
			await().untilAsserted(
					() -> assertThat(shown()).contains("\"spec\":{\"size\":20}").doesNotContain("\"name\":\"a\""));
			assertThat(publisher.isAlive()).isTrue();
			assertThat(mirror.isAlive()).isTrue();
		}
	}

	private static void create(ResourceCollection widgets, String name, int size) {
		widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", size, "colour", "red")));
	}

	private String shown() throws InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + "/widgets")).build();
		try {
			return this.http.send(request, HttpResponse.BodyHandlers.ofString()).body();
		}
		catch (IOException ex) {
			return "not there yet";
		}
	}

}
