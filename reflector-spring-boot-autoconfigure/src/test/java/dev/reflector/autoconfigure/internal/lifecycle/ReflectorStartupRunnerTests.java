package dev.reflector.autoconfigure.internal.lifecycle;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.autoconfigure.ReflectorAutoConfiguration;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.fixture.FakeReflector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.metrics.buffering.BufferingApplicationStartup;
import org.springframework.boot.context.metrics.buffering.StartupTimeline;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.metrics.ApplicationStartup;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorStartupRunner}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReflectorStartupRunnerTests {

	private static final Duration SHORT = Duration.ofMillis(50);

	@Test
	void doesNotWaitForSyncedReflectors(CapturedOutput output) throws InterruptedException {
		run(SHORT, FakeReflector.status(ReflectorState.BACKING_OFF, true, FakeReflector.NOW, null));
		assertThat(output).doesNotContain("not synced");
	}

	@Test
	void doesNotWaitWhenToldNotTo(CapturedOutput output) throws InterruptedException {
		run(null, FakeReflector.status(ReflectorState.LISTING, false, null, null));
		assertThat(output).doesNotContain("not synced");
	}

	@Test
	void goesOnAfterTheTimeoutAndNamesWhatIsMissing(CapturedOutput output) throws InterruptedException {
		run(SHORT,
				FakeReflector.status(ReflectorState.BACKING_OFF, false, FakeReflector.NOW, FakeReflector.forbidden()));
		assertThat(output).containsOnlyOnce(
				"not synced within 0.05s ('reflector.startup.timeout'). The application continues, and their "
						+ "mirrors are incomplete: "
						+ "pods (BACKING_OFF, last error: 403 Forbidden: pods is forbidden)");
	}

	@Test
	void namesATypeThatIsStillAwaited(CapturedOutput output) throws InterruptedException {
		run(SHORT, FakeReflector.status(ReflectorState.AWAITING_TYPE, false, FakeReflector.NOW,
				new ReflectorStatus.LastError(FakeReflector.NOW, 404, "TypeNotServed", "install it")));
		assertThat(output).contains("pods (AWAITING_TYPE, last error: 404 TypeNotServed: install it)");
	}

	@Test
	void aFailureWithoutAnAnswerHasNoStatus(CapturedOutput output) throws InterruptedException {
		run(SHORT, FakeReflector.status(ReflectorState.BACKING_OFF, false, FakeReflector.NOW,
				new ReflectorStatus.LastError(FakeReflector.NOW, 0, "ConnectionRefused", "cannot connect")));
		assertThat(output).contains("pods (BACKING_OFF, last error: ConnectionRefused: cannot connect)");
	}

	@Test
	void stopsWaitingWhenReflectorsAreStopped() throws InterruptedException {
		List<ManagedReflector> reflectors = List
			.of(managed(FakeReflector.status(ReflectorState.LISTING, false, null, null)));
		AtomicInteger asked = new AtomicInteger();
		new ReflectorStartupRunner(() -> (asked.getAndIncrement() < 2) ? reflectors : List.of(),
				() -> Duration.ofDays(1), ApplicationStartup.DEFAULT)
			.run(new DefaultApplicationArguments());
		assertThat(asked).hasValue(3);
	}

	@Test
	void holdsReadinessButNotLivenessAndRunsBeforeOtherRunners() {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setRegisterShutdownHook(false);
		BufferingApplicationStartup startup = new BufferingApplicationStartup(10_000);
		application.setApplicationStartup(startup);
		try (ConfigurableApplicationContext context = application.run(arguments())) {
			Application bean = context.getBean(Application.class);
			assertThat(bean.liveness).isEqualTo(LivenessState.CORRECT);
			assertThat(bean.readiness).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
			assertThat(bean.syncedInRunner).isTrue();
			assertThat(context.getBean(ApplicationAvailability.class).getReadinessState())
				.isEqualTo(ReadinessState.ACCEPTING_TRAFFIC);
		}
		assertThat(steps(startup)).containsSubsequence("reflector.start {reflector=widgets}",
				"reflector.wait-for-sync {missing=}");
	}

	@Test
	void stepNamesWhatIsMissingAfterTheTimeout() throws InterruptedException {
		BufferingApplicationStartup startup = new BufferingApplicationStartup(10);
		List<ManagedReflector> reflectors = List
			.of(managed(FakeReflector.status(ReflectorState.LISTING, false, null, null)));
		new ReflectorStartupRunner(() -> reflectors, () -> SHORT, startup).run(new DefaultApplicationArguments());
		assertThat(steps(startup)).containsExactly("reflector.wait-for-sync {missing=pods}");
	}

	private static List<String> steps(BufferingApplicationStartup startup) {
		return startup.getBufferedTimeline()
			.getEvents()
			.stream()
			.map(StartupTimeline.TimelineEvent::getStartupStep)
			.map((step) -> step.getName() + " "
					+ StreamSupport.stream(step.getTags().spliterator(), false)
						.map((tag) -> tag.getKey() + "=" + tag.getValue())
						.collect(Collectors.joining(",", "{", "}")))
			.toList();
	}

	private static String[] arguments() {
		return Arrays.stream(ReflectorContextRunners.NO_SERVER)
			.map((property) -> "--" + property)
			.toArray(String[]::new);
	}

	private static void run(@Nullable Duration timeout, ReflectorStatus status) throws InterruptedException {
		List<ManagedReflector> reflectors = List.of(managed(status));
		new ReflectorStartupRunner(() -> reflectors, () -> timeout, ApplicationStartup.DEFAULT)
			.run(new DefaultApplicationArguments());
	}

	private static ManagedReflector managed(ReflectorStatus status) {
		return new ManagedReflector(new FakeReflector<>("pods", status), () -> {
		}, () -> CompletableFuture.completedFuture(null));
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigurationPackage(basePackageClasses = Widget.class)
	@ImportAutoConfiguration({ ReflectorAutoConfiguration.class, ApplicationAvailabilityAutoConfiguration.class })
	static class Application {

		private volatile LivenessState liveness;

		private volatile ReadinessState readiness;

		private volatile boolean syncedInRunner;

		@Bean
		ListerWatcher<Widget> widgets(ApplicationAvailability availability) {
			InMemoryListerWatcher<Widget> widgets = new InMemoryListerWatcher<>(List.of());
			widgets.holdUntil(() -> {
				if (this.liveness == LivenessState.CORRECT) {
					// a later request may see the application ready
					return true;
				}
				LivenessState liveness = availability.getLivenessState();
				this.readiness = availability.getReadinessState();
				this.liveness = liveness;
				return liveness == LivenessState.CORRECT;
			});
			return widgets;
		}

		@Bean
		ApplicationRunner runner(Reflector<Widget> reflector) {
			return (arguments) -> this.syncedInRunner = reflector.hasSynced();
		}

	}

}
