package dev.reflector.autoconfigure;

import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.widgets.Widget;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorsSanitizingAutoConfiguration}.
 */
class ReflectorsSanitizingAutoConfigurationTests {

	private final ApplicationContextRunner runner = ReflectorContextRunners.withTypesNextTo(Widget.class)
		.withConfiguration(AutoConfigurations.of(ReflectorsSanitizingAutoConfiguration.class));

	@Test
	@Covers(in = ReflectorsSanitizingAutoConfiguration.class, holds = true)
	void hidesTheTokenAndNothingElse() {
		this.runner.run((context) -> {
			SanitizingFunction function = context.getBean(SanitizingFunction.class);
			for (String key : new String[] { "reflector.api-server.token", "reflector.apiServer.token",
					"REFLECTOR_APISERVER_TOKEN" }) {
				assertThat(value(function, key)).as(key).isEqualTo(SanitizableData.SANITIZED_VALUE);
			}
			assertThat(value(function, "reflector.api-server.token-file")).isEqualTo("value");
			assertThat(value(function, "reflector.api-server.url")).isEqualTo("value");
		});
	}

	private static Object value(SanitizingFunction function, String key) {
		return function.applyUnlessFiltered(new SanitizableData(null, key, "value")).getValue();
	}

	@Test
	@Covers(in = ReflectorsSanitizingAutoConfiguration.class, condition = "ConditionalOnClass SanitizingFunction",
			holds = false)
	void backsOffWithoutActuator() {
		this.runner.withClassLoader(new FilteredClassLoader(SanitizingFunction.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SanitizingFunction.class));
	}

}
