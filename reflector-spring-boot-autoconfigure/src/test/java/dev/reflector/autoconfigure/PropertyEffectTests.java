package dev.reflector.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.fixture.LongForm;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each property of the generated metadata has an effect: an application with the default
 * value differs from one in which {@link PropertyEffects} sets another value. The short
 * form tries some of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PropertyEffectTests {

	/**
	 * A server that cannot be reached, and a plural, so that it need not be asked for it.
	 */
	private final ApplicationContextRunner runner = ReflectorContextRunners.withTypesNextTo(Widget.class)
		.withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class))
		.withUserConfiguration(BuiltApplication.Recorders.class, BuiltApplication.UnreadableType.class)
		.withPropertyValues("reflector.api-server.url=https://127.0.0.1:1",
				"reflector.resources.widgets.plural=widgets", "management.endpoints.web.exposure.include=*");

	private Map<String, PropertyEffects.Effect> effects;

	private final Map<PropertyEffects.Effect, Object> byDefault = new HashMap<>();

	@BeforeAll
	void observeDefaults(@TempDir Path folder) throws IOException {
		Path kubeconfig = Files.writeString(folder.resolve("config"), """
				apiVersion: v1
				kind: Config
				current-context: one
				clusters:
				- {name: one, cluster: {server: "http://127.0.0.1:11"}}
				- {name: two, cluster: {server: "http://127.0.0.1:12"}}
				- {name: three, cluster: {server: "https://127.0.0.1:13"}}
				contexts:
				- {name: one, context: {cluster: one}}
				- {name: two, context: {cluster: two}}
				- {name: plugin, context: {cluster: three, user: plugin}}
				users:
				- {name: plugin, user: {exec: {command: sh, apiVersion: client.authentication.k8s.io/v1}}}
				""");
		Path token = Files.writeString(folder.resolve("token"), "of-a-file");
		this.effects = PropertyEffects.all(kubeconfig, token);
		// observed once for all rows with the same settings
		keys().map(this.effects::get)
			.filter(Objects::nonNull)
			.collect(Collectors.groupingBy(PropertyEffects.Effect::given))
			.forEach((given, effects) -> run(given, (application) -> effects
				.forEach((effect) -> this.byDefault.put(effect, effect.observation().of(application)))));
	}

	@Test
	void eachPropertyHasARow() throws IOException {
		assertThat(this.effects).as("a row of PropertyEffects for each property")
			.containsKeys(properties().toArray(String[]::new));
	}

	@ParameterizedTest
	@MethodSource("keys")
	void anotherValueMakesADifference(String key) {
		assertThat(this.effects).containsKey(key);
		PropertyEffects.Effect effect = this.effects.get(key);
		List<String> properties = new ArrayList<>(effect.given());
		properties.add(effect.setting());
		run(properties,
				(application) -> assertThat(effect.observation().of(application))
					.as("what '%s' changes", effect.setting())
					.isNotEqualTo(this.byDefault.get(effect)));
	}

	/** All in the long form. */
	static Stream<String> keys() throws IOException {
		return LongForm.some(properties());
	}

	private static Stream<String> properties() throws IOException {
		List<String> keys = ReflectorMetadataTests.properties()
			.stream()
			.map((property) -> property.path("name").asString())
			.toList();
		assertThat(keys).hasSizeGreaterThan(50);
		return keys.stream();
	}

	private void run(List<String> properties, Consumer<BuiltApplication> observer) {
		this.runner.withPropertyValues(StringUtils.toStringArray(properties))
			.run((context) -> observer.accept(new BuiltApplication(context)));
	}

}
