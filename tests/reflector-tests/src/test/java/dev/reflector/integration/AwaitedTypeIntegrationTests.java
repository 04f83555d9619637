package dev.reflector.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.cache.informer.Instrumentation;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.context.ManualTimeSource;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Types that the server does not serve, or not yet, or not any more.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AwaitedTypeIntegrationTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/**
	 * Longer than the time between two discovery requests, and shorter than all other
	 * timers.
	 */
	private static final Duration SOON = Duration.ofSeconds(10);

	private static final Fault GONE = Fault.response(404, "text/plain; charset=utf-8", "404 page not found\n");

	private final ManualTimeSource time = new ManualTimeSource();

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("apps/v1", "Deployment", "deployments", true)
		.build();

	@AfterEach
	void close() {
		this.server.close();
	}

	private static ResourceCollection addWidgets(EmbeddedApiServer server) {
		return server.addType("example.com/v1", "Widget", "widgets", true);
	}

	private static void create(ResourceCollection widgets, String name) {
		widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	private void awaitAwaiting(MirrorApplication application) {
		awaitMeanwhile(() -> assertThat(application.reflector.state()).isEqualTo(ReflectorState.AWAITING_TYPE));
	}

	private void awaitEqualTo(ResourceCollection widgets, MirrorApplication application) {
		awaitMeanwhile(() -> application.assertEqualTo(widgets));
	}

	/**
	 * Awaits a condition, and advances the time past the delays of discovery and of
	 * requests until the condition holds.
	 */
	private void awaitMeanwhile(ThrowingRunnable assertion) {
		await().atMost(PATIENCE).untilAsserted(() -> {
			try {
				assertion.run();
			}
			catch (AssertionError ex) {
				delay().ifPresent(this.time::advance);
				throw ex;
			}
		});
	}

	/** Returns the rest of the delay that ends next, or empty if it does not end soon. */
	private Optional<Duration> delay() {
		return this.time.waiting().stream().findFirst().filter((delay) -> delay.compareTo(SOON) < 0);
	}

	private static boolean isDiscovery(RecordedRequest request) {
		return request.path().matches("/apis?(/[^/]+/v1)?");
	}

	static Stream<Arguments> discoveries() {
		return Stream.of(arguments(true, ""), arguments(false, ""), arguments(true, "widgets"))
			.limit(LongForm.atMost(2));
	}

	@ParameterizedTest(name = "aggregated discovery: {0}, declared plural: ''{1}''")
	@MethodSource("discoveries")
	void aTypeThatAppearsLaterIsMirroredSoonAfter(boolean aggregated, String plural, CapturedOutput output) {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("apps/v1", "Deployment", "deployments", true)
			.aggregatedDiscovery(aggregated)
			.start();
				MirrorApplication application = MirrorApplication.on(server, this.time,
						"reflector.resources.widgets.plural=" + plural,
						// discovery must find the type, not an attempt of the reflector
						"reflector.backoff.max=10m")) {
			awaitAwaiting(application);
			assertThat(application.context.getBeanProvider(Instrumentation.class)).isNotEmpty();
			assertThat(application.reflector.status().synced()).isFalse();
			assertThat(application.reflector.status().lastError()).satisfies((error) -> {
				assertThat(error.status()).isEqualTo(404);
				assertThat(error.reason()).isEqualTo("TypeNotServed");
				assertThat(error.message()).contains("does not serve example.com/v1 Widget").contains("CRD");
			});
			ResourceCollection widgets = addWidgets(server);
			create(widgets, "a");
			awaitEqualTo(widgets, application);
			application.awaitWatching(server);
			create(widgets, "b");
			awaitEqualTo(widgets, application);
			assertThat(application.reflector.status().failingSince()).isNull();
			assertThat(application.reflector.resourceType().plural()).isEqualTo("widgets");
			assertThat(application.heard.events).contains("AWAITING_TYPE>WATCHING")
				.anyMatch((event) -> event.endsWith(">AWAITING_TYPE"));
			assertThat(application.heard.mistakes).isEmpty();
			assertThat(output).containsOnlyOnce(
					"Reflector 'widgets': waiting until the server serves this type: the server does not serve "
							+ "example.com/v1 Widget");
		}
	}

	@Test
	void aTypeThatIsRemovedAndInstalledAgainIsMirroredAgain() {
		this.server.start();
		ResourceCollection widgets = addWidgets(this.server);
		try (MirrorApplication application = MirrorApplication.on(this.server, this.time)) {
			for (String name : List.of("first", "second", "third")) {
				create(widgets, name);
				awaitEqualTo(widgets, application);
				application.awaitWatching(this.server);
				this.server.removeType("example.com/v1", "widgets");
				awaitAwaiting(application);
				awaitMeanwhile(() -> assertThat(application.mirror()).isEmpty());
				widgets = addWidgets(this.server);
			}
			create(widgets, "last");
			awaitEqualTo(widgets, application);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	@Test
	void theMirrorKeepsItsObjectsUntilTheTypeIsBack() {
		this.server.start();
		ResourceCollection widgets = addWidgets(this.server);
		create(widgets, "a");
		try (MirrorApplication application = MirrorApplication.on(this.server, this.time)) {
			awaitEqualTo(widgets, application);
			application.awaitWatching(this.server);
			this.server.fail((request) -> request.path().startsWith("/apis/example.com"), 1000, GONE);
			this.server.closeWatches();
			awaitAwaiting(application);
			assertThat(application.mirror()).isEqualTo(MirrorApplication.contentOf(widgets));
			assertThat(application.reflector.hasSynced()).isTrue();
			create(widgets, "b");
			widgets.delete("default", "a");
			this.server.clearFaults();
			awaitEqualTo(widgets, application);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	static Stream<Boolean> aggregated() {
		return LongForm.some(Stream.of(true, false));
	}

	@ParameterizedTest
	@MethodSource("aggregated")
	void manyReflectorsShareDiscoveryRequests(boolean aggregated) {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("apps/v1", "Deployment", "deployments", true)
			.aggregatedDiscovery(aggregated)
			.start()) {
			List<String> properties = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				properties.add("reflector.resources.gadgets" + i + ".api-version=example.com/v1");
				properties.add("reflector.resources.gadgets" + i + ".kind=Gadget" + i);
			}
			try (MirrorApplication application = MirrorApplication.on(server, this.time,
					properties.toArray(String[]::new))) {
				List<Reflector<?>> reflectors = application.context.getBeanProvider(Reflector.class)
					.stream()
					.<Reflector<?>>map((reflector) -> reflector)
					.toList();
				assertThat(reflectors).hasSize(21);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(reflectors).extracting(Reflector::status)
						.allMatch((status) -> status.state() == ReflectorState.AWAITING_TYPE));
				for (int look = 0; look < 3; look++) {
					int asked = questions(server).size();
					await().atMost(PATIENCE).until(() -> delay().isPresent());
					this.time.advance(delay().orElseThrow());
					await().atMost(PATIENCE).until(() -> questions(server).size() > asked);
					assertThat(questions(server)).as("one for all").hasSize(asked + 1);
				}
				assertThat(server.requests((request) -> request.path().equals("/apis"))).hasSize(1);
				assertThatQuestionsAreFew(server);
				assertThat(server.requests(RecordedRequest::isList)).isEmpty();
				for (int i = 0; i < 20; i++) {
					server.addType("example.com/v1", "Gadget" + i, "gadget" + i + "s", i % 2 == 0);
				}
				awaitMeanwhile(() -> assertThat(reflectors)
					.allMatch((reflector) -> reflector.name().equals("widgets") || reflector.hasSynced()));
				assertThatQuestionsAreFew(server);
			}
		}
	}

	/**
	 * The number of discovery requests depends on the time, not on the number of
	 * reflectors.
	 */
	private void assertThatQuestionsAreFew(EmbeddedApiServer server) {
		Duration passed = Duration.ofNanos(this.time.nanoTime());
		assertThat(questions(server)).hasSizeLessThan(8 + 2 * (int) passed.toSeconds());
	}

	private static List<RecordedRequest> questions(EmbeddedApiServer server) {
		return server.requests(AwaitedTypeIntegrationTests::isDiscovery);
	}

	@Test
	void forbiddenDiscoveryIsDoneWithout(CapturedOutput output) {
		this.server.start();
		ResourceCollection widgets = addWidgets(this.server);
		create(widgets, "a");
		this.server.fail(AwaitedTypeIntegrationTests::isDiscovery, 1000, Fault.status(403));
		try (MirrorApplication application = MirrorApplication.on(this.server, this.time)) {
			awaitEqualTo(widgets, application);
			application.awaitWatching(this.server);
			assertThat(application.reflector.resourceType().plural()).isEqualTo("widgets");
			assertThat(output).containsOnlyOnce("plurals that are not declared are guessed");
			this.server.removeType("example.com/v1", "widgets");
			awaitAwaiting(application);
			ResourceCollection again = addWidgets(this.server);
			create(again, "b");
			awaitEqualTo(again, application);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	static Stream<String> namespaces() {
		return LongForm
			.some(Stream.of("reflector.resources.widgets.namespaces=shop", "reflector.api-server.namespace=shop"));
	}

	@ParameterizedTest
	@MethodSource("namespaces")
	void namespacesOfAClusterScopedTypeAreNamedAsTheMistake(String property) {
		this.server.start();
		this.server.addType("example.com/v1", "Widget", "widgets", false);
		try (MirrorApplication application = MirrorApplication.on(this.server, property)) {
			await().atMost(PATIENCE).until(() -> application.reflector.state() == ReflectorState.BACKING_OFF);
			assertThat(application.reflector.status().lastError()).satisfies((error) -> {
				assertThat(error.reason()).isEqualTo("ClusterScoped");
				assertThat(error.message()).contains("example.com/v1 Widget is cluster-scoped").contains("'shop'");
			});
		}
	}

	@Test
	void anAddressWithoutAnApiServerIsNamedAsTheMistake() {
		this.server.start();
		try (MirrorApplication application = MirrorApplication
			.start("reflector.api-server.url=" + this.server.url() + "/nothing/here")) {
			await().atMost(PATIENCE).until(() -> application.reflector.state() == ReflectorState.BACKING_OFF);
			assertThat(application.reflector.status().lastError().message()).contains("/nothing/here")
				.contains("reflector.api-server.url");
		}
	}

}
