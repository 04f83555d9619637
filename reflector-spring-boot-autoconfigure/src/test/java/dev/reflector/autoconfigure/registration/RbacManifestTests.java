package dev.reflector.autoconfigure.registration;

import java.util.List;
import java.util.Map;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.ReflectorLeaderElectionAutoConfiguration;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.elsewhere.Gateway;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.fixture.FakeReflector;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
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

	@ParameterizedTest
	@CsvSource({ "system:serviceaccount:shop:reader, --serviceaccount=shop:reader # named by the server",
			"jane@example.com, --user=jane@example.com # named by the server",
			"system:node:n1, --user=system:node:n1 # named by the server",
			"system:serviceaccount:shop:reader:more, --serviceaccount=NAMESPACE:NAME",
			"system:serviceaccount:Shop:reader, --serviceaccount=NAMESPACE:NAME",
			"system:serviceaccount::, --serviceaccount=NAMESPACE:NAME", "-f, --serviceaccount=NAMESPACE:NAME",
			"'a;reboot', --serviceaccount=NAMESPACE:NAME", "$(reboot), --serviceaccount=NAMESPACE:NAME",
			"'a b', --serviceaccount=NAMESPACE:NAME", "'', --serviceaccount=NAMESPACE:NAME" })
	void theUserIsMarkedAndOnlyTakenWhenItIsOne(String user, String subject) {
		this.runner
			.run((context) -> assertThat(context.getBean(RbacManifest.class).yaml(user).lines().findFirst()).hasValue(
					"# bind it with: kubectl create clusterrolebinding my-shop-reflectors --clusterrole=my-shop-reflectors "
							+ subject));
	}

	@Test
	void whatTheServerHasNamedIsMarked() {
		this.runner.withBean(RenamedGateways.class, RenamedGateways::new).run((context) -> {
			assertThat(context.getBean("gatewayReflector")).isInstanceOf(FakeReflector.class);
			assertThat(context.getBean(RbacManifest.class).yaml()).endsWith("""
					rules:
					- apiGroups: [""]
					  resources: ["secrets"] # named by the server
					  verbs: ["list", "watch"]
					- apiGroups: ["example.com"]
					  resources: ["widgets"]
					  verbs: ["list", "watch"]
					""");
			ResourceType written = ResourceType.of("v1", "Gateway", null);
			assertThat(context.getBean(RbacManifest.class).withWrites(List.of(written), List.of(), false).yaml())
				.contains("resources: [\"secrets\"] # named by the server\n  verbs: [\"patch\", \"create\"]");
		});
	}

	@ParameterizedTest
	@CsvSource({ "'', my-shop", "other, other" })
	void theLeaseOfALeaderElectionIsNamed(String property, String name) {
		this.runner
			.withPropertyValues("reflector.leader-election.enabled=true", "reflector.leader-election.namespace=apps",
					"reflector.leader-election.name=" + property, "spring.application.name=my-shop",
					"reflector.api-server.url=http://127.0.0.1:1")
			.withConfiguration(AutoConfigurations.of(ReflectorLeaderElectionAutoConfiguration.class))
			.run((context) -> assertThat(context.getBean(RbacManifest.class).yaml()).endsWith("""
					  name: "my-shop-reflectors-leader-election"
					  namespace: "apps"
					rules:
					- apiGroups: ["coordination.k8s.io"]
					  resources: ["leases"]
					  verbs: ["create"]
					- apiGroups: ["coordination.k8s.io"]
					  resources: ["leases"]
					  resourceNames: ["%s"]
					  verbs: ["get", "update"]
					""".formatted(name)));
	}

	@Test
	void durableMirrorsMayReadWhatIdentifiesTheCluster() {
		ApplicationContextRunner durable = this.runner.withPropertyValues("reflector.snapshot.enabled=true",
				"reflector.events.on-error=stop", "reflector.resources.widgets.namespaces=a");
		durable.withPropertyValues("reflector.resources.gateways.namespaces=a")
			.run((context) -> assertThat(context.getBean(RbacManifest.class).yaml()).contains("""
					kind: ClusterRole
					metadata:
					  name: "my-shop-reflectors"
					rules:
					- apiGroups: [""]
					  resources: ["namespaces"]
					  resourceNames: ["kube-system"]
					  verbs: ["get"]
					---
					"""));
		durable
			.withPropertyValues("reflector.resources.gateways.enabled=false",
					"reflector.resources.widgets.enabled=false")
			.run((context) -> assertThat(context.getBean(RbacManifest.class).yaml())
				.isEqualTo("# nothing is mirrored that needs permissions\n"));
	}

	/** As if the server had reported the plural of Secrets for Gateways. */
	static final class RenamedGateways implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (bean instanceof Reflector<?> reflector && reflector.name().equals("gateways"))
					? new FakeReflector<Object>("gateways",
							FakeReflector.status(ReflectorState.WATCHING, true, null, null)) {

						@Override
						public ResourceType resourceType() {
							return ResourceType.of("v1", "Gateway", "secrets");
						}

					} : bean;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnSource {

		@Bean
		ListerWatcher<Widget> widgets() {
			return new InMemoryListerWatcher<>(List.of());
		}

	}

}
