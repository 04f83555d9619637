package dev.reflector.autoconfigure;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceType;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.actuate.endpoint.ReflectorsInfoContributor;
import dev.reflector.actuate.metrics.ReflectorMetrics;
import dev.reflector.actuate.tracing.ReflectorObservations;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.elsewhere.Gateway;
import dev.reflector.autoconfigure.empty.Nothing;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.ReflectorThreads;
import dev.reflector.autoconfigure.widgets.Widget;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.fixture.FakeReflector;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.scheduler.Scheduler;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
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
	void disabledByProperty() {
		this.runner.withPropertyValues("reflector.enabled=false", "management.endpoints.web.exposure.include=*")
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Reflector.class)
				.doesNotHaveBean(Lister.class)
				.doesNotHaveBean(ReflectorProperties.class)
				.doesNotHaveBean(ReflectorsEndpoint.class)
				.doesNotHaveBean("reflectorsHealthContributor")
				.doesNotHaveBean(ReflectorMetrics.class));
	}

	@Test
	void backsOffWithoutWebClient() {
		this.runner.withClassLoader(new FilteredClassLoader(WebClient.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Reflector.class));
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
		this.noTypes.withUserConfiguration(dev.reflector.autoconfigure.elsewhere.ScanHere.class)
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
	void connectionDetailsOfTheApplicationComeFirst(CapturedOutput output) {
		this.runner.withUserConfiguration(OwnConnectionDetails.class)
			.withPropertyValues("reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(ReflectorConnectionDetails.class));
		assertThat(output).contains("Reflectors use the API server http://127.0.0.1:2 (from a test)");
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
			// the names tell threads apart in a dump
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
	void infrastructureBacksOff() {
		this.runner.withUserConfiguration(OwnInfrastructure.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(SystemTimeSource.class)
				.getBean("reflectorTaskExecutor")
				.isNotInstanceOf(SimpleAsyncTaskExecutor.class));
	}

	@Test
	void endpointIsThereWhenExposed() {
		this.noTypes.withPropertyValues("management.endpoints.web.exposure.include=reflectors")
			.run((context) -> assertThat(context).hasSingleBean(ReflectorsEndpoint.class));
	}

	@Test
	void endpointIsNotThereWhenNotExposed() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(ReflectorsEndpoint.class));
	}

	@Test
	void endpointBacksOffWithoutActuator() {
		this.runner.withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Reflector.class)
				.doesNotHaveBean("reflectorsEndpoint"));
	}

	@Test
	void healthIsDisabledByProperty() {
		this.runner.withPropertyValues("management.health.reflectors.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("reflectorsHealthContributor"));
	}

	@Test
	void healthBacksOffWithoutHealthModule() {
		this.runner.withClassLoader(new FilteredClassLoader(HealthContributor.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Reflector.class)
				.doesNotHaveBean("reflectorsHealthContributor"));
	}

	@Test
	void healthBacksOffFromContributorOfTheSameName() {
		this.runner.withBean("reflectorsHealthIndicator", HealthIndicator.class, () -> mock(HealthIndicator.class))
			.run((context) -> assertThat(context).hasSingleBean(HealthContributor.class));
	}

	@Test
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
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(InfoContributor.class));
	}

	@Test
	void infoBacksOffWithoutActuator() {
		this.runner.withClassLoader(new FilteredClassLoader(InfoContributor.class))
			.withPropertyValues("management.info.reflectors.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Reflector.class)
				.doesNotHaveBean("reflectorsInfoContributor"));
	}

	@Test
	void infoBacksOffFromContributorOfTheApplication() {
		this.runner.withPropertyValues("management.info.reflectors.enabled=true")
			.withBean("own", ReflectorsInfoContributor.class,
					() -> new ReflectorsInfoContributor(Stream::empty, () -> null))
			.run((context) -> assertThat(context).hasSingleBean(ReflectorsInfoContributor.class).hasBean("own"));
	}

	@Test
	void metricsAreBoundWhenThereIsARegistry() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(ReflectorMetrics.class));
	}

	@Test
	void metricsBackOffWithoutRegistry() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(ReflectorMetrics.class));
	}

	@Test
	void metricsBackOffWithoutMicrometer() {
		this.runner.withClassLoader(new FilteredClassLoader(MeterRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Reflector.class)
				.doesNotHaveBean("reflectorMetrics"));
	}

	@Test
	void observationsAreThereWhenThereIsARegistry() {
		this.runner.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(ReflectorObservations.class));
	}

	@Test
	void observationsBackOffWithoutRegistry() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ReflectorObservations.class));
	}

	@Test
	void observationsBackOffFromThoseOfTheApplication() {
		this.runner.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.withBean("own", ReflectorObservations.class,
					() -> new ReflectorObservations(ObservationRegistry.NOOP, null, null))
			.run((context) -> assertThat(context).hasSingleBean(ReflectorObservations.class).hasBean("own"));
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
	@ReflectedResourceScan("dev.reflector.autoconfigure.widgets")
	static class OtherScan {

	}

}
