package dev.reflector.integration;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.reflector.event.ResourceEvent;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The meters and observations of reflectors in a Spring Boot application, with a real
 * socket.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ObservabilityIntegrationTests extends WidgetServer {

	private final Observed observed = new Observed();

	@BeforeEach
	void createWidget() {
		create("a");
	}

	private MirrorApplication start(String initialList, String... properties) {
		ApplicationContextInitializer<GenericApplicationContext> beans = (context) -> {
			context.registerBean(Observed.class, () -> this.observed);
			context.registerBean(Listener.class,
					() -> new Listener(context.getBeanProvider(ObservationRegistry.class).getObject()));
		};
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("reflector.api-server.url=" + this.server.url());
		all.add("reflector.watch.initial-list=" + initialList);
		// the auto-configurations of metrics, tracing and HTTP on the class path
		all.add(UnrelatedAutoConfigurations.INCLUDED);
		return MirrorApplication.start(beans, all.toArray(String[]::new));
	}

	@Test
	void requestsAreNamedAsTheApplicationSays() {
		try (MirrorApplication application = start("list",
				"management.observations.http.client.requests.name=outbound")) {
			application.awaitEqualTo(this.widgets);
			await().untilAsserted(() -> assertThat(this.observed.of("outbound")).isNotEmpty());
			assertThat(this.observed.of("http.client.requests")).isEmpty();
		}
	}

	@Test
	void requestOfAListBelongsToItsTrace() {
		try (MirrorApplication application = start("list")) {
			application.awaitEqualTo(this.widgets);
			await().untilAsserted(
					() -> assertThat(this.observed.of("reflector.list")).singleElement().satisfies((list) -> {
						assertThat(list.getLowCardinalityKeyValue("mode").getValue()).isEqualTo("list");
						assertThat(this.observed.of("http.client.requests")).isNotEmpty().anySatisfy((request) -> {
							ObservationView parent = request.getParentObservation();
							assertThat(parent).isNotNull();
							assertThat(parent.getContextView()).isSameAs(list);
						});
					}));
		}
	}

	@Test
	void streamedListIsObservedToo() {
		try (MirrorApplication application = start("stream")) {
			application.awaitEqualTo(this.widgets);
			await().untilAsserted(() -> assertThat(this.observed.of("reflector.list")).singleElement()
				.satisfies(
						(list) -> assertThat(list.getLowCardinalityKeyValue("mode").getValue()).isEqualTo("stream")));
		}
	}

	@Test
	void listenerIsCalledWithinTheObservationOfItsDelivery() {
		try (MirrorApplication application = start("auto")) {
			application.awaitEqualTo(this.widgets);
			create("b");
			Listener listener = application.context.getBean(Listener.class);
			await().untilAsserted(
					() -> assertThat(listener.heard).containsExactly("a in null", "b in reflector.delivery"));
			await().untilAsserted(() -> assertThat(this.observed.of("reflector.delivery")).hasSize(1));
		}
	}

	@Test
	void metersCountRequestsOverTheSocket() {
		try (MirrorApplication application = start("auto")) {
			application.awaitEqualTo(this.widgets);
			MeterRegistry registry = application.context.getBean(MeterRegistry.class);
			double received = registry.get("reflector.received").tag("reflector", "widgets").counter().count();
			assertThat(received).isGreaterThan(100);
			create("b");
			application.awaitEqualTo(this.widgets);
			await().untilAsserted(() -> {
				assertThat(registry.get("reflector.received").counter().count()).isGreaterThan(received);
				assertThat(registry.get("reflector.delivery.latency").tag("from", "server").timer().count()).isOne();
				assertThat(registry.get("reflector.delivery.latency").tag("from", "arrival").timer().count())
					.isPositive();
			});
			this.server.closeWatches();
			await().untilAsserted(
					() -> assertThat(registry.get("reflector.reconnects").tag("reason", "ended").counter().count())
						.isPositive());
			await().untilAsserted(() -> {
				this.server.sendBookmarks();
				assertThat(registry.get("reflector.last.bookmark.age").gauge().value()).isBetween(0.0, 60.0);
			});
		}
	}

	@Test
	void guideNamesEveryMeterOfAnApplicationWithItsTags(@TempDir Path directory) throws IOException {
		List<MeterTable.Row> documented = MeterTable.documented();
		ApplicationContextInitializer<GenericApplicationContext> beans = (context) -> {
			context.registerBean(Observed.class, () -> this.observed);
			context.registerBean(FailingListener.class, FailingListener::new);
		};
		try (MirrorApplication application = MirrorApplication.start(beans,
				"reflector.api-server.url=" + this.server.url(), "reflector.watch.initial-list=list",
				"reflector.events.on-error=retry", "reflector.events.retry.delay=1ms",
				"reflector.snapshot.enabled=true", "reflector.snapshot.jdbc.file=" + directory.resolve("mirror.db"),
				"reflector.snapshot.accept-loss=true",
				// the replica to which the namespace 'default' belongs
				"reflector.sharding.enabled=true", "reflector.sharding.field=namespace", "reflector.sharding.count=2",
				"reflector.sharding.index=1", "reflector.sharding.leases.enabled=false")) {
			application.awaitEqualTo(this.widgets);
			create("b");
			this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 2)));
			this.widgets.delete("default", "b");
			await().untilAsserted(() -> assertThat(this.observed.of("reflector.delivery")).hasSize(3));
			List<MeterTable.Row> registered = MeterTable.registered(application.context.getBean(MeterRegistry.class));
			assertThat(registered).extracting(MeterTable.Row::name)
				.containsExactlyInAnyOrderElementsOf(documented.stream().map(MeterTable.Row::name).toList());
			assertThat(registered).allSatisfy((meter) -> {
				MeterTable.Row row = documented.stream()
					.filter((candidate) -> candidate.name().equals(meter.name()))
					.findFirst()
					.orElseThrow();
				assertThat(meter.kind()).isEqualTo(row.kind());
				assertThat(meter.tags().remove("reflector")).containsExactly("widgets");
				assertThat(meter.tags().keySet()).isEqualTo(row.tags().keySet());
				row.tags().forEach((tag, values) -> assertThat(values).as(tag).containsAll(meter.tags().get(tag)));
			});
		}
	}

	@Test
	void listenerThatHangsIsSeenWhileItDoes() {
		Latch released = new Latch(new CountDownLatch(1));
		ApplicationContextInitializer<GenericApplicationContext> beans = (context) -> context
			.registerBean(HangingListener.class, () -> new HangingListener(released));
		try (MirrorApplication application = MirrorApplication.start(beans,
				"reflector.api-server.url=" + this.server.url(), "reflector.events.queue-capacity=1",
				"reflector.events.overflow=block"); released) {
			await().until(() -> this.server.activeWatches() == 1);
			MeterRegistry registry = application.context.getBean(MeterRegistry.class);
			for (int i = 0; i < 600; i++) {
				create("more-" + i);
			}
			await().untilAsserted(() -> assertThat(blockedAge(registry)).isPositive());
			double before = blockedAge(registry);
			await().untilAsserted(() -> assertThat(blockedAge(registry)).isGreaterThan(before));
			released.latch().countDown();
			application.awaitEqualTo(this.widgets);
			await().untilAsserted(() -> assertThat(blockedAge(registry)).isZero());
			assertThat(registry.get("reflector.watch.blocked").timer().totalTime(TimeUnit.SECONDS))
				.isGreaterThan(before);
		}
	}

	private static double blockedAge(MeterRegistry registry) {
		return registry.get("reflector.watch.blocked.age").tag("reflector", "widgets").gauge().value();
	}

	@Test
	void objectThatIsLabelledIntoTheSelectionHasNoLatencySinceItsCreation() {
		Instant later = Instant.parse(this.widgets.list().get(0).at("/metadata/creationTimestamp").asString())
			.plusSeconds(1);
		await().until(() -> Instant.now().isAfter(later));
		try (MirrorApplication application = MirrorApplication.on(this.server,
				"reflector.resources.widgets.label-selector=picked=yes")) {
			await().until(() -> application.reflector.hasSynced() && this.server.activeWatches() == 1);
			Map<String, Object> labels = Map.of("labels", Map.of("picked", "yes"));
			this.widgets.mergePatch("default", "a", Map.of("metadata", labels));
			this.widgets.create(Map.of("metadata", Map.of("name", "b", "labels", Map.of("picked", "yes")), "spec",
					Map.of("size", 1)));
			await().until(() -> application.mirror().size() == 2 && application.heard.folded().size() == 2);
			assertThat(application.context.getBean(MeterRegistry.class)
				.get("reflector.delivery.latency")
				.tag("from", "server")
				.timer()
				.count()).isOne();
		}
	}

	/** Held until it is closed. */
	record Latch(CountDownLatch latch) implements AutoCloseable {

		@Override
		public void close() {
			this.latch.countDown();
		}

	}

	/** Fails when the first change after the initial list is delivered. */
	static class FailingListener {

		private boolean failed;

		@EventListener
		void on(ResourceEvent<Widget> event) {
			if (!event.initialList() && !this.failed) {
				this.failed = true;
				throw new IllegalStateException("at first");
			}
		}

	}

	static class HangingListener {

		private final Latch released;

		HangingListener(Latch released) {
			this.released = released;
		}

		@EventListener
		void on(ResourceEvent<Widget> event) throws InterruptedException {
			this.released.latch().await();
		}

	}

	static class Listener {

		private final ObservationRegistry registry;

		private final List<String> heard = new CopyOnWriteArrayList<>();

		Listener(ObservationRegistry registry) {
			this.registry = registry;
		}

		@EventListener
		void on(ResourceEvent<Widget> event) {
			Observation current = this.registry.getCurrentObservation();
			this.heard
				.add(event.resource().name() + " in " + ((current != null) ? current.getContext().getName() : null));
		}

	}

	static class Observed implements ObservationHandler<Observation.Context> {

		private final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		@Override
		public void onStop(Observation.Context context) {
			this.stopped.add(context);
		}

		List<Observation.Context> of(String name) {
			return this.stopped.stream().filter((context) -> name.equals(context.getName())).toList();
		}

	}

}
