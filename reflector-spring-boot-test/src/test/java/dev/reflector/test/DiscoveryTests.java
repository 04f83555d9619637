package dev.reflector.test;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DiscoveryTests {

	private EmbeddedApiServer server;

	private TestClient client;

	@BeforeEach
	void start() {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true, "wd")
			.type("example.com/v2", "Gadget", "gadgets", false)
			.type("v1", "ConfigMap", "configmaps", true)
			.start();
		this.client = new TestClient(this.server);
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void tellsGroupsAndVersions() {
		assertThat(this.client.get("/api").at("/versions/0")).isEqualTo("v1");
		JsonNode groups = this.client.get("/apis").json().path("groups");
		assertThat(groups).hasSize(1);
		assertThat(groups.at("/0/versions")).hasSize(2);
		assertThat(groups.at("/0/preferredVersion/groupVersion").asString()).isEqualTo("example.com/v1");
		assertThat(this.client.get("/apis/example.com").at("/kind")).isEqualTo("APIGroup");
	}

	@Test
	void tellsTypes() {
		JsonNode widgets = this.client.get("/apis/example.com/v1").json().at("/resources/0");
		assertThat(widgets.path("name").asString()).isEqualTo("widgets");
		assertThat(widgets.path("singularName").asString()).isEqualTo("widget");
		assertThat(widgets.path("namespaced").asBoolean()).isTrue();
		assertThat(widgets.path("kind").asString()).isEqualTo("Widget");
		assertThat(widgets.path("verbs").valueStream().map(JsonNode::asString)).contains("list", "watch");
		assertThat(widgets.at("/shortNames/0").asString()).isEqualTo("wd");
		assertThat(this.client.get("/apis/example.com/v2").at("/resources/0/namespaced")).isEqualTo("false");
		assertThat(this.client.get("/api/v1").at("/resources/0/kind")).isEqualTo("ConfigMap");
	}

	@Test
	void unknownGroupsAreNotFound() {
		for (String path : List.of("/apis/other.com", "/apis/other.com/v1", "/apis/example.com/v3", "/api/v2")) {
			assertThat(this.client.get(path).status()).as(path).isEqualTo(404);
		}
	}

	@Test
	void tellsHealthAndVersion() {
		for (String path : List.of("/livez", "/readyz", "/healthz")) {
			assertThat(this.client.get(path).text()).isEqualTo("ok");
		}
		assertThat(this.client.get("/version").at("/major")).isEqualTo("1");
	}

	@Test
	void describesTypesInOpenApi() {
		String url = this.client.get("/openapi/v3")
			.json()
			.at("/paths/apis~1example.com~1v1/serverRelativeURL")
			.asString();
		JsonNode schema = this.client.get(url).json().at("/components/schemas/example.com.v1.Widget");
		assertThat(schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()).isTrue();
		assertThat(schema.at("/x-kubernetes-group-version-kind/0/kind").asString()).isEqualTo("Widget");
		assertThat(this.client.get("/openapi/v2").at("/swagger")).isEqualTo("2.0");
		assertThat(this.client.get("/openapi/v3/apis/other.com/v1").status()).isEqualTo(404);
	}

	@Test
	void typesAreRegisteredOnce() {
		EmbeddedApiServer.Builder builder = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> builder.type("example.com/v1", "Widget", "widgets", true));
	}

}
