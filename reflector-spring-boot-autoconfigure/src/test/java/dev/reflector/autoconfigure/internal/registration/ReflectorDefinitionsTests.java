package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;
import java.util.List;

import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.ReflectorProperties;
import dev.reflector.autoconfigure.fixture.elsewhere.Gateway;
import dev.reflector.autoconfigure.fixture.settings.Policy;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ReflectorDefinitions} and {@link ResourceType#englishPlural}.
 */
class ReflectorDefinitionsTests {

	private final MockEnvironment environment = new MockEnvironment();

	@ParameterizedTest
	@CsvSource({ "Widget,widgets", "NetworkPolicy,networkpolicies", "Ingress,ingresses", "Gateway,gateways",
			"EndpointSlice,endpointslices", "Endpoints,endpoints", "Index,indexes", "Batch,batches", "Bush,bushes",
			"Quiz,quizes", "Key,keys" })
	void nameIsTheEnglishPlural(String kind, String plural) {
		assertThat(ResourceType.englishPlural(kind)).isEqualTo(plural);
	}

	@Test
	void defaultsComeFromTheClass() {
		ReflectorDefinition<Widget> definition = definition(Widget.class);
		assertThat(definition).isEqualTo(
				new ReflectorDefinition<>(Widget.class, "widgets", ResourceType.of("example.com/v1", "Widget", null),
						List.of(), "", "", Duration.ZERO, definition.settings(), "widgets"));
		assertThat(definition.settings().enabled()).isTrue();
	}

	@Test
	void placeholdersAreResolved() {
		this.environment.withProperty("policy.group", "example.com")
			.withProperty("policy.namespaces", "a, b,,a")
			.withProperty("policy.resync", "10m");
		ReflectorDefinition<Policy> definition = definition(Policy.class);
		assertThat(definition.resourceType()).isEqualTo(ResourceType.of("example.com/v1", "Policy", null));
		assertThat(definition.namespaces()).containsExactly("a", "b", "extra");
		assertThat(definition.labelSelector()).isEqualTo("app=web");
		assertThat(definition.resyncPeriod()).isEqualTo(Duration.ofMinutes(10));
	}

	@Test
	void propertiesOverrideTheAnnotation() {
		this.environment.withProperty("reflector.resources.policies.api-version", "v2")
			.withProperty("reflector.resources.policies.kind", "Rule")
			.withProperty("reflector.resources.policies.plural", "rulez")
			.withProperty("reflector.resources.policies.namespaces", "x,y")
			.withProperty("reflector.resources.policies.label-selector", "")
			.withProperty("reflector.resources.policies.field-selector", "metadata.name=a")
			.withProperty("reflector.resources.policies.resync-period", "1h")
			.withProperty("reflector.resources.policies.snapshot-name", "rules")
			.withProperty("reflector.resources.policies.enabled", "false");
		ReflectorDefinition<Policy> definition = definition(Policy.class);
		assertThat(definition)
			.isEqualTo(new ReflectorDefinition<>(Policy.class, "policies", ResourceType.of("v2", "Rule", "rulez"),
					List.of("x", "y"), "", "metadata.name=a", Duration.ofHours(1), definition.settings(), "rules"));
		assertThat(definition.settings().enabled()).isFalse();
	}

	@Test
	void emptyKindAndVersionAreNotSet() {
		this.environment.withProperty("reflector.resources.widgets.kind", "")
			.withProperty("reflector.resources.widgets.api-version", "");
		assertThat(definition(Widget.class).resourceType())
			.isEqualTo(ResourceType.of("example.com/v1", "Widget", null));
	}

	@Test
	void keyNeedsNeitherDashesNorCase() {
		assertThat(ReflectorNaming.isSame("mywidgets", "my-Widgets")).isTrue();
		assertThat(ReflectorNaming.isSame("widgets", "gadgets")).isFalse();
	}

	@Test
	void namespaceOfTheServerIsForThoseThatNameNone() {
		this.environment.withProperty("reflector.api-server.namespace", "team")
			.withProperty("policy.group", "example.com");
		assertThat(definition(Widget.class).namespaces()).containsExactly("team");
		assertThat(definition(Policy.class).namespaces()).containsExactly("extra");
	}

	@Test
	void emptyNamespacesMeanAll() {
		this.environment.withProperty("reflector.api-server.namespace", "team")
			.withProperty("reflector.resources.widgets.namespaces", "");
		assertThat(definition(Widget.class).namespaces()).isEmpty();
	}

	@Test
	void resyncPeriodHasACommonDefault() {
		this.environment.withProperty("reflector.resync-period", "3m");
		assertThat(definition(Gateway.class).resyncPeriod()).isEqualTo(Duration.ofMinutes(3));
	}

	@Test
	void typeMustBeAnnotated() {
		assertThatExceptionOfType(ReflectorConfigurationException.class).isThrownBy(() -> definition(String.class))
			.withMessageContaining("java.lang.String");
	}

	private <T> ReflectorDefinition<T> definition(Class<T> type) {
		ReflectorProperties properties = Binder.get(this.environment)
			.bindOrCreate("reflector", ReflectorProperties.class);
		return new ReflectorDefinitions(properties.resources(), properties.resyncPeriod(),
				properties.apiServer().namespace(), this.environment)
			.annotated(type);
	}

}
