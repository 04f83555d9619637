package dev.reflector.autoconfigure;

import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

import dev.reflector.actuate.endpoint.ReactiveReflectorsEndpointWebExtension;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.actuate.endpoint.ReflectorsEndpointWebExtension;
import dev.reflector.actuate.endpoint.ReflectorsInfoContributor;
import dev.reflector.actuate.metrics.ReflectorMetrics;
import dev.reflector.actuate.tracing.ReflectorObservations;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.empty.Nothing;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.ReflectorThreads;
import dev.reflector.autoconfigure.internal.connection.DetectedReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.widgets.Widget;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.sharding.membership.ShardMembership;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests in which a condition of an auto-configuration matches or does not match.
 * {@link ConditionTableTests} makes a table of them.
 */
class ConditionTests {

	private final ApplicationContextRunner runner = everything(ReflectorContextRunners.withTypesNextTo(Widget.class));

	private static ApplicationContextRunner everything(ApplicationContextRunner runner) {
		return runner.withConfiguration(AutoConfigurations.of(ReflectorsSanitizingAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.withPropertyValues("management.endpoints.web.exposure.include=*",
					"management.info.reflectors.enabled=true");
	}

	@Test
	@Covers(in = ReflectorAutoConfiguration.class, holds = true)
	@Covers(in = ReflectorFactoryConfiguration.class, holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnClass ConditionalOnAvailableEndpoint", holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnAvailableEndpoint ReflectorsEndpoint", holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class, condition = "ConditionalOnBean ReflectorLifecycle",
			holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class, condition = "ConditionalOnMissingBean ReflectorsEndpoint",
			holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnMissingBean ReflectorsEndpointWebExtension, ReactiveReflectorsEndpointWebExtension",
			holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class, condition = "ConditionalOnWebApplication", holds = false)
	@Covers(in = ReflectorsHealthContributorAutoConfiguration.class, holds = true)
	@Covers(in = ReflectorsInfoContributorAutoConfiguration.class, holds = true)
	@Covers(in = ReflectorsMetricsAutoConfiguration.class, holds = true)
	@Covers(in = ReflectorsObservationAutoConfiguration.class, holds = true)
	@Covers(in = ReflectorsSanitizingAutoConfiguration.class, holds = true)
	void everythingIsThere() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.hasBean("widgetReflector")
			.hasSingleBean(DetectedReflectorConnectionDetails.class)
			.hasSingleBean(SystemTimeSource.class)
			.hasBean("reflectorRbacManifest")
			.hasBean("reflectorDecodeScheduler")
			.hasBean("reflectorTaskExecutor")
			.hasSingleBean(ReflectorsEndpointWebExtension.class)
			.hasBean("reflectorsEndpoint")
			.hasBean("reflectorsHealthContributor")
			.hasBean("reflectorsInfoContributor")
			.hasBean("reflectorMetrics")
			.hasBean("reflectorObservations")
			.hasBean("reflectorTokenSanitizingFunction"));
	}

	@Test
	@Covers(in = ReflectorAutoConfiguration.class, condition = "ConditionalOnBooleanProperty reflector.enabled",
			holds = false)
	@Covers(in = ReflectorLeaderElectionAutoConfiguration.class, condition = "ConditionalOnBean ReflectorLifecycle",
			holds = false)
	@Covers(in = ReflectorShardingAutoConfiguration.class, condition = "ConditionalOnBean ReflectorLifecycle",
			holds = false)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class, condition = "ConditionalOnBean ReflectorLifecycle",
			holds = false)
	@Covers(in = ReflectorsHealthContributorAutoConfiguration.class, condition = "ConditionalOnBean ReflectorLifecycle",
			holds = false)
	@Covers(in = ReflectorsInfoContributorAutoConfiguration.class, condition = "ConditionalOnBean ReflectorLifecycle",
			holds = false)
	@Covers(in = ReflectorsSanitizingAutoConfiguration.class, condition = "ConditionalOnBean ReflectorLifecycle",
			holds = false)
	void switchedOffThereIsNoBeanAndNoThread() {
		ReflectorThreads threads = new ReflectorThreads();
		this.runner.withUserConfiguration(Scanning.class)
			.withPropertyValues("reflector.enabled=false", "reflector.leader-election.enabled=true",
					"reflector.sharding.enabled=true", "reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(Stream.of(context.getBeanDefinitionNames())
					.map(context::getType)
					.filter((type) -> type != null && type.getName().startsWith("dev.reflector."))
					.filter((type) -> type != Scanning.class)).isEmpty();
				assertThat(threads.started()).isEmpty();
			});
	}

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
		ApplicationContextRunner electing = everything(ReflectorContextRunners.withTypesNextTo(Nothing.class))
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
		everything(ReflectorContextRunners.withTypesNextTo(Nothing.class))
			.withPropertyValues("reflector.leader-election.enabled=true", "reflector.leader-election.name=shop",
					"reflector.leader-election.namespace=apps", "reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> assertThat(context).hasSingleBean(LeaderElector.class)
				.doesNotHaveBean("reflectorLeaderDelivery"));
	}

	@Test
	@Covers(in = ReflectorShardingAutoConfiguration.class,
			condition = "ConditionalOnBooleanProperty reflector.sharding.enabled", holds = false)
	void byDefaultNothingIsDivided() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ShardMembership.class));
	}

	@Test
	@Covers(in = ReflectorShardingAutoConfiguration.class,
			condition = "ConditionalOnBooleanProperty reflector.sharding.leases.enabled", holds = false)
	void fixedSharesNeedNoLeases() {
		this.runner
			.withPropertyValues("reflector.sharding.enabled=true", "reflector.sharding.count=2",
					"reflector.sharding.index=0", "reflector.sharding.leases.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ShardMembership.class));
	}

	@Test
	@Covers(in = ReflectorShardingAutoConfiguration.class, holds = true)
	@Covers(in = ReflectorShardingAutoConfiguration.class, condition = "ConditionalOnMissingBean ShardMembership",
			holds = false)
	void aChildSharesTheSlotsOfItsParent() {
		ApplicationContextRunner sharing = everything(ReflectorContextRunners.withTypesNextTo(Nothing.class))
			.withPropertyValues("reflector.sharding.enabled=true", "reflector.sharding.assignment=dynamic",
					"reflector.sharding.leases.group=shop", "reflector.sharding.leases.namespace=apps",
					"reflector.api-server.url=http://127.0.0.1:1");
		sharing.run((parent) -> {
			assertThat(parent).hasNotFailed()
				.hasSingleBean(ShardMembership.class)
				.hasBean("reflectorShardMembershipMetrics")
				.hasBean("shardsHealthIndicator");
			sharing.withParent(parent).run((child) -> {
				assertThat(child).hasNotFailed();
				assertThat(child.getBeanFactory().getBeanDefinitionNames()).doesNotContain("reflectorShardMembership",
						"reflectorShardDelivery");
			});
		});
	}

	@Test
	@Covers(in = ReflectorsMetricsAutoConfiguration.class, condition = "ConditionalOnReflectors OnReflectorsCondition",
			holds = false)
	@Covers(in = ReflectorsObservationAutoConfiguration.class,
			condition = "ConditionalOnReflectors OnReflectorsCondition", holds = false)
	void withoutTypesThereIsNothingToTellOf() {
		everything(ReflectorContextRunners.withTypesNextTo(Nothing.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("reflectorMetrics")
				.doesNotHaveBean("reflectorObservations"));
	}

	/** The parent is not switched off and has all beans. */
	@Test
	@Covers(in = ReflectorsMetricsAutoConfiguration.class, condition = "ConditionalOnReflectors OnReflectorsCondition",
			holds = false)
	@Covers(in = ReflectorsObservationAutoConfiguration.class,
			condition = "ConditionalOnReflectors OnReflectorsCondition", holds = false)
	void ofAChildThatIsSwitchedOffThereIsNoBean() {
		this.runner.run((
				parent) -> this.runner.withParent(parent).withPropertyValues("reflector.enabled=false").run((child) -> {
					assertThat(child).hasNotFailed();
					assertThat(Stream.of(child.getBeanFactory().getBeanDefinitionNames())
						.map(child::getType)
						.filter((type) -> type != null && type.getName().startsWith("dev.reflector."))).isEmpty();
				}));
	}

	@Test
	@Covers(in = MissingLibrariesAutoConfiguration.class, holds = true)
	@Covers(in = ReflectorAutoConfiguration.class, condition = "ConditionalOnClass JsonMapper", holds = false)
	@ExtendWith(OutputCaptureExtension.class)
	void aMissingLibraryIsNamed(CapturedOutput output) {
		ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
				AutoConfigurations.of(ReflectorAutoConfiguration.class, MissingLibrariesAutoConfiguration.class));
		for (Class<?> type : new Class<?>[] { WebClient.class, JsonMapper.class }) {
			runner.withClassLoader(new FilteredClassLoader(type))
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ReflectorLifecycle.class));
		}
		assertThat(output).containsOnlyOnce("There are no reflectors: they need [org.springframework:spring-webflux].")
			.containsOnlyOnce("There are no reflectors: they need [tools.jackson.core:jackson-databind].");
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

	@Test
	@Covers(in = ReflectorAutoConfiguration.class, condition = "ConditionalOnClass WebClient", holds = false)
	void withoutWebClient() {
		this.runner.withClassLoader(new FilteredClassLoader(WebClient.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("widgetReflector"));
	}

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnClass ConditionalOnAvailableEndpoint", holds = false)
	void withoutActuator() {
		this.runner.withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsEndpoint"));
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
	@Covers(in = ReflectorsMetricsAutoConfiguration.class, condition = "ConditionalOnClass MeterRegistry",
			holds = false)
	void withoutMicrometer() {
		this.runner.withClassLoader(new FilteredClassLoader(MeterRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorMetrics"));
	}

	@Test
	@Covers(in = ReflectorsObservationAutoConfiguration.class, condition = "ConditionalOnClass ObservationRegistry",
			holds = false)
	void withoutObservations() {
		this.runner.withClassLoader(new FilteredClassLoader(ObservationRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorObservations"));
	}

	@Test
	@Covers(in = ReflectorsSanitizingAutoConfiguration.class, condition = "ConditionalOnClass SanitizingFunction",
			holds = false)
	void withoutSanitizing() {
		this.runner.withClassLoader(new FilteredClassLoader(SanitizingFunction.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorTokenSanitizingFunction"));
	}

	@Test
	@Covers(in = ReflectorsMetricsAutoConfiguration.class, condition = "ConditionalOnBean MeterRegistry", holds = false)
	void withoutMeterRegistry() {
		ReflectorContextRunners.withTypesNextTo(Widget.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorMetrics"));
	}

	@Test
	@Covers(in = ReflectorsObservationAutoConfiguration.class, condition = "ConditionalOnBean ObservationRegistry",
			holds = false)
	void withoutObservationRegistry() {
		ReflectorContextRunners.withTypesNextTo(Widget.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorObservations"));
	}

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnAvailableEndpoint ReflectorsEndpoint", holds = false)
	void endpointThatIsNotExposed() {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsEndpoint"));
	}

	@Test
	@Covers(in = ReflectorsHealthContributorAutoConfiguration.class,
			condition = "ConditionalOnEnabledHealthIndicator reflectors", holds = false)
	void healthThatIsSwitchedOff() {
		this.runner.withPropertyValues("management.health.reflectors.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsHealthContributor"));
	}

	@Test
	@Covers(in = ReflectorsInfoContributorAutoConfiguration.class,
			condition = "ConditionalOnEnabledInfoContributor reflectors", holds = false)
	void infoThatIsNotSwitchedOn() {
		this.runner.withPropertyValues("management.info.reflectors.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsInfoContributor"));
	}

	@Test
	@Covers(in = ReflectorFactoryConfiguration.class,
			condition = "ConditionalOnMissingConnectionDetails OnMissingConnectionDetailsCondition", holds = false)
	void ownConnectionDetails() {
		this.runner.withBean("own", ReflectorConnectionDetails.class, () -> () -> null)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("own")
				.doesNotHaveBean("reflectorConnectionDetails"));
	}

	@Test
	@Covers(in = ReflectorFactoryConfiguration.class, condition = "ConditionalOnMissingBean TimeSource", holds = false)
	void ownTimeSource() {
		this.runner.withBean("own", TimeSource.class, () -> new SystemTimeSource())
			.run((context) -> assertThat(context).hasNotFailed().hasBean("own").doesNotHaveBean("reflectorTimeSource"));
	}

	@Test
	@Covers(in = ReflectorFactoryConfiguration.class, condition = "ConditionalOnMissingBean RbacManifest",
			holds = false)
	void ownRbacManifest() {
		this.runner.withUserConfiguration(FleetRoles.class).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean("reflectorRbacManifest");
			assertThat(context.getBean(RbacManifest.class).yaml()).contains("name: \"fleet-reflectors\"");
		});
	}

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class, condition = "ConditionalOnMissingBean ReflectorsEndpoint",
			holds = false)
	void ownEndpoint() {
		this.runner.withBean("own", ReflectorsEndpoint.class, () -> new ReflectorsEndpoint(Stream::empty))
			.run((context) -> assertThat(context).hasNotFailed().hasBean("own").doesNotHaveBean("reflectorsEndpoint"));
	}

	@Test
	@Covers(in = ReflectorsMetricsAutoConfiguration.class, condition = "ConditionalOnMissingBean ReflectorMetrics",
			holds = false)
	void ownMetrics() {
		this.runner.withBean("own", ReflectorMetrics.class, () -> new ReflectorMetrics(Stream::empty))
			.run((context) -> assertThat(context).hasNotFailed().hasBean("own").doesNotHaveBean("reflectorMetrics"));
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

	@Test
	@Covers(in = ReflectorsObservationAutoConfiguration.class,
			condition = "ConditionalOnMissingBean ReflectorObservations", holds = false)
	void ownObservations() {
		this.runner
			.withBean("own", ReflectorObservations.class,
					() -> new ReflectorObservations(ObservationRegistry.NOOP, null, null))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("own")
				.doesNotHaveBean("reflectorObservations"));
	}

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class, condition = "ConditionalOnWebApplication", holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnMissingBean ReactiveReflectorsEndpointWebExtension", holds = true)
	void reactiveWebExtension() {
		reactive().run((context) -> assertThat(context).hasNotFailed()
			.hasBean("reactiveReflectorsEndpointWebExtension")
			.doesNotHaveBean(ReflectorsEndpointWebExtension.class));
	}

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnMissingBean ReactiveReflectorsEndpointWebExtension", holds = false)
	void ownReactiveWebExtension() {
		reactive()
			.withBean("own", ReactiveReflectorsEndpointWebExtension.class,
					() -> new ReactiveReflectorsEndpointWebExtension(new ReflectorsEndpoint(Stream::empty), Show.ALWAYS,
							Set.of()))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("own")
				.doesNotHaveBean("reactiveReflectorsEndpointWebExtension")
				.doesNotHaveBean(ReflectorsEndpointWebExtension.class));
	}

	private static ReactiveWebApplicationContextRunner reactive() {
		return new ReactiveWebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(ReflectorAutoConfiguration.class, ReflectorsEndpointAutoConfiguration.class))
			.withPropertyValues(ReflectorContextRunners.NO_SERVER)
			.withPropertyValues("management.endpoints.web.exposure.include=*");
	}

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnMissingBean ReflectorsEndpointWebExtension, "
					+ "ReactiveReflectorsEndpointWebExtension",
			holds = false)
	void ownWebExtension() {
		this.runner
			.withBean("own", ReflectorsEndpointWebExtension.class,
					() -> new ReflectorsEndpointWebExtension(new ReflectorsEndpoint(Stream::empty), Show.ALWAYS,
							Set.of()))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("own")
				.doesNotHaveBean("reflectorsEndpointWebExtension"));
	}

	@Test
	@Covers(in = ReflectorsHealthContributorAutoConfiguration.class,
			condition = "ConditionalOnMissingBean reflectorsHealthIndicator, reflectorsHealthContributor",
			holds = false)
	void ownHealth() {
		this.runner.withBean("reflectorsHealthIndicator", HealthIndicator.class, () -> Health.up()::build)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsHealthContributor"));
	}

	@Test
	@Covers(in = ReflectorFactoryConfiguration.class, condition = "ConditionalOnMissingBean reflectorDecodeScheduler",
			holds = false)
	void ownDecodeScheduler() {
		Scheduler own = Schedulers.immediate();
		this.runner.withBean("reflectorDecodeScheduler", Scheduler.class, () -> own)
			.run((context) -> assertThat(context).hasNotFailed().getBean("reflectorDecodeScheduler").isSameAs(own));
	}

	@Test
	@Covers(in = ReflectorFactoryConfiguration.class, condition = "ConditionalOnMissingBean reflectorTaskExecutor",
			holds = false)
	void ownTaskExecutor() {
		Executor own = Runnable::run;
		this.runner.withBean("reflectorTaskExecutor", Executor.class, () -> own)
			.run((context) -> assertThat(context).hasNotFailed().getBean("reflectorTaskExecutor").isSameAs(own));
	}

	@Configuration(proxyBeanMethods = false)
	@ReflectedResourceScan(basePackageClasses = Widget.class)
	static class Scanning {

	}

	@Configuration(proxyBeanMethods = false)
	static class FleetRoles {

		@Bean
		RbacManifest roles(ReflectedResourceTypes types) {
			return new RbacManifest(types, "Fleet");
		}

	}

}
