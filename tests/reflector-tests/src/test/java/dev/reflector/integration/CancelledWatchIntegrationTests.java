package dev.reflector.integration;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

import static org.awaitility.Awaitility.await;

/**
 * A watch that is cancelled leaves no connection, whenever that happens.
 * {@code -Dtests.watches=N} cancels N of them.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CancelledWatchIntegrationTests {

	private static final int TIMES = Integer.getInteger("tests.watches", LongForm.times(300, 60));

	@Test
	void leavesNoConnectionAtTheMomentItIsAnswered() {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			ListerWatcher<Widget> widgets = widgets(server);
			for (int i = 0; i < TIMES; i++) {
				Disposable watch = widgets.watch(new WatchOptions(null, "1", Duration.ofMinutes(5), true, false))
					.subscribe((event) -> {
					}, (error) -> {
					});
				while (server.activeWatches() == 0) {
					Thread.onSpinWait();
				}
				LockSupport.parkNanos(i % 50 * 10_000);
				watch.dispose();
				await().pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(1))
					.until(() -> server.activeWatches() == 0);
			}
		}
	}

	private static ListerWatcher<Widget> widgets(EmbeddedApiServer server) {
		ApiServerClient client = ApiServerClient.builder(new ApiServer(server.url(), null, TokenSource.none(), "test"))
			.decodeScheduler(Schedulers.immediate())
			.build();
		return client.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class),
				ResourceType.of("example.com/v1", "Widget", "widgets"), "", "");
	}

}
