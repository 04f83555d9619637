package dev.reflector.integration;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.actuate.endpoint.ReflectorDescriptor;
import dev.reflector.actuate.endpoint.ReflectorDescriptor.PartDescriptor;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.test.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the reports of endpoint and health, with a real socket in between.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReportIntegrationTests extends WidgetServer {

	private static final String[] EXPOSED = { "management.endpoints.jmx.exposure.include=reflectors",
			"spring.jmx.enabled=true", "reflector.watch.initial-list=list", "reflector.backoff.initial=1h",
			"reflector.backoff.max=2h" };

	@Test
	void aFailingNamespaceIsDistinguishedFromWorkingOnes() {
		this.server.fail((request) -> request.path().contains("/namespaces/bad/"), Integer.MAX_VALUE,
				Fault.status(500));
		try (MirrorApplication application = start("reflector.resources.widgets.namespaces=good,bad",
				"reflector.resources.widgets.label-selector=app=web")) {
			await().untilAsserted(() -> assertThat(report(application).scopes()).extracting(PartDescriptor::state)
				.containsExactly(ReflectorState.WATCHING, ReflectorState.BACKING_OFF));
			await().until(() -> report(application).scopes().get(0).connected());
			ReflectorDescriptor report = report(application);
			PartDescriptor good = report.scopes().get(0);
			assertThat(good.namespace()).isEqualTo("good");
			assertThat(good.lastSyncResourceVersion()).isNotEmpty();
			assertThat(good.lastProgressAt()).isNotNull();
			assertThat(good.failingSince()).isNull();
			assertThat(good.nextAttemptAt()).isNull();
			assertThat(good.lastError()).isNull();
			PartDescriptor bad = report.scopes().get(1);
			assertThat(bad.namespace()).isEqualTo("bad");
			assertThat(bad.connected()).isFalse();
			assertThat(bad.lastSyncResourceVersion()).isEmpty();
			assertThat(bad.lastProgressAt()).isNull();
			assertThat(Objects.requireNonNull(bad.lastError()).status()).isEqualTo(500);
			assertThat(bad.nextAttemptAt())
				.isAfterOrEqualTo(Objects.requireNonNull(bad.failingSince()).plus(Duration.ofHours(1)));
			assertThat(report.state()).isEqualTo(ReflectorState.BACKING_OFF);
			assertThat(report.connected()).isFalse();
			assertThat(report.failingSince()).isEqualTo(bad.failingSince());
			assertThat(report.nextAttemptAt()).isEqualTo(bad.nextAttemptAt());
			assertThat(report.resource().labelSelector()).isEqualTo("app=web");
			assertThat(report.resource().fieldSelector()).isEmpty();
			assertThat(health(application)).containsEntry("labelSelector", "app=web")
				.doesNotContainKey("fieldSelector")
				.containsEntry("nextAttemptAt", bad.nextAttemptAt())
				.hasEntrySatisfying("namespaces", (namespaces) -> assertThat(namespaces.toString()).matches(
						"\\{good=\\{state=WATCHING, connected=true, .*}, bad=\\{state=BACKING_OFF, connected=false, .*}}"));
			this.server.clearFaults();
			application.reflector.relist();
			await().until(() -> report(application).connected());
			assertThat(report(application).nextAttemptAt()).isNull();
			assertThat(report(application).scopes()).allMatch((scope) -> scope.failingSince() == null);
		}
	}

	@Test
	void aTypeThatIsAwaitedIsNamed() {
		this.server.removeType("example.com/v1", "widgets");
		this.server.addType("example.com/v1beta1", "Widget", "widgets", true);
		try (MirrorApplication application = start()) {
			await().until(() -> report(application).state() == ReflectorState.AWAITING_TYPE);
			ReflectorDescriptor report = report(application);
			assertThat(report.awaitedType()).isEqualTo("example.com/v1 Widget");
			assertThat(report.nextAttemptAt()).isNull();
			assertThat(report.failingSince()).isNotNull();
			assertThat(Objects.requireNonNull(report.lastError()).message()).contains("example.com/v1beta1");
			assertThat(report.scopes()).singleElement().satisfies((scope) -> {
				assertThat(scope.namespace()).isNull();
				assertThat(scope.state()).isEqualTo(ReflectorState.AWAITING_TYPE);
			});
			assertThat(health(application)).containsEntry("awaitedType", "example.com/v1 Widget")
				.doesNotContainKeys("namespaces", "labelSelector");
		}
	}

	private MirrorApplication start(String... properties) {
		String[] all = Stream.of(EXPOSED, properties).flatMap(Stream::of).toArray(String[]::new);
		return MirrorApplication.on(this.server, all);
	}

	private static ReflectorDescriptor report(MirrorApplication application) {
		return Objects.requireNonNull(application.context.getBean(ReflectorsEndpoint.class).reflector("widgets"));
	}

	private static Map<String, Object> health(MirrorApplication application) {
		HealthIndicator indicator = (HealthIndicator) application.context
			.getBean("reflectorsHealthContributor", CompositeHealthContributor.class)
			.getContributor("widgets");
		return Objects.requireNonNull(indicator.health(true)).getDetails();
	}

}
