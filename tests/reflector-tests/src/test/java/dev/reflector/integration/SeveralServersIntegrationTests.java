package dev.reflector.integration;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

import dev.reflector.ReflectorState;
import dev.reflector.test.Backup;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.LoadBalancer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests servers with an older state than the reflector: one that was restored from a
 * backup, and two behind one address, one of which lags behind.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeveralServersIntegrationTests {

	private static final String[] SETTINGS = { "reflector.backoff.initial=100ms", "reflector.backoff.max=100ms",
			"reflector.backoff.jitter=0", "reflector.watch.initial-list=list", "logging.level.reactor.netty=error" };

	private final EmbeddedApiServer ahead = server();

	private final EmbeddedApiServer behind = server();

	private final ResourceCollection widgets = this.ahead.resources("widgets");

	private static EmbeddedApiServer server() {
		return EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).build();
	}

	@BeforeEach
	void startServers() {
		this.ahead.start();
		this.behind.start();
		create("a");
		create("b");
	}

	@AfterEach
	void closeServers() {
		this.ahead.close();
		this.behind.close();
	}

	private void create(String name) {
		this.widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	private LoadBalancer balancer() {
		LoadBalancer balancer = LoadBalancer.over(this.ahead, this.behind);
		balancer.sendTo(this.ahead);
		return balancer;
	}

	private static MirrorApplication application(String url) {
		String[] settings = Arrays.copyOf(SETTINGS, SETTINGS.length + 1);
		settings[SETTINGS.length] = "reflector.api-server.url=" + url;
		return MirrorApplication.start(settings);
	}

	@Test
	void aServerRestoredFromABackupIsFollowedFromTheNextListOn() {
		// E-14, kubernetes/kubernetes#107457, #118501: a watch from the future is silent
		// (W-12), and most libraries keep lost objects until they are restarted. This
		// reflector needs a list, too: a requested one, or one after a bookmark that went
		// back
		Backup backup = this.ahead.backup();
		try (MirrorApplication application = application(this.ahead.url().toString())) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.ahead.activeWatches() == 1);
			create("lost");
			this.widgets.delete("default", "a");
			application.awaitEqualTo(this.widgets);
			this.ahead.restore(backup);
			await().until(() -> this.ahead.requests(RecordedRequest::isWatch).size() == 2);
			assertThat(this.ahead.requests(RecordedRequest::isList)).hasSize(1);
			this.ahead.clearRequests();
			application.reflector.relist();
			application.awaitEqualTo(this.widgets);
			assertThat(application.mirror()).containsOnlyKeys("default/a", "default/b");
			// 504 for the version that does not exist any more, then no version
			assertThat(this.ahead.requests(RecordedRequest::isList))
				.extracting((request) -> request.parameter("resourceVersion"))
				.containsExactly("5", null);
			await().until(() -> this.ahead.activeWatches() == 1);
			create("c");
			application.awaitEqualTo(this.widgets);
			assertThat(application.heard.events).contains("-lost");
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	@Test
	void aServerThatLagsBehindIsWaitedFor() {
		// E-15, kubernetes/kubernetes#107133: a loop of "too large resource version", or
		// old changes are delivered again
		this.behind.restore(this.ahead.backup());
		try (LoadBalancer balancer = balancer();
				MirrorApplication application = application(balancer.url().toString())) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.ahead.activeWatches() == 1);
			create("c");
			this.widgets.delete("default", "a");
			application.awaitEqualTo(this.widgets);
			balancer.sendTo(this.behind);
			balancer.disconnect();
			await().until(() -> this.behind.activeWatches() == 1);
			// had it been shorter than a second, it would have cost a list
			await().pollDelay(Duration.ofMillis(1200)).until(() -> this.behind.activeWatches() == 1);
			this.behind.restore(this.ahead.backup());
			this.behind.resources("widgets").create(Map.of("metadata", Map.of("name", "d")));
			application.awaitEqualTo(this.behind.resources("widgets"));
			assertThat(this.ahead.requests(RecordedRequest::isList)).hasSize(1);
			assertThat(this.behind.requests(RecordedRequest::isList)).isEmpty();
			assertThat(this.behind.requests(RecordedRequest::isWatch)).first()
				.satisfies((request) -> assertThat(request.parameter("resourceVersion")).isEqualTo("5"));
			assertThat(application.heard.events).containsOnlyOnce("+c@4", "-a", "+d@6");
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	@Test
	void aListOnTheServerThatLagsBehindIsAskedForOnce() {
		// E-15, kubernetes/kubernetes#107133: "too large resource version" again and
		// again. Of the libraries that were tested, only client-go and libraries built on
		// it recover
		this.behind.restore(this.ahead.backup());
		try (LoadBalancer balancer = balancer();
				MirrorApplication application = application(balancer.url().toString())) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.ahead.activeWatches() == 1);
			create("c");
			application.awaitEqualTo(this.widgets);
			balancer.sendTo(this.behind);
			balancer.disconnect();
			await().until(() -> this.behind.activeWatches() == 1);
			application.reflector.relist();
			await().until(() -> application.reflector.status().counts().relists() == 1
					&& application.reflector.state() == ReflectorState.WATCHING);
			// the price of R-25: the mirror goes back to the state of this server
			application.awaitEqualTo(this.behind.resources("widgets"));
			int lists = this.ahead.requests(RecordedRequest::isList).size()
					+ this.behind.requests(RecordedRequest::isList).size();
			assertThat(lists).isBetween(2, 3);
			this.behind.restore(this.ahead.backup());
			balancer.disconnect();
			application.awaitEqualTo(this.widgets);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

}
