package com.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.autoconfigure.registration.RbacManifest;
import dev.reflector.autoconfigure.ReflectorProperties;
import dev.reflector.test.context.ReflectorTest;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the manifest of the page with the requests of the application. The context is
 * that of the test on the page. {@link StartWalkTests} tests the answers to probes.
 */
@ReflectorTest
@Import(Rollouts.class)
class StartManifestTests {

	private final Map<String, Map<String, Object>> documents = new LinkedHashMap<>();

	StartManifestTests() throws IOException {
		for (Object document : new Yaml().loadAll(Files.readString(Path.of("demo.yaml")))) {
			Map<String, Object> map = map(document);
			this.documents.put(map.get("kind").toString(), map);
		}
	}

	@Test
	void itAllowsWhatTheApplicationNeedsAndNoMore(@Autowired RbacManifest needed) {
		Map<String, Object> role = this.documents.get("ClusterRole");
		Map<String, Object> printed = map(new Yaml().load(needed.yaml()));
		assertThat(role).isEqualTo(printed);
	}

	@Test
	void theRoleIsBoundToTheAccountOfThePods() {
		String account = map(this.documents.get("ServiceAccount").get("metadata")).get("name").toString();
		Map<String, Object> binding = this.documents.get("ClusterRoleBinding");
		assertThat(map(binding.get("roleRef"))).containsEntry("kind", "ClusterRole")
			.containsEntry("name", map(this.documents.get("ClusterRole").get("metadata")).get("name"));
		assertThat(list(binding.get("subjects")))
			.containsExactly(Map.of("kind", "ServiceAccount", "name", account, "namespace", namespaceOf("Deployment")));
		assertThat(namespaceOf("ServiceAccount")).isEqualTo(namespaceOf("Deployment"));
		assertThat(pod()).containsEntry("serviceAccountName", account);
	}

	@Test
	void theSelectorFindsThePods() {
		Map<String, Object> spec = map(this.documents.get("Deployment").get("spec"));
		assertThat(map(spec.get("selector")).get("matchLabels"))
			.isEqualTo(map(map(spec.get("template")).get("metadata")).get("labels"));
	}

	@Test
	void theProbesAskThePortOfTheApplication() {
		for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
			assertThat(map(map(container().get(probe)).get("httpGet"))).as(probe).containsEntry("port", "http");
		}
		assertThat(list(container().get("ports"))).containsExactly(Map.of("name", "http", "containerPort", 8080));
	}

	@Test
	void theGracePeriodIsLongerThanAShutdown(@Autowired ReflectorProperties reflectors) {
		Duration requests = new LifecycleProperties().getTimeoutPerShutdownPhase();
		Duration delivery = reflectors.events().drainTimeout();
		assertThat(Duration.ofSeconds((Integer) pod().get("terminationGracePeriodSeconds")))
			.isGreaterThan(requests.plus(delivery).plusSeconds(2));
	}

	@Test
	void theImageIsTheOneThatTheBuildMakes() throws IOException {
		assertThat(container()).containsEntry("image", "demo:1.0");
		assertThat(StartPage.read().files().get("pom.xml"))
			.contains("<artifactId>demo</artifactId>\n\t<version>1.0</version>");
	}

	/**
	 * The rules of the Pod Security Standard "restricted", and a root that is read only.
	 */
	@Test
	void aNamespaceWithRestrictedPodsTakesIt() {
		assertThat(map(pod().get("securityContext"))).containsEntry("runAsNonRoot", true)
			.containsEntry("seccompProfile", Map.of("type", "RuntimeDefault"));
		assertThat(map(container().get("securityContext"))).containsEntry("allowPrivilegeEscalation", false)
			.containsEntry("capabilities", Map.of("drop", List.of("ALL")))
			.containsEntry("readOnlyRootFilesystem", true);
		assertThat(list(pod().get("volumes"))).containsExactly(Map.of("name", "tmp", "emptyDir", Map.of()));
		assertThat(list(container().get("volumeMounts"))).containsExactly(Map.of("name", "tmp", "mountPath", "/tmp"));
	}

	private Map<String, Object> pod() {
		return map(map(map(this.documents.get("Deployment").get("spec")).get("template")).get("spec"));
	}

	private Map<String, Object> container() {
		List<Object> containers = list(pod().get("containers"));
		assertThat(containers).hasSize(1);
		return map(containers.get(0));
	}

	private Object namespaceOf(String kind) {
		return map(this.documents.get(kind).get("metadata")).get("namespace");
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(Object value) {
		assertThat(value).isInstanceOf(Map.class);
		return (Map<String, Object>) value;
	}

	@SuppressWarnings("unchecked")
	private static List<Object> list(Object value) {
		assertThat(value).isInstanceOf(List.class);
		return (List<Object>) value;
	}

}
