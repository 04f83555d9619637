package dev.reflector.autoconfigure;

import dev.reflector.autoconfigure.empty.Nothing;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.widgets.Widget;
import dev.reflector.leaderelection.LeaderElector;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorLeaderElectionAutoConfiguration}.
 */
class ReflectorLeaderElectionAutoConfigurationTests {

	private final ApplicationContextRunner runner = ReflectorContextRunners
		.withActuator(ReflectorContextRunners.withTypesNextTo(Widget.class));

	@Test
	@Covers(in = ReflectorLeaderElectionAutoConfiguration.class,
			condition = "ConditionalOnBooleanProperty reflector.leader-election.enabled", holds = false)
	void byDefaultNoLeaderIsElected() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaderElector.class));
	}

	@Test
	@Covers(in = ReflectorLeaderElectionAutoConfiguration.class, holds = true)
	@Covers(in = ReflectorLeaderElectionAutoConfiguration.class, condition = "ConditionalOnMissingBean LeaderElector",
			holds = false)
	void aChildTakesPartInTheElectionOfItsParent() {
		ApplicationContextRunner electing = ReflectorContextRunners
			.withActuator(ReflectorContextRunners.withTypesNextTo(Nothing.class))
			.withPropertyValues("reflector.leader-election.enabled=true", "reflector.leader-election.name=shop",
					"reflector.leader-election.namespace=apps", "reflector.leader-election.events=leader",
					"reflector.api-server.url=http://127.0.0.1:1");
		electing.run((parent) -> {
			assertThat(parent).hasNotFailed().hasSingleBean(LeaderElector.class).hasBean("reflectorLeaderDelivery");
			electing.withParent(parent).run((child) -> {
				assertThat(child).hasNotFailed();
				assertThat(child.getBeanFactory().getBeanDefinitionNames()).doesNotContain("reflectorLeaderElector",
						"reflectorLeaderDelivery");
			});
		});
	}

	@Test
	@Covers(in = ReflectorLeaderElectionAutoConfiguration.class,
			condition = "ConditionalOnProperty reflector.leader-election.events", holds = false)
	void byDefaultAllReplicasDeliver() {
		ReflectorContextRunners.withActuator(ReflectorContextRunners.withTypesNextTo(Nothing.class))
			.withPropertyValues("reflector.leader-election.enabled=true", "reflector.leader-election.name=shop",
					"reflector.leader-election.namespace=apps", "reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> assertThat(context).hasSingleBean(LeaderElector.class)
				.doesNotHaveBean("reflectorLeaderDelivery"));
	}

}
