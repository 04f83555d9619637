package dev.reflector.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.LoadBalancer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
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

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Make before break over real sockets: from one watch to the next, every change is heard
 * once, in order, and without a moment in which nobody would hear it.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchOverlapIntegrationTests {

	/** Watches of two or three seconds, each followed after one or two. */
	private static final String[] SHORT = settings("2s", "500ms");

	private final EmbeddedApiServer server = server();

	private final ResourceCollection widgets = this.server.resources("widgets");

	/** What is to be heard after the first list. */
	private final List<String> written = new ArrayList<>();

	private int round;

	private static EmbeddedApiServer server() {
		return EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
	}

	private static String[] settings(String timeout, String overlap) {
		return new String[] { "reflector.watch.min-timeout=" + timeout, "reflector.watch.overlap=" + overlap,
				"reflector.watch.initial-list=list", "reflector.events.overflow=block",
				"logging.level.reactor.netty=error", "logging.level.dev.reflector.Reflector=debug" };
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
	void eachChangeIsHeardOnceAcrossManyWatches(CapturedOutput output) {
		long began = System.nanoTime();
		try (MirrorApplication application = MirrorApplication.on(this.server, SHORT)) {
			await().until(() -> this.server.activeWatches() == 1);
			while (watches().size() < 7) {
				churn(application);
			}
			int requests = watches().size();
			// at most one for each period, which is never shorter than a second
			assertThat(requests).isLessThanOrEqualTo(2 + (int) Duration.ofNanos(System.nanoTime() - began).toSeconds());
			expectEachChangeOnce(application);
			expectNoComplaint(application, output);
			assertThat(output.getAll()).contains("the next watch has taken over");
			await().until(() -> this.server.activeWatches() == 1);
		}
	}

	@Test
	void whereNothingHappensThereIsAlwaysAWatch(CapturedOutput output) {
		try (MirrorApplication application = MirrorApplication.on(this.server, SHORT)) {
			await().until(() -> this.server.activeWatches() == 1);
			await().atMost(Duration.ofSeconds(30)).until(() -> {
				assertThat(this.server.activeWatches()).isPositive();
				return watches().size() == 4;
			});
			create("a");
			expectEachChangeOnce(application);
			expectNoComplaint(application, output);
		}
	}

	@Test
	void changesAreHeardWhileTheNextWatchIsNotAnswered() {
		this.server.failAfter(1, RecordedRequest::isWatch, 1, Fault.slow(Duration.ofSeconds(2)));
		try (MirrorApplication application = MirrorApplication.on(this.server, settings("8s", "2s"))) {
			await().until(() -> this.server.activeWatches() == 1);
			await().atMost(Duration.ofSeconds(30)).until(() -> watches().size() == 2);
			for (int i = 0; i < 5; i++) {
				create("w" + i);
				application.awaitEqualTo(this.widgets);
			}
			assertThat(this.server.activeWatches()).as("the second one is not open yet").isOne();
			await().atMost(Duration.ofSeconds(30)).until(() -> watches().size() == 3);
			create("last");
			expectEachChangeOnce(application);
		}
	}

	static Stream<Arguments> failures() {
		return Stream.of(arguments("429", Fault.status(429).withRetryAfter(1)),
				arguments("410", Fault.status(410, "Expired", "too old")), arguments("500", Fault.status(500)),
				arguments("403", Fault.status(403)), arguments("disconnect", Fault.disconnect()),
				arguments("garbage", Fault.garbage()), arguments("an end at once", Fault.emptyWatch()));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("failures")
	void aNextWatchThatFailsChangesNothing(String name, Fault fault, CapturedOutput output) {
		this.server.failAfter(1, RecordedRequest::isWatch, 1, fault);
		try (MirrorApplication application = MirrorApplication.on(this.server, SHORT)) {
			await().until(() -> this.server.activeWatches() == 1);
			await().until(() -> watches().size() == 2);
			create("a");
			await().until(() -> watches().size() == 3);
			create("b");
			expectEachChangeOnce(application);
			expectNoComplaint(application, output);
			assertThat(output.getAll()).contains("the next watch could not be opened");
		}
	}

	@Test
	void aServerThatLagsBehindIsNotFollowedBeforeItHasCaughtUp() {
		try (EmbeddedApiServer behind = server(); LoadBalancer balancer = LoadBalancer.over(this.server, behind)) {
			balancer.sendTo(this.server);
			String[] settings = Stream
				.concat(Stream.of(settings("4s", "1s")), Stream.of("reflector.api-server.url=" + balancer.url()))
				.toArray(String[]::new);
			try (MirrorApplication application = MirrorApplication.start(settings)) {
				await().until(() -> this.server.activeWatches() == 1);
				churn(application);
				behind.restore(this.server.backup());
				balancer.sendTo(behind);
				while (behind.activeWatches() == 0) {
					churn(application);
				}
				churn(application);
				behind.restore(this.server.backup());
				balancer.sendTo(this.server);
				while (watches().size() == 1) {
					churn(application);
				}
				expectEachChangeOnce(application);
				assertThat(behind.requests(RecordedRequest::isList)).isEmpty();
			}
		}
	}

}
