package dev.reflector.test.internal.discovery;

import java.util.List;

import dev.reflector.cache.source.ApiException;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.fixture.TestClient;
import dev.reflector.test.internal.format.Negotiation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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
	void servesGroupsAndVersions() {
		assertThat(this.client.get("/api").at("/versions/0")).isEqualTo("v1");
		JsonNode groups = this.client.get("/apis").json().path("groups");
		assertThat(groups).hasSize(1);
		assertThat(groups.at("/0/versions")).hasSize(2);
		assertThat(groups.at("/0/preferredVersion/groupVersion").asString()).isEqualTo("example.com/v1");
		assertThat(this.client.get("/apis/example.com").at("/kind")).isEqualTo("APIGroup");
	}

	@Test
	void servesTypes() {
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

	private TestClient.Answer aggregated(String path, String accept) {
		return this.client.send(this.client.request(path).header("Accept", accept).build());
	}

	@Test
	void servesAggregatedDiscoveryOnRequest() {
		String accept = Negotiation.AGGREGATED_DISCOVERY + ","
				+ Negotiation.AGGREGATED_DISCOVERY.replace("v2", "v2beta1") + ",application/json";
		TestClient.Answer answer = aggregated("/apis", accept);
		assertThat(answer.header("Content-Type")).isEqualTo(Negotiation.AGGREGATED_DISCOVERY);
		JsonNode item = answer.json().at("/items/0");
		assertThat(answer.json().path("items")).hasSize(1);
		assertThat(item.at("/metadata/name").asString()).isEqualTo("example.com");
		assertThat(item.at("/versions/0/resources/0").toString())
			.isEqualTo("{\"resource\":\"widgets\",\"responseKind\":{\"group\":\"example.com\",\"version\":\"v1\","
					+ "\"kind\":\"Widget\"},\"scope\":\"Namespaced\",\"singularResource\":\"widget\",\"verbs\":"
					+ "[\"delete\",\"deletecollection\",\"get\",\"list\",\"patch\",\"create\",\"update\",\"watch\"],"
					+ "\"shortNames\":[\"wd\"],\"subresources\":[{\"subresource\":\"status\",\"responseKind\":"
					+ "{\"group\":\"example.com\",\"version\":\"v1\",\"kind\":\"Widget\"},"
					+ "\"verbs\":[\"get\",\"patch\",\"update\"]}]}");
		assertThat(item.at("/versions/1/resources/0/scope").asString()).isEqualTo("Cluster");
		assertThat(aggregated("/api", accept).at("/items/0/versions/0/resources/0/resource")).isEqualTo("configmaps");
	}

	@Test
	void servesTheListOfGroupsToAllOtherRequests() {
		for (String accept : List.of("*/*", "application/json", "application/json," + Negotiation.AGGREGATED_DISCOVERY,
				Negotiation.AGGREGATED_DISCOVERY.replace("v2", "v2beta1") + ",application/json", "application/xml,"
						+ Negotiation.AGGREGATED_DISCOVERY.replace("apidiscovery", "other") + ",application/json")) {
			assertThat(aggregated("/apis", accept).at("/kind")).as(accept).isEqualTo("APIGroupList");
		}
		assertThat(aggregated("/apis/example.com/v1", Negotiation.AGGREGATED_DISCOVERY).at("/kind"))
			.isEqualTo("APIResourceList");
		try (EmbeddedApiServer older = EmbeddedApiServer.builder().aggregatedDiscovery(false).start()) {
			TestClient client = new TestClient(older);
			assertThat(client.send(client.request("/apis").header("Accept", Negotiation.AGGREGATED_DISCOVERY).build())
				.at("/kind")).isEqualTo("APIGroupList");
		}
	}

	@Test
	void typesComeAndGo() {
		String gadgets = "/apis/other.com/v1/gadgets";
		assertThat(this.client.get(gadgets).status()).isEqualTo(404);
		this.server.addType("other.com/v1", "Gadget", "gadgets", true, "gd").create("{\"metadata\":{\"name\":\"a\"}}");
		String before = this.server.resourceVersion();
		assertThat(this.client.get(gadgets).at("/items/0/metadata/name")).isEqualTo("a");
		assertThat(this.client.get("/apis/other.com/v1").at("/resources/0/shortNames/0")).isEqualTo("gd");
		assertThat(this.client.get("/openapi/v3/apis/other.com/v1").status()).isEqualTo(200);
		try (TestClient.Stream watch = this.client.watch(gadgets + "?resourceVersion=" + before)) {
			this.server.removeType("other.com/v1", "gadgets");
			assertThat(watch.next().path("type").asString()).isEqualTo("DELETED");
			assertThat(watch.nextOrEnd()).isNull();
		}
		for (String path : List.of(gadgets, gadgets + "?watch=true", "/apis/other.com/v1", "/apis/other.com")) {
			TestClient.Answer answer = this.client.get(path);
			assertThat(answer.status()).as(path).isEqualTo(404);
			assertThat(answer.header("Content-Type")).as(path).startsWith("text/plain");
			assertThat(answer.text()).isEqualTo("404 page not found\n");
		}
		assertThat(this.server.addType("other.com/v1", "Gadget", "gadgets", true, "gd").list()).isEmpty();
		assertThat(this.client.get(gadgets + "?watch=true&resourceVersion=" + before).text()).contains("\"code\":410");
	}

	@Test
	void aTypeThatComesBackIsAnotherOneForWatchesAndTheSameForItsHandle() {
		ResourceCollection handle = this.server.resources("widgets");
		handle.create("{\"metadata\":{\"name\":\"a\"}}");
		String widgets = "/apis/example.com/v1/widgets";
		try (TestClient.Stream watch = this.client
			.watch(widgets + "?resourceVersion=" + this.server.resourceVersion())) {
			this.server.removeType("example.com/v1", "widgets");
			this.server.addType("example.com/v1", "Widget", "widgets", true, "wd");
			assertThat(watch.next().path("type").asString()).isEqualTo("DELETED");
			assertThat(watch.nextOrEnd()).isNull();
		}
		try (TestClient.Stream watch = this.client
			.watch(widgets + "?resourceVersion=" + this.server.resourceVersion())) {
			handle.create("{\"metadata\":{\"name\":\"b\"}}");
			assertThat(watch.next().path("type").asString()).isEqualTo("ADDED");
		}
	}

	@Test
	void aRemovedTypeCannotBeWrittenAndComesBackWithAReset() {
		ResourceCollection widgets = this.server.resources("widgets");
		this.server.removeType("example.com/v1", "widgets");
		this.server.addType("other.com/v1", "Gadget", "gadgets", true);
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> widgets.create("{\"metadata\":{\"name\":\"a\"}}"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.server.resources("widgets"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.server.removeType("example.com/v1", "widgets"));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.server.addType("other.com/v1", "Gadget", "gadgets", true));
		this.server.reset();
		this.server.resources("widgets").create("{\"metadata\":{\"name\":\"a\"}}");
		assertThat(this.client.get("/apis/other.com/v1/gadgets").status()).isEqualTo(404);
		this.server.restore(this.server.backup());
		assertThat(this.server.resources("widgets").list()).hasSize(1);
	}

	@Test
	void unknownGroupsAreNotFound() {
		for (String path : List.of("/apis/other.com", "/apis/other.com/v1", "/apis/example.com/v3", "/api/v2")) {
			assertThat(this.client.get(path).status()).as(path).isEqualTo(404);
		}
	}

	@Test
	void servesHealthAndVersion() {
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

	/** As a server does, whatever a CRD says of metadata. */
	@Test
	void describesTheMetadataOfATypeWithADefinition() {
		try (EmbeddedApiServer defined = EmbeddedApiServer.builder()
			.definition(
					"""
							{"spec": {"group": "example.com", "scope": "Namespaced", "names": {"kind": "Widget", "plural": "widgets"},
							 "versions": [{"name": "v1", "served": true, "schema": {"openAPIV3Schema": {"type": "object",
							  "properties": {"metadata": {"type": "object"}, "spec": {"type": "object"}}}}}]}}""")
			.start()) {
			JsonNode schemas = new TestClient(defined).get("/openapi/v3/apis/example.com/v1")
				.json()
				.at("/components/schemas");
			String reference = schemas.at("/example.com.v1.Widget/properties/metadata/allOf/0/$ref").asString();
			JsonNode metadata = schemas.path(reference.substring(reference.lastIndexOf('/') + 1));
			assertThat(metadata.at("/properties/uid/type").asString()).isEqualTo("string");
			assertThat(metadata.at("/properties/creationTimestamp/format").asString()).isEqualTo("date-time");
		}
	}

	@Test
	void typesAreRegisteredOnce() {
		EmbeddedApiServer.Builder builder = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> builder.type("example.com/v1", "Widget", "widgets", true));
	}

}
