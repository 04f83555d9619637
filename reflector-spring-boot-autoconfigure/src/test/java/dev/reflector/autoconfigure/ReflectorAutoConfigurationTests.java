package dev.reflector.autoconfigure;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.ReflectorThreads;
import dev.reflector.autoconfigure.fixture.elsewhere.Gateway;
import dev.reflector.autoconfigure.fixture.empty.Nothing;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.connection.PropertiesReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.registration.ReflectorFactory;
import dev.reflector.autoconfigure.registration.RbacManifest;
import dev.reflector.autoconfigure.registration.ReflectedResourceTypes;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.client.options.ClientOptions;
import dev.reflector.fixture.FakeReflector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ReflectorAutoConfiguration} and the auto-configurations that depend on
 * it.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReflectorAutoConfigurationTests {

	private final ReflectorThreads threads = new ReflectorThreads();

	private final ApplicationContextRunner runner = ReflectorContextRunners.withTypesNextTo(Widget.class);

	private final ApplicationContextRunner noTypes = ReflectorContextRunners.withTypesNextTo(Nothing.class);

	@Test
	@Covers(in = ReflectorAutoConfiguration.class, holds = true)
	@Covers(in = ReflectorFactoryConfiguration.class, holds = true)
	@Covers(in = ReflectorFactoryConfiguration.ConnectionDetails.class, holds = true)
	void everythingIsThere() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.hasBean("widgetReflector")
			.hasSingleBean(PropertiesReflectorConnectionDetails.class)
			.hasSingleBean(SystemTimeSource.class)
			.hasBean("reflectorRbacManifest")
			.hasBean("reflectorDecodeScheduler")
			.hasBean("reflectorTaskExecutor"));
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
		ReflectorContextRunners.withActuator(this.runner)
			.withUserConfiguration(Scanning.class)
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

	/** The parent is not switched off and has all beans. */
	@Test
	@Covers(in = ReflectorsMetricsAutoConfiguration.class, condition = "ConditionalOnReflectors OnReflectorsCondition",
			holds = false)
	@Covers(in = ReflectorsObservationAutoConfiguration.class,
			condition = "ConditionalOnReflectors OnReflectorsCondition", holds = false)
	void ofAChildThatIsSwitchedOffThereIsNoBean() {
		ApplicationContextRunner everything = ReflectorContextRunners.withActuator(this.runner);
		everything.run(
				(parent) -> everything.withParent(parent).withPropertyValues("reflector.enabled=false").run((child) -> {
					assertThat(child).hasNotFailed();
					assertThat(Stream.of(child.getBeanFactory().getBeanDefinitionNames())
						.map(child::getType)
						.filter((type) -> type != null && type.getName().startsWith("dev.reflector."))).isEmpty();
				}));
	}

	@Test
	@Covers(in = ReflectorAutoConfiguration.class, condition = "ConditionalOnClass WebClient", holds = false)
	void withoutWebClient() {
		this.runner.withClassLoader(new FilteredClassLoader(WebClient.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("widgetReflector"));
	}

	@Test
	void registersReflectorAndListerForEachType() {
		this.runner.withUserConfiguration(Injection.class).run((context) -> {
			assertThat(context).hasNotFailed().hasBean("widgetReflector").hasBean("widgetLister");
			Injection injection = context.getBean(Injection.class);
			assertThat(injection.reflector.name()).isEqualTo("widgets");
			assertThat(injection.lister.list()).isEmpty();
			assertThat(injection.others.getIfAvailable()).isNull();
			assertThat(injection.all).hasSize(1);
		});
	}

	@Test
	void backsOffFromReflectorOfTheSameType() {
		this.runner.withUserConfiguration(OwnReflector.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Reflector.class)
				.hasBean("own")
				.doesNotHaveBean(Lister.class));
	}

	@Test
	void backsOffFromListerOfTheSameType() {
		this.runner.withUserConfiguration(OwnLister.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Reflector.class)
				.hasSingleBean(Lister.class)
				.hasBean("own"));
	}

	@Test
	void scanNamesOtherPackages() {
		this.runner.withUserConfiguration(Scan.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("gatewayReflector")
				.doesNotHaveBean("widgetReflector"));
	}

	@Test
	void scanWithoutAttributesNamesThePackageOfTheAnnotatedClass() {
		this.noTypes.withUserConfiguration(dev.reflector.autoconfigure.fixture.elsewhere.ScanHere.class)
			.run((context) -> assertThat(context).hasBean("gatewayReflector"));
	}

	@Test
	void scansOfSeveralClassesAddUp() {
		this.noTypes.withUserConfiguration(Scan.class, OtherScan.class)
			.run((context) -> assertThat(context).hasBean("gatewayReflector").hasBean("widgetReflector"));
	}

	@Test
	void tellsTheMirroredTypesWithTheirPlurals() {
		this.runner.withUserConfiguration(OtherScan.class, Scan.class)
			.run((context) -> assertThat(context.getBean(ReflectedResourceTypes.class).list())
				.containsExactlyInAnyOrder(ResourceType.of("example.com/v1", "Widget", "widgets"),
						ResourceType.of("v1", "Gateway", "gateways")));
		this.runner.withPropertyValues("reflector.resources.widgets.plural=gizmos")
			.run((context) -> assertThat(context.getBean(ReflectedResourceTypes.class).list())
				.containsExactly(ResourceType.of("example.com/v1", "Widget", "gizmos")));
	}

	@Test
	void withoutServerNothingIsStartedAndTheLogSaysWhatToSet(CapturedOutput output) {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Reflector.class).state()).isEqualTo(ReflectorState.STOPPED);
			assertThat(this.threads.started()).isEmpty();
			assertThat(health(context.getBean(CompositeHealthContributor.class), "widgets")).isEqualTo(Status.UNKNOWN);
		});
		assertThat(output).containsOnlyOnce("Reflectors are not started: no API server is configured: set "
				+ "'reflector.api-server.url' or 'reflector.api-server.kubeconfig', or use the embedded API server in "
				+ "tests");
	}

	@Test
	void logSaysOnlyOnceThatThereIsNoServer(CapturedOutput output) {
		ReflectorContextRunners.withTypesIn(Widget.class.getPackageName(), Gateway.class.getPackageName())
			.run((context) -> assertThat(context.getBeansOfType(Reflector.class)).hasSize(2));
		assertThat(output).containsOnlyOnce("no API server is configured");
	}

	@Test
	void withoutTypesNothingHappens(CapturedOutput output) {
		this.noTypes.withPropertyValues("reflector.api-server.url=http://localhost:1").run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(Reflector.class);
			assertThat(context.getBean(CompositeHealthContributor.class).stream()).isEmpty();
			assertThat(this.threads.started()).isEmpty();
		});
		assertThat(output.getAll()
			.lines()
			.filter((line) -> line.contains("dev.reflector") && !line.contains("No type is mirrored")))
			.noneMatch((line) -> line.contains("INFO") || line.contains("WARN") || line.contains("ERROR"));
	}

	@Test
	void logSaysWhereTheServerIsButNeverTheSecret(CapturedOutput output) {
		this.runner
			.withPropertyValues("reflector.api-server.url=http://127.0.0.1:1", "reflector.api-server.token=s3cr3t",
					"reflector.backoff.initial=1h", "reflector.backoff.max=1h")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(ReflectorProperties.class).toString()).doesNotContain("s3cr3t")
					.contains("token=******");
			});
		assertThat(output)
			.containsOnlyOnce("Reflectors use the API server http://127.0.0.1:1 (from 'reflector.api-server.url')")
			.doesNotContain("s3cr3t");
	}

	@Test
	@Covers(in = ReflectorFactoryConfiguration.ConnectionDetails.class,
			condition = "ConditionalOnMissingBean ReflectorConnectionDetails", holds = false)
	void connectionDetailsOfTheApplicationComeFirst(CapturedOutput output) {
		this.runner.withUserConfiguration(OwnConnectionDetails.class)
			.withPropertyValues("reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(ReflectorConnectionDetails.class));
		assertThat(output).contains("Reflectors use the API server http://127.0.0.1:2 (from a test)");
	}

	@Test
	void customizersChangeHowClientAndReflectorsAreMade() {
		Queue<URI> requests = new ConcurrentLinkedQueue<>();
		ExchangeFilterFunction notSent = (request, next) -> {
			requests.add(request.url());
			return Mono.error(new IOException("not sent"));
		};
		this.runner.withUserConfiguration(Namespaces.class)
			.withBean(ApiServerClientBuilderCustomizer.class,
					() -> (builder) -> builder.webClientBuilder(WebClient.builder().filter(notSent)))
			.withPropertyValues("reflector.api-server.url=http://127.0.0.1:1",
					"reflector.resources.widgets.namespaces=declared")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				Reflector<?> reflector = context.getBean(Reflector.class);
				assertThat(reflector.namespaces()).containsExactly("widgets-last");
				await().untilAsserted(() -> assertThat(requests).isNotEmpty());
			});
	}

	@Test
	void withoutPropertiesAClientHasTheDefaultsOfTheLibrary() {
		this.noTypes.withPropertyValues("reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> assertThat(context.getBean(ApiServerConnection.class).client().orElseThrow().options())
				.isEqualTo(ClientOptions.defaults()));
	}

	@Test
	void aBuilderOfTheApplicationIsUsedIfItIsForAllRequests() {
		assertThat(sentWith(BalancedBuilder.class)).isEmpty();
		assertThat(sentWith(TwoBuilders.class)).isEmpty();
		assertThat(sentWith(BalancedBuilder.class, PrimaryBuilder.class)).containsOnly("primary");
	}

	private Queue<String> sentWith(Class<?>... builders) {
		Queue<String> sent = new ConcurrentLinkedQueue<>();
		this.runner.withUserConfiguration(builders)
			.withBean(Builders.class, () -> new Builders(sent))
			.withPropertyValues("reflector.api-server.url=http://127.0.0.1:1", "reflector.backoff.initial=1h",
					"reflector.backoff.max=1h")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				Reflector<?> reflector = context.getBean(Reflector.class);
				await().until(() -> reflector.status().lastError() != null);
			});
		return sent;
	}

	@Test
	void disabledResourceKeepsItsBeansButIsNotStarted() {
		this.runner
			.withPropertyValues("reflector.resources.widgets.enabled=false",
					"reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(Reflector.class).hasSingleBean(Lister.class);
				assertThat(context.getBean(Reflector.class).state()).isEqualTo(ReflectorState.STOPPED);
				assertThat(this.threads.started()).isEmpty();
				assertThat(health(context.getBean(CompositeHealthContributor.class), "widgets"))
					.isEqualTo(Status.UNKNOWN);
			});
	}

	@Test
	void warnsOfSettingsForUnknownReflector(CapturedOutput output) {
		this.runner.withPropertyValues("reflector.resources.wigdets.kind=X", "reflector.resources.widgets.plural=w")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce(
				"'reflector.resources.wigdets' has no effect: there is no reflector of " + "that name, only [widgets]");
		assertThat(output).doesNotContain("'reflector.resources.widgets' has no effect");
	}

	@Test
	void executorDoesNotStandInForThatOfTheApplication() {
		this.runner.withUserConfiguration(Executors.class).run((context) -> {
			assertThat(context).hasBean("reflectorTaskExecutor").hasBean("applicationTaskExecutor");
			SimpleAsyncTaskExecutor executor = context.getBean("reflectorTaskExecutor", SimpleAsyncTaskExecutor.class);
			assertThat(executor.isDaemon()).isTrue();
			assertThat(executor.isThrottleActive()).isFalse();
			assertThat(context.getBean(Executors.class).scheduler).isNull();
			assertThat(context.getBean(Executors.class).executor).isNotSameAs(executor);
		});
	}

	@Test
	void executorIsNotThrottledWithThatOfTheApplication() {
		this.runner.withPropertyValues("spring.task.execution.simple.concurrency-limit=1")
			.run((context) -> assertThat(
					context.getBean("reflectorTaskExecutor", SimpleAsyncTaskExecutor.class).isThrottleActive())
				.isFalse());
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void threadsAreVirtualWhereTheApplicationsAre() {
		this.runner.withPropertyValues("spring.threads.virtual.enabled=true").run((context) -> {
			CompletableFuture<String> thread = new CompletableFuture<>();
			context.getBean("reflectorTaskExecutor", Executor.class)
				.execute(() -> thread.complete(Thread.currentThread().toString()));
			// the names distinguish threads in a dump
			assertThat(thread.get(30, TimeUnit.SECONDS)).matches("VirtualThread\\[#\\d+,reflector-\\d+].*");
		});
	}

	/** Otherwise threads would keep the context of a request while a reflector runs. */
	@Test
	void decoratorsOfTheApplicationAreNotForThreadsThatNeverEnd() {
		AtomicInteger decorated = new AtomicInteger();
		this.runner.withBean(TaskDecorator.class, () -> (task) -> {
			decorated.incrementAndGet();
			return task;
		}).run((context) -> {
			CompletableFuture<Integer> seen = new CompletableFuture<>();
			context.getBean("reflectorTaskExecutor", Executor.class).execute(() -> seen.complete(decorated.get()));
			assertThat(seen.get(30, TimeUnit.SECONDS)).isZero();
			context.getBean("applicationTaskExecutor", Executor.class).execute(() -> {
			});
			assertThat(decorated).hasValue(1);
		});
	}

	@Test
	@Covers(in = ReflectorFactoryConfiguration.class, condition = "ConditionalOnMissingBean TimeSource", holds = false)
	@Covers(in = ReflectorFactoryConfiguration.class, condition = "ConditionalOnMissingBean reflectorTaskExecutor",
			holds = false)
	void infrastructureBacksOff() {
		this.runner.withUserConfiguration(OwnInfrastructure.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(SystemTimeSource.class)
				.getBean("reflectorTaskExecutor")
				.isNotInstanceOf(SimpleAsyncTaskExecutor.class));
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
	@Covers(in = ReflectorFactoryConfiguration.class, condition = "ConditionalOnMissingBean reflectorDecodeScheduler",
			holds = false)
	void ownDecodeScheduler() {
		Scheduler own = Schedulers.immediate();
		this.runner.withBean("reflectorDecodeScheduler", Scheduler.class, () -> own)
			.run((context) -> assertThat(context).hasNotFailed().getBean("reflectorDecodeScheduler").isSameAs(own));
	}

	@ParameterizedTest
	@ValueSource(strings = { "reflector.leader-election.events=leader", "reflector.sharding.enabled=true" })
	void aLocalStoreOfSnapshotsIsWarnedOfIfReplicasTakeOver(String takeover, CapturedOutput output) {
		makeDurable(true, takeover);
		assertThat(output).containsOnlyOnce("which only this host can read, and '" + takeover + "' is set");
	}

	@ParameterizedTest
	@CsvSource({ "true, reflector.leader-election.events=all", "false, reflector.leader-election.events=leader" })
	void noOtherStoreOfSnapshotsIsWarnedOf(boolean local, String events, CapturedOutput output) {
		makeDurable(local, events);
		assertThat(output).doesNotContain("which only this host can read");
	}

	private void makeDurable(boolean local, String setting) {
		SnapshotStore store = mock(SnapshotStore.class);
		given(store.isLocal()).willReturn(local);
		this.noTypes.withBean(SnapshotStore.class, () -> store)
			.withPropertyValues("reflector.snapshot.enabled=true", "reflector.events.on-error=stop",
					"reflector.api-server.url=http://127.0.0.1:1", "reflector.leader-election.enabled=true",
					"reflector.leader-election.name=shop", "reflector.leader-election.namespace=apps",
					"reflector.sharding.assignment=dynamic", "reflector.sharding.leases.group=shop",
					"reflector.sharding.leases.namespace=apps", setting)
			.run((context) -> assertThat(context).hasNotFailed().getBean(ReflectorFactory.class).isNotNull());
	}

	@Test
	void lazyInitializationDoesNotHideWrongSettings() {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withPropertyValues("reflector.resources.widgets.api-version=a/b/c")
			.run((context) -> assertThat(context).hasFailed());
	}

	private static Status health(CompositeHealthContributor contributor, String name) {
		HealthIndicator indicator = (HealthIndicator) contributor.getContributor(name);
		assertThat(indicator).isNotNull();
		return indicator.health().getStatus();
	}

	static class Injection {

		private final Reflector<Widget> reflector;

		private final Lister<Widget> lister;

		private final ObjectProvider<Reflector<Gateway>> others;

		private final List<Reflector<?>> all;

		Injection(Reflector<Widget> reflector, Lister<Widget> lister, ObjectProvider<Reflector<Gateway>> others,
				List<Reflector<?>> all) {
			this.reflector = reflector;
			this.lister = lister;
			this.others = others;
			this.all = all;
		}

	}

	static class Executors {

		private final @Nullable Scheduler scheduler;

		private final Executor executor;

		Executors(ObjectProvider<Scheduler> scheduler, Executor executor) {
			this.scheduler = scheduler.getIfAvailable();
			this.executor = executor;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Namespaces {

		@Bean
		@Order(2)
		SharedInformerBuilderCustomizer last() {
			return (reflector, builder) -> builder.namespaces(List.of(reflector + "-last"));
		}

		@Bean
		@Order(1)
		SharedInformerBuilderCustomizer first() {
			return (reflector, builder) -> builder.namespaces(List.of(reflector + "-first"));
		}

	}

	/** Makes builders whose requests are recorded and fail. */
	record Builders(Queue<String> sent) {

		WebClient.Builder of(String name) {
			return WebClient.builder().filter((request, next) -> {
				this.sent.add(name);
				return Mono.error(new IOException("not sent"));
			});
		}

	}

	@Qualifier
	@Retention(RetentionPolicy.RUNTIME)
	@interface Balanced {

	}

	@Configuration(proxyBeanMethods = false)
	static class BalancedBuilder {

		@Bean
		@Balanced
		WebClient.Builder balanced(Builders builders) {
			return builders.of("balanced");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryBuilder {

		@Bean
		@Primary
		WebClient.Builder primary(Builders builders) {
			return builders.of("primary");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoBuilders {

		@Bean
		WebClient.Builder one(Builders builders) {
			return builders.of("one");
		}

		@Bean
		WebClient.Builder other(Builders builders) {
			return builders.of("other");
		}

		@Bean
		JsonMapper oneMapper() {
			return new JsonMapper();
		}

		@Bean
		JsonMapper otherMapper() {
			return new JsonMapper();
		}

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

	@Configuration(proxyBeanMethods = false)
	static class OwnReflector {

		@Bean
		Reflector<Widget> own() {
			return new FakeReflector<>("own", FakeReflector.status(ReflectorState.WATCHING, true, null, null));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnLister {

		@Bean
		@SuppressWarnings("unchecked")
		Lister<Widget> own() {
			return mock(Lister.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnConnectionDetails {

		@Bean
		ReflectorConnectionDetails details() {
			return () -> new ApiServer(URI.create("http://127.0.0.1:2"), null, TokenSource.none(), "a test");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnInfrastructure {

		@Bean
		TimeSource time() {
			return mock(TimeSource.class);
		}

		@Bean(defaultCandidate = false)
		Executor reflectorTaskExecutor() {
			return Runnable::run;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ReflectedResourceScan(basePackageClasses = Gateway.class)
	static class Scan {

	}

	@Configuration(proxyBeanMethods = false)
	@ReflectedResourceScan("dev.reflector.autoconfigure.fixture.widgets")
	static class OtherScan {

	}

}
