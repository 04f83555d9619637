package dev.reflector.autoconfigure;

import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.empty.Nothing;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorsHealthContributorAutoConfiguration}.
 */
class ReflectorsHealthContributorAutoConfigurationTests {

	private final ApplicationContextRunner runner = ReflectorContextRunners
		.withActuator(ReflectorContextRunners.withTypesNextTo(Widget.class));

	/** The contributor exists even without types, since health groups may name it. */
	@Test
	@Covers(in = ReflectorsHealthContributorAutoConfiguration.class, holds = true)
	void healthIsThere() {
		ReflectorContextRunners.withTypesNextTo(Nothing.class)
			.run((context) -> assertThat(
					context.getBean("reflectorsHealthContributor", CompositeHealthContributor.class).stream())
				.isEmpty());
		this.runner.run(
				(context) -> assertThat(context.getBean("reflectorsHealthContributor", CompositeHealthContributor.class)
					.getContributor("widgets")).isNotNull());
	}

	@Test
	@Covers(in = ReflectorsHealthContributorAutoConfiguration.class, condition = "ConditionalOnClass HealthContributor",
			holds = false)
	void withoutHealth() {
		this.runner.withClassLoader(new FilteredClassLoader(HealthContributor.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsHealthContributor"));
	}

	@Test
	@Covers(in = ReflectorsHealthContributorAutoConfiguration.class,
			condition = "ConditionalOnClass ConditionalOnEnabledHealthIndicator", holds = false)
	void withoutAutoConfigurationOfHealth() {
		this.runner.withClassLoader(new FilteredClassLoader(ConditionalOnEnabledHealthIndicator.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsHealthContributor"));
	}

	@Test
	@Covers(in = ReflectorsHealthContributorAutoConfiguration.class,
			condition = "ConditionalOnEnabledHealthIndicator reflectors", holds = false)
	void healthThatIsSwitchedOff() {
		this.runner.withPropertyValues("management.health.reflectors.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsHealthContributor"));
	}

	@Test
	@Covers(in = ReflectorsHealthContributorAutoConfiguration.class,
			condition = "ConditionalOnMissingBean reflectorsHealthIndicator, reflectorsHealthContributor",
			holds = false)
	void ownHealth() {
		this.runner.withBean("reflectorsHealthIndicator", HealthIndicator.class, () -> Health.up()::build)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsHealthContributor"));
	}

}
