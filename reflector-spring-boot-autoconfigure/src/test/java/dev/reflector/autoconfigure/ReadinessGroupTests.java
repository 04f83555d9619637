package dev.reflector.autoconfigure;

import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.empty.Nothing;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.cache.source.ListerWatcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static java.util.Collections.emptyList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the readiness group in the guide, which may contain the reflectors.
 */
class ReadinessGroupTests {

	private final ApplicationContextRunner runner = withGroup(ReflectorContextRunners.withTypesNextTo(Widget.class));

	private static ApplicationContextRunner withGroup(ApplicationContextRunner runner) {
		return runner
			.withConfiguration(AutoConfigurations.of(ApplicationAvailabilityAutoConfiguration.class,
					AvailabilityHealthContributorAutoConfiguration.class, AvailabilityProbesAutoConfiguration.class,
					HealthContributorAutoConfiguration.class, HealthContributorRegistryAutoConfiguration.class,
					HealthEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoint.health.probes.enabled=true",
					"management.endpoint.health.group.readiness.include=readinessState,reflectors");
	}

	@Test
	void reflectorsDecideOnReadiness() {
		this.runner.withUserConfiguration(Source.class).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(ReflectorLifecycle.class).stop();
			assertThat(readiness(context)).isEqualTo(Status.OUT_OF_SERVICE);
			context.getBean(ReflectorLifecycle.class).start();
			await().until(() -> readiness(context).equals(Status.UP));
		});
	}

	@Test
	void anApplicationThatMirrorsNothingIsReady() {
		withGroup(ReflectorContextRunners.withTypesNextTo(Nothing.class)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(readiness(context)).isEqualTo(Status.UP);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "reflector.enabled=false", "management.health.reflectors.enabled=false" })
	void whereHealthIsSwitchedOffTheGroupIsNotToBeValidated(String off) {
		this.runner.withPropertyValues(off)
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("reflectors"));
		this.runner.withPropertyValues(off, "management.endpoint.health.validate-group-membership=false")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(readiness(context)).isEqualTo(Status.UP);
			});
	}

	private static Status readiness(ApplicationContext context) {
		AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
		return context.getBean(HealthEndpoint.class).healthForPath("readiness").getStatus();
	}

	@Configuration(proxyBeanMethods = false)
	static class Source {

		@Bean
		ListerWatcher<Widget> source() {
			return new InMemoryListerWatcher<>(emptyList());
		}

	}

}
