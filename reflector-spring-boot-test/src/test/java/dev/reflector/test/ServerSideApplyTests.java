package dev.reflector.test;

import dev.reflector.cache.source.ApiException;
import dev.reflector.test.fixture.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.reflector.test.assertj.ApiServerAssertions.assertThatObject;
import static dev.reflector.test.assertj.ApiServerAssertions.assertThatServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of what the test kit adds to server-side apply. That the server applies as a real
 * one is what {@code WriteComparisonTests} compare.
 */
class ServerSideApplyTests {

	private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Widget", "widgets", true)
		.start();

	private final TestClient client = new TestClient(this.server);

	private final ResourceCollection widgets = this.server.resources("widgets");

	@AfterEach
	void stop() {
		this.server.close();
	}

	private TestClient.Answer apply(String manager, String spec) {
		return this.client.send("PATCH", WIDGETS + "/a?fieldManager=" + manager, "application/apply-patch+yaml",
				"{apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: " + spec + "}");
	}

	private JsonNode stored() {
		return this.widgets.get("default", "a").orElseThrow();
	}

	@Test
	void whatATestWroteBelongsToBeforeFirstApply() {
		this.widgets.create("""
				{"metadata": {"name": "a"}, "spec": {"size": 1}}""");
		assertThat(stored().at("/metadata/managedFields").isMissingNode()).isTrue();
		assertThat(apply("app", "{size: 2}").status()).isEqualTo(409);
		assertThat(apply("app", "{color: red}").status()).isEqualTo(200);
		assertThatObject(stored()).isManagedBy("before-first-apply", "spec.size").isManagedBy("app", "spec.color");
		this.widgets.mergePatch("default", "a", """
				{"spec": {"color": "blue"}}""");
		assertThatObject(stored()).isNotManagedBy("app", "spec.color").isManagedBy("test", "spec.color");
	}

	@Test
	void managedFieldsOfATestThatAreNoRecordAreKept() {
		this.widgets.create("""
				{"metadata": {"name": "a", "managedFields": [
				  {"manager": "kubectl", "operation": "Update", "fieldsV1": {"f:spec": {}}}]}, "spec": {"size": 1}}""");
		JsonNode written = stored().at("/metadata/managedFields");
		this.widgets.mergePatch("default", "a", """
				{"spec": {"size": 2}}""");
		assertThat(stored().at("/metadata/managedFields")).hasSize(1).isEqualTo(written);
		assertThat(apply("app", "{color: red}").status()).isEqualTo(200);
		assertThatObject(stored()).isManagedBy("before-first-apply", "spec.size").isManagedBy("app", "spec.color");
	}

	@Test
	void aTestWritesAsAManager() {
		this.widgets.managedBy("kubectl-edit").create("""
				{"metadata": {"name": "a"}, "spec": {"size": 1}}""");
		assertThatObject(stored()).managersOf("spec.size").containsExactly("kubectl-edit");
		ResourceCollection other = this.widgets.managedBy("other");
		String applied = """
				{"metadata": {"name": "a"}, "spec": {"size": 2, "color": "red"}}""";
		assertThatExceptionOfType(ApiException.class).isThrownBy(() -> other.serverSideApply(applied, false))
			.withMessageContaining("conflict with \"kubectl-edit\" using example.com/v1: .spec.size");
		other.serverSideApply(applied, true);
		assertThatObject(stored()).fieldsOf("other").containsExactly("spec.color", "spec.size");
		other.serverSideApply("""
				{"metadata": {"name": "a"}, "spec": {"size": 2}}""", false);
		assertThat(stored().path("spec").has("color")).isFalse();
	}

	@Test
	void withoutASchemaListsAreAtomic() {
		assertThat(apply("one", "{tags: [a]}").status()).isEqualTo(201);
		assertThat(apply("two", "{tags: [a, b]}").at("/details/causes/0/field")).isEqualTo(".spec.tags");
		assertThat(ManagedFields.of(stored()).managersOf("spec.tags")).containsExactly("one");
	}

	@Test
	void requestsKnowTheirManagerAndBody() {
		apply("app", "{size: 1}");
		this.client.get(WIDGETS + "/a");
		assertThat(this.server.requests(RecordedRequest::isWrite)).singleElement().satisfies((request) -> {
			assertThat(request.method()).isEqualTo("PATCH");
			assertThat(request.manager()).isEqualTo("app");
			assertThat(request.body()).contains("{size: 1}");
		});
		assertThat(this.server.requests((request) -> !request.isWrite())).singleElement()
			.satisfies((request) -> assertThat(request.manager()).isNull());
		assertThatServer(this.server).writesNothing(() -> this.client.get(WIDGETS));
		this.server.clearRequests();
		assertThatServer(this.server).hasNoWrites();
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThatServer(this.server).writesNothing(() -> apply("app", "{size: 2}")))
			.withMessageContaining("PATCH " + WIDGETS + "/a");
	}

	@Test
	void aWriteThatIsNotKeptIsAWrite() {
		Runnable action = () -> {
			apply("app", "{size: 1}");
			this.server.clearRequests();
		};
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThatServer(this.server).writesNothing(action))
			.withMessageContaining("Expected no writes but there were 1");
	}

	@Test
	void theExampleOfTheGuide() {
		new Ownership().check(this.server, () -> {
			JsonNode first = this.widgets.get("default", "first").orElseThrow();
			if (ManagedFields.of(first).managersOf("spec.size").isEmpty()) {
				this.client.send("PATCH", WIDGETS + "/first?fieldManager=app", "application/apply-patch+yaml",
						"{apiVersion: example.com/v1, kind: Widget, metadata: {name: first}, spec: {size: 1}}");
			}
		});
	}

	private static final class Ownership {

		void check(EmbeddedApiServer server, Runnable application) {
			ResourceCollection widgets = server.resources("widgets");
			widgets.managedBy("kubectl").serverSideApply("""
					{"metadata": {"name": "first"}, "spec": {"color": "red"}}
					""", false);
			application.run();
			assertThatObject(widgets.get("default", "first").orElseThrow()).isManagedBy("app", "spec.size")
				.isNotManagedBy("app", "spec.color")
				.fieldsOf("kubectl")
				.containsExactly("spec.color");
			assertThat(server.requests(RecordedRequest::isWrite)).extracting(RecordedRequest::manager)
				.containsOnly("app");
			assertThatServer(server).writesNothing(application);
		}

	}

}
