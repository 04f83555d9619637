package dev.reflector.autoconfigure;

import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.actuate.endpoint.ReflectorsInfoContributor;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.widgets.Widget;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorsInfoContributorAutoConfiguration}.
 */
class ReflectorsInfoContributorAutoConfigurationTests {

	private final ApplicationContextRunner runner = ReflectorContextRunners
		.withActuator(ReflectorContextRunners.withTypesNextTo(Widget.class));

	@Test
	@Covers(in = ReflectorsInfoContributorAutoConfiguration.class, holds = true)
	void infoIsThereWhenEnabled() {
		this.runner
			.withPropertyValues("management.info.reflectors.enabled=true",
					"reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> {
				Info.Builder info = new Info.Builder();
				context.getBean(ReflectorsInfoContributor.class).contribute(info);
				assertThat(info.build().getDetails()).containsEntry("reflectors",
						Map.of("count", 1L, "server", "http://127.0.0.1:1"));
			});
	}

	@Test
	void infoIsNotThereByDefault() {
		ReflectorContextRunners.withTypesNextTo(Widget.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(InfoContributor.class));
	}

	@Test
	@Covers(in = ReflectorsInfoContributorAutoConfiguration.class, condition = "ConditionalOnClass InfoContributor",
			holds = false)
	void withoutInfo() {
		this.runner.withClassLoader(new FilteredClassLoader(InfoContributor.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsInfoContributor"));
	}

	@Test
	@Covers(in = ReflectorsInfoContributorAutoConfiguration.class,
			condition = "ConditionalOnClass ConditionalOnEnabledInfoContributor", holds = false)
	void withoutAutoConfigurationOfInfo() {
		this.runner.withClassLoader(new FilteredClassLoader(ConditionalOnEnabledInfoContributor.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsInfoContributor"));
	}

	@Test
	@Covers(in = ReflectorsInfoContributorAutoConfiguration.class,
			condition = "ConditionalOnEnabledInfoContributor reflectors", holds = false)
	void infoThatIsNotSwitchedOn() {
		this.runner.withPropertyValues("management.info.reflectors.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsInfoContributor"));
	}

	@Test
	@Covers(in = ReflectorsInfoContributorAutoConfiguration.class,
			condition = "ConditionalOnMissingBean ReflectorsInfoContributor", holds = false)
	void ownInfo() {
		this.runner
			.withBean("own", ReflectorsInfoContributor.class,
					() -> new ReflectorsInfoContributor(Stream::empty, () -> null))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("own")
				.doesNotHaveBean("reflectorsInfoContributor"));
	}

}
