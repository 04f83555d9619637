package dev.reflector.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.ReflectorState;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.context.ManualTimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Servers that are restarted, with the delays that an application has by default.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RestartIntegrationTests {

	private static final String LIST = "reflector.watch.initial-list=list";

	private static final String MANIFEST = "This manifest allows all requests that the application needs";

	@TempDir
	private Path folder;

	private EmbeddedApiServer server;

	private ResourceCollection widgets;

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	private void serve(EmbeddedApiServer.Builder builder) {
		this.server = builder.type("example.com/v1", "Widget", "widgets", true).start();
		this.widgets = this.server.resources("widgets");
		create("a");
	}

	private void create(String name) {
		this.widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	private void startInStep(MirrorApplication application) {
		application.awaitEqualTo(this.widgets);
		application.awaitWatching(this.server);
	}

	@Test
	void aServerThatTakesConnectionsAgainIsFollowedFromTheSameVersion(CapturedOutput output) {
		serve(EmbeddedApiServer.builder());
		try (MirrorApplication application = MirrorApplication.on(this.server, LIST)) {
			startInStep(application);
			this.server.clearRequests();
			this.server.stop();
			await().until(() -> output.getOut().contains("Trying again as soon as the server accepts connections"));
			create("b");
			this.server.start();
			application.awaitEqualTo(this.widgets);
			application.awaitWatching(this.server);
			assertThat(this.server.requests(WidgetScenario::isListOfObjects)).isEmpty();
			assertThat(this.server.requests((request) -> request.path().equals("/version"))).hasSize(1);
			assertThat(application.heard.mistakes).isEmpty();
		}
		assertThat(output).contains("without a new list");
	}

	@Test
	void aServerThatForbidsEverythingForAMomentIsFollowedFromTheSameVersion(CapturedOutput output) {
		AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
		serve(EmbeddedApiServer.builder().clock(now::get).forbiddenAfterRestart(Duration.ofSeconds(3)));
		try (MirrorApplication application = MirrorApplication.on(this.server, LIST)) {
			startInStep(application);
			this.server.clearRequests();
			this.server.stop();
			this.server.start();
			await().until(() -> output.getOut()
				.contains("The same request was allowed before, so this may be " + "temporary."));
			now.set(now.get().plusSeconds(3));
			create("b");
			application.awaitEqualTo(this.widgets);
			application.awaitWatching(this.server);
			assertThat(this.server.requests(WidgetScenario::isListOfObjects)).isEmpty();
			assertThat(application.heard.mistakes).isEmpty();
		}
		assertThat(output).doesNotContain(MANIFEST);
	}

	@Test
	void aPermissionThatIsTakenAwayIsNamedWithTheUserOnceItStaysAway(CapturedOutput output) {
		serve(EmbeddedApiServer.builder().forbiddenAfterRestart(Duration.ofHours(1)));
		ManualTimeSource time = new ManualTimeSource();
		try (MirrorApplication application = MirrorApplication.on(this.server, time, LIST,
				"reflector.backoff.initial=1s", "reflector.backoff.max=4s", "reflector.backoff.jitter=0",
				"spring.application.name=shop")) {
			application.awaitEqualTo(this.widgets);
			application.awaitWatching(this.server);
			this.server.stop();
			this.server.start();
			await().atMost(Duration.ofSeconds(60)).until(() -> {
				time.waiting().stream().findFirst().ifPresent(time::advance);
				return output.getOut().contains(MANIFEST);
			});
			assertThat(this.server.requests(RecordedRequest::isWatch)).hasSizeGreaterThan(2);
		}
		assertThat(output).containsOnlyOnce(MANIFEST)
			.contains("kubectl create clusterrolebinding shop-reflectors --clusterrole=shop-reflectors "
					+ "--serviceaccount=default:embedded # named by the server");
	}

	@Test
	void aTokenThatIsReplacedInItsFileIsUsedAtOnce() throws IOException {
		serve(EmbeddedApiServer.builder().requireToken("right"));
		Path file = Files.writeString(this.folder.resolve("token"), "wrong");
		// without a sign, the next attempt would be hours away
		try (MirrorApplication application = MirrorApplication.on(this.server, LIST,
				"reflector.api-server.token-file=" + file, "reflector.backoff.max=24h")) {
			await().until(() -> application.reflector.state() == ReflectorState.BACKING_OFF);
			Path next = Files.writeString(this.folder.resolve("next"), "right");
			await().until(() -> application.reflector.status().lastError() != null);
			Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
			application.awaitEqualTo(this.widgets);
		}
	}

}
