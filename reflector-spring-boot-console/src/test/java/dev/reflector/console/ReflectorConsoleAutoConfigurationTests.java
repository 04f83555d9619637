package dev.reflector.console;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When the console is there.
 */
class ReflectorConsoleAutoConfigurationTests {

	private static final AutoConfigurations CONSOLE = AutoConfigurations.of(ReflectorConsoleAutoConfiguration.class);

	private static final String ON = "reflector.console.enabled=true";

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner().withConfiguration(CONSOLE);

	@Test
	void isOffByDefault() {
		this.servlet.run((context) -> assertThat(context).doesNotHaveBean(ConsoleController.class)
			.doesNotHaveBean(ConsoleInstrumentation.class));
	}

	@Test
	void isThereInBothKindsOfWebApplications() {
		this.servlet.withPropertyValues(ON)
			.run((context) -> assertThat(context).hasSingleBean(ConsoleController.class));
		new ReactiveWebApplicationContextRunner().withConfiguration(CONSOLE)
			.withPropertyValues(ON)
			.run((context) -> assertThat(context).hasSingleBean(ConsoleController.class));
	}

	@Test
	void isNotThereWithoutAWebApplication() {
		new ApplicationContextRunner().withConfiguration(CONSOLE)
			.withPropertyValues(ON)
			.run((context) -> assertThat(context).doesNotHaveBean(Console.class));
	}

	@Test
	void isNotThereWithoutReflectors() {
		this.servlet.withPropertyValues(ON, "reflector.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(Console.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "reflectors", "/reflectors/", "", "/a//b", "/a b", "/{x}", "/a/*" })
	void aPathThatMakesNoSenseIsToldSo(String path) {
		this.servlet.withPropertyValues(ON, "reflector.console.path=" + path)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("'reflector.console.path' must begin with a slash"));
	}

}
