package dev.reflector.integration;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.LoadBalancer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.context.ManualTimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Make before break over real sockets: from one watch to the next, each change is
 * delivered once and in order, and there is always an open watch.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchOverlapIntegrationTests {

	/** The time from when the next watch is due until the current watch is given up. */
	private static final Duration LONGEST_LEAD = Duration.ofSeconds(10);

	private static final Duration GRACE = Duration.ofSeconds(30);

	private static final Duration SECOND = Duration.ofSeconds(1);

	/** The time after which the log reports that the next watch is not answered. */
	private static final Duration REMINDER = Duration.ofSeconds(10);

	private static final int ROUNDS = LongForm.times(10, 4);

	/**
	 * The time of the reflector. The server has its own time, in which watches do not get
	 * old.
	 */
	private final ManualTimeSource time = new ManualTimeSource();

	private final EmbeddedApiServer server = server();

	private final ResourceCollection widgets = this.server.resources("widgets");

	/** The changes that must come after the first list. */
	private final List<String> written = new ArrayList<>();

	private int round;

	private static EmbeddedApiServer server() {
		return EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
	}

	private MirrorApplication start(URI url) {
		MirrorApplication application = MirrorApplication.start(
				(context) -> ((GenericApplicationContext) context).registerBean(TimeSource.class, () -> this.time),
				"reflector.api-server.url=" + url, "reflector.watch.initial-list=list",
				"reflector.events.overflow=block", "logging.level.reactor.netty=error",
				"logging.level.dev.reflector.Reflector=debug");
		await().until(() -> due() != null && this.server.activeWatches() == 1);
		return application;
	}

	/**
	 * Returns the time until the next watch is due, or {@code null} if none is. A watch
	 * is due a little before the current watch would be given up because its server has
	 * forgotten to end it (E-35).
	 */
	private @Nullable Duration due() {
		List<Duration> waiting = this.time.waiting();
		int last = waiting.size() - 1;
		// earlier timers only show that a watch has lasted, or is not answered
		boolean due = last > 0 && waiting.get(last - 1).compareTo(REMINDER) > 0
				&& waiting.get(last).minus(waiting.get(last - 1)).compareTo(LONGEST_LEAD.plus(GRACE)) <= 0;
		return due ? waiting.get(last - 1) : null;
	}

	private void passToNextWatch() {
		Duration due = due();
		assertThat(due).isNotNull();
		this.time.advance(due);
	}

	/**
	 * Whether the next watch has taken over. It does when it has delivered an event or
	 * has lasted for a second.
	 */
	private boolean hasTakenOver() {
		List<Duration> waiting = this.time.waiting();
		if (!waiting.isEmpty() && waiting.get(0).compareTo(SECOND) <= 0) {
			this.time.advance(waiting.get(0));
		}
		return due() != null;
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	private String create(String name) {
		String object = described(
				this.widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1))));
		this.written.add("+" + object);
		return object;
	}

	private static String described(JsonNode object) {
		return object.at("/metadata/name").asString() + "@" + object.at("/metadata/resourceVersion").asString();
	}

	/** A creation, changes, a deletion and a creation under the same name. */
	private void churn(MirrorApplication application) {
		String name = "w" + this.round % 5;
		if (this.round++ >= 5) {
			this.widgets.delete("default", name);
			this.written.add("-" + name);
		}
		String before = create(name);
		for (int i = 0; i < 3; i++) {
			String after = described(
					this.widgets.replace(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", i))));
			this.written.add("~" + before + ">" + after);
			before = after;
		}
		application.awaitEqualTo(this.widgets);
	}

	private List<RecordedRequest> watches() {
		return this.server.requests(RecordedRequest::isWatch);
	}

	private static List<String> changes(MirrorApplication application) {
		return application.heard.events.stream().filter((event) -> "+~-".indexOf(event.charAt(0)) >= 0).toList();
	}

	private void expectEachChangeOnce(MirrorApplication application) {
		application.awaitEqualTo(this.widgets);
		assertThat(changes(application)).isEqualTo(this.written);
		assertThat(application.heard.mistakes).isEmpty();
		assertThat(this.server.requests(RecordedRequest::isList)).hasSize(1);
	}

	private static void expectNoComplaint(MirrorApplication application, CapturedOutput output) {
		assertThat(application.reflector.status().counts().errors()).isZero();
		assertThat(application.reflector.status().lastError()).isNull();
		assertThat(output.getAll().lines().filter((line) -> line.contains("Reflector 'widgets'")))
			.noneMatch((line) -> line.contains(" WARN ") || line.contains(" ERROR "));
	}

	@Test
	void eachChangeIsDeliveredOnceAcrossManyWatches(CapturedOutput output) {
		try (MirrorApplication application = start(this.server.url())) {
			for (int i = 0; i < ROUNDS; i++) {
				churn(application);
				passToNextWatch();
				churn(application);
				await().until(() -> hasTakenOver() && this.server.activeWatches() == 1);
			}
			churn(application);
			assertThat(watches()).hasSize(1 + ROUNDS);
			expectEachChangeOnce(application);
			expectNoComplaint(application, output);
			assertThat(output.getAll()).contains("the next watch has taken over");
		}
	}

	@Test
	void withoutEventsThereIsAlwaysAWatch(CapturedOutput output) {
		try (MirrorApplication application = start(this.server.url())) {
			for (int i = 2; i < 5; i++) {
				int number = i;
				passToNextWatch();
				await().until(() -> {
					assertThat(this.server.activeWatches()).isPositive();
					return watches().size() == number && hasTakenOver() && this.server.activeWatches() == 1;
				});
			}
			create("a");
			expectEachChangeOnce(application);
			expectNoComplaint(application, output);
		}
	}

	@Test
	void changesAreDeliveredWhileTheNextWatchIsNotAnswered() {
		this.server.failAfter(1, RecordedRequest::isWatch, 1, Fault.slow(Duration.ofSeconds(10)));
		try (MirrorApplication application = start(this.server.url())) {
			passToNextWatch();
			await().until(() -> watches().size() == 2);
			create("first");
			application.awaitEqualTo(this.widgets);
			assertThat(this.server.activeWatches()).as("the second one is not open yet").isOne();
			for (int i = 0; i < 5; i++) {
				create("w" + i);
				application.awaitEqualTo(this.widgets);
			}
			await().until(() -> hasTakenOver() && this.server.activeWatches() == 1);
			passToNextWatch();
			await().until(() -> watches().size() == 3);
			create("last");
			expectEachChangeOnce(application);
		}
	}

	static Stream<Arguments> failures() {
		return LongForm.some(Stream.of(arguments("429", Fault.status(429).withRetryAfter(1)),
				arguments("403", Fault.status(403)), arguments("500", Fault.status(500)),
				arguments("410", Fault.status(410, "Expired", "too old")), arguments("disconnect", Fault.disconnect()),
				arguments("garbage", Fault.garbage()), arguments("an end at once", Fault.emptyWatch())));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("failures")
	void aNextWatchThatFailsChangesNothing(String name, Fault fault, CapturedOutput output) {
		this.server.failAfter(1, RecordedRequest::isWatch, 1, fault);
		try (MirrorApplication application = start(this.server.url())) {
			passToNextWatch();
			await().until(() -> output.getAll().contains("the next watch could not be opened"));
			create("a");
			application.awaitEqualTo(this.widgets);
			assertThat(watches()).hasSize(2);
			endPresentWatch();
			await().until(() -> watches().size() == 3);
			create("b");
			expectEachChangeOnce(application);
			expectNoComplaint(application, output);
		}
	}

	/** Ends the current watch as the server does after its timeout. */
	private void endPresentWatch() {
		List<Duration> waiting = this.time.waiting();
		this.time.advance(waiting.get(waiting.size() - 1).minus(GRACE));
		this.server.closeWatches();
	}

	@Test
	void aServerThatLagsBehindIsNotFollowedBeforeItHasCaughtUp() {
		try (EmbeddedApiServer behind = server(); LoadBalancer balancer = LoadBalancer.over(this.server, behind)) {
			balancer.sendTo(this.server);
			try (MirrorApplication application = start(balancer.url())) {
				churn(application);
				behind.restore(this.server.backup());
				balancer.sendTo(behind);
				passToNextWatch();
				await().until(() -> behind.activeWatches() == 1);
				// the watch of the server that lags behind does not take over, although
				// it has lasted
				for (String name : List.of("a", "b", "c")) {
					create(name);
					application.awaitEqualTo(this.widgets);
					assertThat(hasTakenOver()).isFalse();
				}
				assertThat(this.server.activeWatches()).isOne();
				List.of("a", "b", "c").forEach((name) -> catchUp(behind, name));
				await().until(() -> hasTakenOver() && this.server.activeWatches() == 0);
				create("d");
				catchUp(behind, "d");
				application.awaitEqualTo(this.widgets);
				balancer.sendTo(this.server);
				passToNextWatch();
				await().until(() -> this.server.activeWatches() == 1);
				churn(application);
				await().until(() -> hasTakenOver() && behind.activeWatches() == 0);
				expectEachChangeOnce(application);
				assertThat(behind.requests(RecordedRequest::isList)).isEmpty();
			}
		}
	}

	/** The same write gets the same version on the server that is behind. */
	private void catchUp(EmbeddedApiServer behind, String name) {
		String object = described(behind.resources("widgets")
			.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1))));
		assertThat(this.written).contains("+" + object);
	}

}
