package dev.reflector.integration;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.cache.TimeSource;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.context.ManualTimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What a server can do to a reflector, over a real socket: each time the requests keep
 * the distance of the back-off, the mirror survives and converges, and the log says it in
 * a line.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ResilienceIntegrationTests {

	private static final int TIMES = 5;

	/** Clocks are read at two places. */
	private static final Duration TOLERANCE = Duration.ofMillis(20);

	private static final Fault PROXY_PAGE = Fault.response(200, "text/html", "<html>Please sign in</html>");

	private static final String[] BACKOFF = { "reflector.backoff.initial=100ms", "reflector.backoff.max=200ms",
			"reflector.backoff.jitter=0", "reflector.watch.initial-list=list", "logging.level.reactor.netty=error" };

	private EmbeddedApiServer server;

	private ResourceCollection widgets;

	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
		this.widgets = this.server.resources("widgets");
		create("a");
		create("b");
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	private void create(String name) {
		this.widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	private List<RecordedRequest> requests(boolean watches) {
		return this.server.requests((request) -> watches ? request.isWatch() : request.isList());
	}

	/** The times between requests, without those before and after the trouble. */
	private static List<Duration> distances(List<RecordedRequest> requests) {
		List<Duration> distances = new ArrayList<>();
		for (int i = 1; i < requests.size(); i++) {
			Instant before = requests.get(i - 1).receivedAt();
			distances.add(Duration.between(before, requests.get(i).receivedAt()));
		}
		return distances;
	}

	private static List<String> complaints(CapturedOutput output) {
		return output.getAll()
			.lines()
			.filter((line) -> line.contains(" WARN ") || line.contains(" ERROR "))
			.filter((line) -> line.contains("Reflector 'widgets'"))
			.toList();
	}

	static Stream<Arguments> troubles() {
		return Stream.of(arguments("500 on lists", false, Fault.status(500), 100, "500 InternalError"),
				arguments("503 without a Status on lists", false,
						Fault.response(503, "text/plain", "no healthy upstream"), 100, "no healthy upstream"),
				arguments("429 with Retry-After on lists", false, Fault.status(429).withRetryAfter(1), 1000, "429"),
				arguments("garbage on lists", false, Fault.garbage(), 100, "breaks off before its end"),
				arguments("a page of a proxy on lists", false, PROXY_PAGE, 100, "which is no JSON"),
				arguments("disconnects on lists", false, Fault.disconnect(), 100, "ConnectionLost"),
				arguments("403 on lists", false, Fault.status(403), 100, "verb 'list'"),
				arguments("500 on watches", true, Fault.status(500), 100, "500 InternalError"),
				arguments("429 with Retry-After on watches", true, Fault.status(429).withRetryAfter(1), 1000, "429"),
				arguments("429 in plain text on watches", true, Fault.response(429, "text/plain", "too many requests"),
						100, "429"),
				arguments("garbage on watches", true, Fault.garbage(), 100, "control character"),
				arguments("a page of a proxy on watches", true, PROXY_PAGE, 100, "which is no JSON"),
				arguments("disconnects on watches", true, Fault.disconnect(), 100, "ConnectionLost"),
				arguments("watches closed at once", true, Fault.emptyWatch(), 100, "VeryShortWatch"),
				arguments("410 on watches", true, Fault.status(410, "Expired", "too old"), 100, "has expired"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("troubles")
	void keepsItsDistanceAndConverges(String name, boolean watches, Fault fault, int distance, String said,
			CapturedOutput output) {
		int times = (distance >= 1000) ? 2 : TIMES;
		this.server.fail((request) -> watches ? request.isWatch() : request.isList(), times, fault);
		try (MirrorApplication application = MirrorApplication.on(this.server, BACKOFF)) {
			await().atMost(Duration.ofSeconds(60)).until(() -> requests(watches).size() > times);
			create("c");
			this.widgets.delete("default", "a");
			application.awaitEqualTo(this.widgets);
			application.awaitWatching(this.server);
			assertThat(application.heard.mistakes).isEmpty();
			assertThat(distances(requests(watches).subList(0, times + 1))).allSatisfy(
					(actual) -> assertThat(actual.plus(TOLERANCE)).isGreaterThanOrEqualTo(Duration.ofMillis(distance)));
			assertThat(application.reflector.status().failingSince()).isNull();
		}
		// the same trouble again and again is said once
		assertThat(complaints(output)).singleElement().asString().contains(said);
		assertThat(output).contains("connected again");
	}

	@ParameterizedTest
	@ValueSource(ints = { 403, 429, 500 })
	void aPassThatTriesToStreamAndThenToListIsFollowedByADelayToo(int status, CapturedOutput output) {
		this.server.fail((request) -> request.isAbout("widgets"), 2 * TIMES, Fault.status(status));
		try (MirrorApplication application = MirrorApplication.on(this.server, "reflector.backoff.initial=100ms",
				"reflector.backoff.max=200ms", "reflector.backoff.jitter=0")) {
			application.awaitEqualTo(this.widgets);
			application.awaitWatching(this.server);
			List<RecordedRequest> passes = requests(true);
			assertThat(passes).hasSizeGreaterThan(TIMES);
			assertThat(distances(passes.subList(0, TIMES + 1))).allSatisfy(
					(actual) -> assertThat(actual.plus(TOLERANCE)).isGreaterThanOrEqualTo(Duration.ofMillis(100)));
		}
		assertThat(complaints(output)).singleElement().asString().contains(String.valueOf(status));
	}

	@Test
	void e35_aWatchThatTheServerForgetsToEndIsReopenedWhereItWas() {
		ManualTimeSource time = new ManualTimeSource();
		try (MirrorApplication application = MirrorApplication.start(
				(context) -> ((GenericApplicationContext) context).registerBean(TimeSource.class, () -> time),
				"reflector.api-server.url=" + this.server.url(), "reflector.watch.overlap=0s")) {
			application.awaitEqualTo(this.widgets);
			// for the server, which has a clock of its own, it has only begun
			await().until(() -> this.server.activeWatches() == 1);
			RecordedRequest first = requests(true).get(0);
			time.advance(Duration.ofSeconds(Long.parseLong(first.parameter("timeoutSeconds")) + 29));
			assertThat(requests(true)).hasSize(1);
			await().until(() -> {
				time.advance(Duration.ofSeconds(1));
				return requests(true).size() > 1;
			});
			create("c");
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			assertThat(requests(true)).allSatisfy((watch) -> assertThat(watch.parameter("sendInitialEvents"))
				.isEqualTo((watch.equals(first)) ? "true" : null));
			assertThat(requests(false)).isEmpty();
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	@Test
	void aServerThatIsDownIsAskedNoMoreOftenThanTheBackoffAllows(CapturedOutput output) {
		try (MirrorApplication application = MirrorApplication.on(this.server, BACKOFF)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			create("x");
			application.awaitEqualTo(this.widgets);
			long listsBefore = application.reflector.status().counts().lists();
			this.server.stop();
			await().until(() -> application.reflector.state() == ReflectorState.BACKING_OFF);
			long watches = application.reflector.status().counts().watches();
			long began = System.nanoTime();
			await().until(() -> application.reflector.status().counts().watches() >= watches + TIMES);
			long attempts = application.reflector.status().counts().watches() - watches;
			Duration took = Duration.ofNanos(System.nanoTime() - began);
			assertThat(Duration.ofMillis(100).multipliedBy(attempts - 1)).isLessThan(took.plus(TOLERANCE));
			assertThat(application.mirror()).hasSize(3);
			create("c");
			this.server.start();
			application.awaitEqualTo(this.widgets);
			// E-07: it goes on where it was, without a new list
			assertThat(application.reflector.status().counts().lists()).isEqualTo(listsBefore);
			assertThat(application.heard.mistakes).isEmpty();
		}
		assertThat(complaints(output)).singleElement().asString().contains("ConnectionRefused");
		assertThat(output).containsPattern("connected again after .* without a new list");
	}

	@Test
	void aServerThatIsNotYetThereIsWaitedFor() {
		int port = this.server.port();
		this.server.stop();
		try (MirrorApplication application = MirrorApplication.start(
				"reflector.api-server.url=http://127.0.0.1:" + port, "reflector.backoff.initial=50ms",
				"reflector.backoff.max=50ms")) {
			await().until(() -> application.reflector.status().counts().errors() > 2);
			assertThat(application.reflector.hasSynced()).isFalse();
			this.server.start();
			application.awaitEqualTo(this.widgets);
		}
	}

	@Test
	void watchesThatEndAfterEachEventAreNotReopenedInATightLoop() {
		try (MirrorApplication application = MirrorApplication.on(this.server, BACKOFF)) {
			application.awaitEqualTo(this.widgets);
			AtomicInteger number = new AtomicInteger();
			while (number.get() < TIMES) {
				await().until(() -> this.server.activeWatches() == 1);
				create("w" + number.incrementAndGet());
				application.awaitEqualTo(this.widgets);
				this.server.closeWatches();
			}
			application.awaitEqualTo(this.widgets);
			await().until(() -> requests(true).size() > TIMES);
			assertThat(distances(requests(true))).allSatisfy(
					(actual) -> assertThat(actual.plus(TOLERANCE)).isGreaterThanOrEqualTo(Duration.ofMillis(100)));
			assertThat(requests(false)).hasSize(1);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	@Test
	void aCompactedHistoryCostsOneListAndDeliversTheDifferences() {
		try (MirrorApplication application = MirrorApplication.on(this.server, BACKOFF)) {
			application.awaitEqualTo(this.widgets);
			application.reflector.pause();
			await().until(() -> this.server.activeWatches() == 0);
			create("c");
			this.widgets.delete("default", "a");
			this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 5)));
			this.server.compact();
			application.reflector.resume();
			application.awaitEqualTo(this.widgets);
			assertThat(requests(false)).hasSize(2);
			assertThat(application.heard.mistakes).isEmpty();
			assertThat(application.reflector.status().lastError().status()).isEqualTo(410);
		}
	}

	@Test
	void aServerThatFallsSilentIsLeftAndAskedAgainFromTheSameVersion() {
		try (MirrorApplication application = MirrorApplication.on(this.server,
				"reflector.api-server.idle-timeout=1200ms", "reflector.watch.initial-list=list")) {
			application.awaitEqualTo(this.widgets);
			String version = application.reflector.lastSyncResourceVersion();
			await().until(() -> requests(true).size() >= 3);
			assertThat(requests(true))
				.allSatisfy((request) -> assertThat(request.parameter("resourceVersion")).isEqualTo(version));
			assertThat(requests(false)).hasSize(1);
			create("c");
			application.awaitEqualTo(this.widgets);
		}
	}

}
