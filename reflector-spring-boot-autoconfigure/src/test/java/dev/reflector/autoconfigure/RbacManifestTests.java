package dev.reflector.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.reflector.autoconfigure.elsewhere.Gateway;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.widgets.Widget;
import dev.reflector.cache.source.ListerWatcher;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RbacManifest}.
 */
class RbacManifestTests {

	private final ApplicationContextRunner runner = ReflectorContextRunners
		.withTypesIn(Widget.class.getPackageName(), Gateway.class.getPackageName())
		.withPropertyValues("spring.application.name=My Shop!");

	@Test
	void typesInAllNamespacesAreInOneClusterRole() {
		this.runner.run((context) -> assertThat(context.getBean(RbacManifest.class).yaml()).isEqualTo("""
				# bind it with: kubectl create clusterrolebinding my-shop-reflectors \
				--clusterrole=my-shop-reflectors --serviceaccount=NAMESPACE:NAME
				apiVersion: rbac.authorization.k8s.io/v1
				kind: ClusterRole
				metadata:
				  name: "my-shop-reflectors"
				rules:
				- apiGroups: [""]
				  resources: ["gateways"]
				  verbs: ["list", "watch"]
				- apiGroups: ["example.com"]
				  resources: ["widgets"]
				  verbs: ["list", "watch"]
				"""));
	}

	@Test
	void typesInNamespacesAreInRoles() {
		this.runner
			.withPropertyValues("reflector.resources.widgets.namespaces=a,b",
					"reflector.resources.gateways.namespaces=b", "reflector.resources.gateways.api-version=v1",
					"reflector.resources.gateways.plural=gatewayz")
			.run((context) -> {
				String yaml = context.getBean(RbacManifest.class).yaml();
				assertThat(new Yaml().loadAll(yaml)).asInstanceOf(InstanceOfAssertFactories.iterable(Map.class))
					.extracting((role) -> role.get("kind") + " " + role.get("metadata") + " " + role.get("rules"))
					.containsExactly(
							"Role {name=my-shop-reflectors, namespace=a} [{apiGroups=[example.com], "
									+ "resources=[widgets], verbs=[list, watch]}]",
							"Role {name=my-shop-reflectors, namespace=b} [{apiGroups=[], resources=[gatewayz], "
									+ "verbs=[list, watch]}, {apiGroups=[example.com], resources=[widgets], "
									+ "verbs=[list, watch]}]");
				assertThat(yaml).contains("kubectl create rolebinding my-shop-reflectors --namespace=a "
						+ "--role=my-shop-reflectors --serviceaccount=");
			});
	}

	@Test
	void whatIsDisabledOrReadElsewhereNeedsNothing() {
		this.runner.withUserConfiguration(OwnSource.class)
			.withPropertyValues("reflector.resources.gateways.enabled=false")
			.run((context) -> assertThat(context.getBean(RbacManifest.class).yaml())
				.isEqualTo("# nothing is mirrored that needs permissions\n"));
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnSource {

		@Bean
		ListerWatcher<Widget> widgets() {
			return new InMemoryListerWatcher<>(List.of());
		}

	}

}
