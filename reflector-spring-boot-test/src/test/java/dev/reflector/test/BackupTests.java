package dev.reflector.test;

import java.util.Map;

import dev.reflector.test.fixture.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackupTests {

	private static final String ALL = "/apis/example.com/v1/widgets";

	private EmbeddedApiServer server;

	private ResourceCollection widgets;

	@BeforeEach
	void start() {
		this.server = EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
		this.widgets = this.server.resources("widgets");
		create("a");
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	private JsonNode create(String name) {
		return this.widgets.create(Map.of("metadata", Map.of("name", name)));
	}

	@Test
	void versionsGoBackwards() {
		JsonNode before = this.widgets.get("default", "a").orElseThrow();
		Backup backup = this.server.backup();
		assertThat(backup.resourceVersion()).isEqualTo("2");
		create("b");
		this.widgets.delete("default", "a");
		TestClient client = new TestClient(this.server);
		try (TestClient.Stream watch = client.watch(ALL + "?resourceVersion=4")) {
			this.server.restore(backup);
			assertThat(watch.lineOrEnd()).isNull();
		}
		assertThat(this.widgets.list()).containsExactly(before);
		assertThat(client.get(ALL).resourceVersion()).isEqualTo("2");
		// W-12: a list from the future fails, a watch waits
		assertThat(client.get(ALL + "?resourceVersion=4").status()).isEqualTo(504);
		try (TestClient.Stream watch = client.watch(ALL + "?resourceVersion=4")) {
			create("c");
			create("d");
			create("e");
			assertThat(watch.event()).isEqualTo("ADDED e@5");
		}
		try (TestClient.Stream watch = client.watch(ALL + "?resourceVersion=1")) {
			assertThat(watch.next().at("/object/code").asInt()).isEqualTo(410);
		}
	}

	@Test
	void anotherServerTakesTheBackup() {
		try (EmbeddedApiServer other = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			other.restore(this.server.backup());
			assertThat(other.resources("widgets").list()).isEqualTo(this.widgets.list());
			create("b");
			try (LoadBalancer balancer = LoadBalancer.over(this.server, other)) {
				assertThat(TestClient.read(balancer.url() + ALL).names()).containsExactly("a", "b");
				assertThat(TestClient.read(balancer.url() + ALL).names()).containsExactly("a");
				assertThat(TestClient.read(balancer.url() + ALL).names()).containsExactly("a", "b");
			}
		}
	}

	@Test
	void aServerWithOtherTypesDoesNot() {
		try (EmbeddedApiServer other = EmbeddedApiServer.builder().type("v1", "Pod", "pods", true).build()) {
			assertThatIllegalArgumentException().isThrownBy(() -> other.restore(this.server.backup()));
		}
	}

}
