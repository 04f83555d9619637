package dev.reflector.test;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.reflector.test.assertj.ApiServerAssertions.assertThatObject;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how the server applies objects of built-in types.
 */
class BuiltInApplyTests {

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("apps/v1", "Deployment", "deployments", true)
		.type("v1", "ConfigMap", "configmaps", true)
		.type("v1", "Service", "services", true)
		.build();

	@AfterEach
	void close() {
		this.server.close();
	}

	private JsonNode apply(String plural, String manager, String object) {
		return this.server.resources(plural).managedBy(manager).serverSideApply(object, false);
	}

	@Test
	void containersAreKnownByName() {
		apply("deployments", "app", """
				{"metadata": {"name": "web"}, "spec": {"replicas": 2, "template": {"spec": {"containers": [
				{"name": "web", "image": "web:1", "args": ["-v"], "ports": [{"containerPort": 80}]}]}}}}""");
		JsonNode both = apply("deployments", "mesh", """
				{"metadata": {"name": "web"}, "spec": {"template": {"spec": {"containers": [
				{"name": "web", "ports": [{"containerPort": 80, "protocol": "TCP", "name": "http"}]},
				{"name": "proxy", "image": "proxy:1"}]}}}}""");
		assertThat(both.at("/spec/template/spec/containers")).hasSize(2);
		assertThat(both.at("/spec/template/spec/containers/0/ports")).hasSize(1);
		assertThatObject(both).fieldsOf("app")
			.containsExactly("spec.replicas", "spec.template.spec.containers[name=\"web\"].args",
					"spec.template.spec.containers[name=\"web\"].image",
					"spec.template.spec.containers[name=\"web\"].name",
					"spec.template.spec.containers[name=\"web\"].ports[containerPort=80,protocol=\"TCP\"].containerPort");
		JsonNode without = apply("deployments", "mesh", """
				{"metadata": {"name": "web"}}""");
		assertThat(without.at("/spec/template/spec/containers")).hasSize(1);
		assertThat(without.at("/metadata/generation").asInt()).isEqualTo(3);
	}

	@Test
	void aTestOwnsTheStatusThatItWrites() {
		ResourceCollection deployments = this.server.resources("deployments");
		deployments.managedBy("kubectl").create("""
				{"metadata": {"name": "web"}, "spec": {"replicas": 2}, "status": {"replicas": 1}}""");
		JsonNode written = deployments.managedBy("controller").mergePatch("default", "web", """
				{"metadata": {"labels": {"x": "y"}}, "status": {"readyReplicas": 1}}""");
		assertThatObject(written).fieldsOf("kubectl").containsExactly("spec.replicas", "status.replicas");
		assertThatObject(written).fieldsOf("controller").containsExactly("metadata.labels.x", "status.readyReplicas");
		JsonNode taken = deployments.mergePatch("default", "web", """
				{"status": {"readyReplicas": 2}}""");
		assertThatObject(taken).managersOf("status.readyReplicas").containsExactly("test");
		assertThatObject(taken).fieldsOf("controller").containsExactly("metadata.labels.x");
	}

	@Test
	void anApplyOfTheObjectIgnoresItsStatus() {
		String applied = """
				{"metadata": {"name": "web"}, "spec": {"replicas": 2}, "status": {"replicas": 2}}""";
		assertThat(apply("deployments", "app", applied).has("status")).isFalse();
		this.server.resources("deployments").managedBy("controller").mergePatch("default", "web", """
				{"status": {"replicas": 1}}""");
		JsonNode again = apply("deployments", "app", applied);
		assertThat(again.at("/status/replicas").asInt()).isEqualTo(1);
		assertThatObject(again).managersOf("status.replicas").containsExactly("controller");
	}

	@Test
	void configMapsHaveNoGeneration() {
		JsonNode created = apply("configmaps", "app", """
				{"metadata": {"name": "settings"}, "data": {"a": "1"}}""");
		assertThat(created.path("metadata").has("generation")).isFalse();
		assertThat(apply("configmaps", "other", """
				{"metadata": {"name": "settings"}, "data": {"b": "2"}}""").path("data")).hasSize(2);
	}

	@Test
	void aSelectorIsWrittenAsAWhole() {
		JsonNode service = apply("services", "app", """
				{"metadata": {"name": "web"}, "spec": {"selector": {"app": "web"}, "ports": [{"port": 80}]}}""");
		assertThatObject(service).managersOf("spec.selector").containsExactly("app");
	}

}
