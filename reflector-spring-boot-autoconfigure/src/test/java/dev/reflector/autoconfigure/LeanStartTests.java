package dev.reflector.autoconfigure;

import java.util.List;

import dev.reflector.autoconfigure.widgets.Widget;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that mirrors nothing does not wait for what only reflectors need.
 */
class LeanStartTests {

	private static final List<String> ON_DEMAND = List.of("reflectorConnectionDetails", "reflectorApiServerConnection",
			"reflectorDecodeScheduler", "reflectorTaskExecutor", "reflectorTimeSource", "reflectorFactory",
			"reflectedResourceTypes", "reflectorRbacManifest");

	private final ApplicationContextRunner nothing = ReflectorContextRunners.withTypesIn("dev.reflector.nothing.here");

	@Test
	void nothingIsMadeForNothing() {
		this.nothing.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(ON_DEMAND).allMatch(context::containsBean);
			assertThat(made(context)).doesNotContainAnyElementsOf(ON_DEMAND).doesNotContain(propertiesName(context));
		});
	}

	@Test
	void nothingIsMadeWhenItStopsEither() {
		this.nothing.run((context) -> {
			context.getBean(ReflectorLifecycle.class).stop();
			context.getBean(ReflectorStartupRunner.class).run(null);
			assertThat(made(context)).doesNotContainAnyElementsOf(ON_DEMAND);
		});
	}

	@Test
	void aReflectorHasEverythingMade() {
		ReflectorContextRunners.withTypesNextTo(Widget.class)
			.run((context) -> assertThat(made(context)).contains("widgetReflector", "reflectorFactory",
					"reflectorApiServerConnection", "reflectorConnectionDetails", "reflectorTaskExecutor",
					"reflectorTimeSource", propertiesName(context)));
	}

	@Test
	void wrongSettingsFailTheStartAllTheSame() {
		this.nothing.withPropertyValues("reflector.backoff.initial=soon")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasRootCauseInstanceOf(IllegalArgumentException.class)
				.satisfies((failure) -> assertThat(failure).hasStackTraceContaining("reflector.backoff.initial")
					.hasStackTraceContaining(ConfigurationPropertiesBindException.class.getName())));
	}

	@Test
	void worksWithoutJacksonOfSpringBoot() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ReflectorAutoConfiguration.class))
			.withUserConfiguration(Widgets.class)
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.jackson"))
			.withPropertyValues("reflector.api-server.url=http://localhost:1", "reflector.startup.wait-for-sync=false")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasBean("widgetReflector");
				assertThat(context.getBean(ApiServerConnection.class).client()).isPresent();
			});
	}

	private static List<String> made(AssertableApplicationContext context) {
		ConfigurableListableBeanFactory beanFactory = context.getSourceApplicationContext().getBeanFactory();
		return List.of(beanFactory.getSingletonNames());
	}

	private static String propertiesName(AssertableApplicationContext context) {
		return context.getBeanNamesForType(ReflectorProperties.class)[0];
	}

	@Configuration(proxyBeanMethods = false)
	@ReflectedResourceScan(basePackageClasses = Widget.class)
	static class Widgets {

	}

}
