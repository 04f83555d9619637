package dev.reflector.models;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.Lister;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.event.ResourceUpdatedEvent;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.context.ReflectorProbe;
import dev.reflector.test.context.ReflectorTest;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Model classes of fabric8's client and of the official Java client as types of mirrors,
 * registered as {@code docs/concepts.md} shows.
 */
@ReflectorTest
@Import({ ModelClassesTests.Fabric8Listener.class, ModelClassesTests.OfficialListener.class })
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ModelClassesTests {

	private static final String WEB = """
			{
			  "metadata": {"name": "web", "labels": {"app": "web"}, "managedFields": [
			    {"manager": "kubectl", "operation": "Update", "time": "2026-01-01T00:00:00Z", "fieldsV1": {"f:spec": {}}}]},
			  "spec": {
			    "replicas": 3,
			    "selector": {"matchLabels": {"app": "web"}},
			    "strategy": {"rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 1}},
			    "template": {
			      "metadata": {"labels": {"app": "web"}, "creationTimestamp": null},
			      "spec": {"hostIPC": true, "containers": [{
			        "name": "web", "image": "nginx",
			        "livenessProbe": {"httpGet": {"path": "/", "port": 8080}},
			        "resources": {"limits": {"cpu": "500m", "memory": "1Gi"}}}]}}},
			  "status": {"conditions": [{"type": "Available", "lastUpdateTime": "2026-01-01T00:00:00.123456Z"}]},
			  "unknownToAnyClient": {"a": [1, 2]}
			}
			""";

	private final ReflectorProbe probe;

	private final ResourceCollection deployments;

	ModelClassesTests(@Autowired ReflectorProbe probe, @Autowired EmbeddedApiServer server) {
		this.probe = probe;
		this.deployments = server.resources("deployments");
	}

	@Test
	void thoseOfFabric8(@Autowired Lister<Deployment> mirror, @Autowired Fabric8Listener listener) {
		writeAndScale();
		Deployment web = mirror.get("default", "web");
		assertThat(web.getMetadata().getLabels()).isEqualTo(Map.of("app", "web"));
		assertThat(web.getMetadata().getManagedFields()).hasSize(1);
		assertThat(web.getSpec().getReplicas()).isEqualTo(5);
		assertThat(web.getSpec().getStrategy().getRollingUpdate().getMaxSurge().getStrVal()).isEqualTo("25%");
		assertThat(web.getSpec().getStrategy().getRollingUpdate().getMaxUnavailable().getIntVal()).isEqualTo(1);
		assertThat(web.getSpec().getTemplate().getSpec().getHostIPC()).isTrue();
		Container container = web.getSpec().getTemplate().getSpec().getContainers().get(0);
		assertThat(container.getLivenessProbe().getHttpGet().getPort().getIntVal()).isEqualTo(8080);
		assertThat(container.getResources().getLimits().get("memory").getNumericalAmount())
			.isEqualByComparingTo("1073741824");
		assertThat(web.getStatus().getConditions().get(0).getLastUpdateTime()).startsWith("2026-01-01T00:00:00");
		assertThat(listener.from.get()).isEqualTo(3);
	}

	@Test
	void thoseOfTheOfficialClient(@Autowired Lister<V1Deployment> mirror, @Autowired OfficialListener listener) {
		writeAndScale();
		V1Deployment web = mirror.get("default", "web");
		assertThat(web.getMetadata().getLabels()).isEqualTo(Map.of("app", "web"));
		assertThat(web.getMetadata().getManagedFields()).hasSize(1);
		assertThat(web.getSpec().getReplicas()).isEqualTo(5);
		assertThat(web.getSpec().getStrategy().getRollingUpdate().getMaxSurge()).isEqualTo(new IntOrString("25%"));
		assertThat(web.getSpec().getStrategy().getRollingUpdate().getMaxUnavailable()).isEqualTo(new IntOrString(1));
		assertThat(web.getSpec().getTemplate().getSpec().getHostIPC()).isTrue();
		V1Container container = web.getSpec().getTemplate().getSpec().getContainers().get(0);
		assertThat(container.getLivenessProbe().getHttpGet().getPort()).isEqualTo(new IntOrString(8080));
		assertThat(container.getResources().getLimits().get("memory").getNumber()).isEqualByComparingTo("1073741824");
		assertThat(web.getStatus().getConditions().get(0).getLastUpdateTime()).isEqualTo("2026-01-01T00:00:00.123456Z");
		assertThat(listener.from.get()).isEqualTo(3);
	}

	private void writeAndScale() {
		this.deployments.create(WEB);
		this.probe.awaitCaughtUp();
		this.deployments.mergePatch("default", "web", Map.of("spec", Map.of("replicas", 5)));
		this.probe.awaitCaughtUp();
	}

	@SpringBootApplication(proxyBeanMethods = false)
	static class Application {

		@Bean
		static ReflectedResourceRegistration<Deployment> fabric8() {
			return ReflectedResourceRegistration.of(Deployment.class, "apps/v1").withName("fabric8");
		}

		@Bean
		static ReflectedResourceRegistration<V1Deployment> official() {
			return ReflectedResourceRegistration.of(V1Deployment.class, "apps/v1", "Deployment").withName("official");
		}

	}

	static class Fabric8Listener {

		private final AtomicInteger from = new AtomicInteger();

		@EventListener
		void on(ResourceUpdatedEvent<Deployment> event) {
			this.from.set(event.previous().getSpec().getReplicas());
		}

	}

	static class OfficialListener {

		private final AtomicInteger from = new AtomicInteger();

		@EventListener
		void on(ResourceUpdatedEvent<V1Deployment> event) {
			this.from.set(event.previous().getSpec().getReplicas());
		}

	}

}
