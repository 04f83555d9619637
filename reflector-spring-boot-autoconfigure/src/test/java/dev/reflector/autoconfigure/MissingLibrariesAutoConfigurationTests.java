package dev.reflector.autoconfigure;

import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MissingLibrariesAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingLibrariesAutoConfigurationTests {

	@Test
	@Covers(in = MissingLibrariesAutoConfiguration.class, holds = true)
	@Covers(in = ReflectorAutoConfiguration.class, condition = "ConditionalOnClass JsonMapper", holds = false)
	void aMissingLibraryIsNamed(CapturedOutput output) {
		ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
				AutoConfigurations.of(ReflectorAutoConfiguration.class, MissingLibrariesAutoConfiguration.class));
		for (Class<?> type : new Class<?>[] { WebClient.class, JsonMapper.class }) {
			runner.withClassLoader(new FilteredClassLoader(type))
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ReflectorLifecycle.class));
		}
		assertThat(output)
			.containsOnlyOnce("because these libraries are missing: " + "[org.springframework:spring-webflux].")
			.containsOnlyOnce("because these libraries are missing: [tools.jackson.core:jackson-databind].");
		runner.run((context) -> assertThat(context).doesNotHaveBean("missingReflectorLibraries"));
	}

	@Test
	@Covers(in = MissingLibrariesAutoConfiguration.class, condition = "ConditionalOnBooleanProperty reflector.enabled",
			holds = false)
	void switchedOffNoLibraryIsMissed() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(MissingLibrariesAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(JsonMapper.class))
			.withPropertyValues("reflector.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("missingReflectorLibraries"));
	}

}
