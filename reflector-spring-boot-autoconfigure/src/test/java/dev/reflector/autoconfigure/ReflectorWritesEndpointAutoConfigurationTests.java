package dev.reflector.autoconfigure;

import dev.reflector.actuate.write.ReflectorWritesEndpoint;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.fixture.writes.SiteSettings;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.write.WriteMode;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorWritesEndpointAutoConfiguration}.
 */
class ReflectorWritesEndpointAutoConfigurationTests {

	private final ApplicationContextRunner runner = ReflectorContextRunners
		.withActuator(ReflectorContextRunners.withTypesNextTo(SiteSettings.class));

	@Test
	@Covers(in = ReflectorWritesEndpointAutoConfiguration.class, holds = true)
	void endpointIsThereWhenExposed() {
		this.runner.withPropertyValues("reflector.writes.mode=dry-run")
			.run((context) -> assertThat(context.getBean(ReflectorWritesEndpoint.class).writes())
				.satisfies((writes) -> assertThat(writes.mode()).isEqualTo("dry-run")));
	}

	@Test
	@Covers(in = ReflectorWritesEndpointAutoConfiguration.class,
			condition = "ConditionalOnAvailableEndpoint ReflectorWritesEndpoint", holds = false)
	void endpointThatIsNotExposed() {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorWritesEndpoint"));
	}

	@Test
	@Covers(in = ReflectorWritesEndpointAutoConfiguration.class,
			condition = "ConditionalOnClass ConditionalOnAvailableEndpoint", holds = false)
	void withoutActuator() {
		this.runner.withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorWritesEndpoint"));
	}

	@Test
	@Covers(in = ReflectorWritesEndpointAutoConfiguration.class,
			condition = "ConditionalOnMissingBean ReflectorWritesEndpoint", holds = false)
	void ownEndpoint() {
		this.runner
			.withBean("own", ReflectorWritesEndpoint.class,
					() -> new ReflectorWritesEndpoint(WriteMode.ON, new SystemTimeSource()))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("own")
				.doesNotHaveBean("reflectorWritesEndpoint"));
	}

	@Test
	@Covers(in = ReflectorWritesEndpointAutoConfiguration.class, condition = "ConditionalOnWrites OnWritesCondition",
			holds = false)
	void withoutTypesToApply() {
		ReflectorContextRunners.withActuator(ReflectorContextRunners.withTypesNextTo(Widget.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorWritesEndpoint"));
	}

}
