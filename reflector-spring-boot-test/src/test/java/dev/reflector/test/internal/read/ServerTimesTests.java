package dev.reflector.test.internal.read;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.fixture.TestClient;
import dev.reflector.test.internal.api.Parameters;
import dev.reflector.test.internal.options.AccessOptions;
import dev.reflector.test.internal.options.ServerOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for tokens and watches, which end by themselves after some time.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerTimesTests {

	private static final String ALL = "/apis/example.com/v1/widgets";

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Widget", "widgets", true)
		.continueTokenLife(Duration.ofMinutes(5))
		.minRequestTimeout(Duration.ofMillis(50))
		.clock(this.now::get)
		.start();

	private final TestClient client = new TestClient(this.server);

	@AfterEach
	void close() {
		this.server.close();
	}

	private void advance(Duration duration) {
		this.now.updateAndGet((time) -> time.plus(duration));
	}

	private TestClient.Answer next(TestClient.Answer page) {
		return this.client.get(ALL + "?limit=1&continue=" + page.at("/metadata/continue"));
	}

	@Test
	void aListCanBeContinuedForSomeTimeAfterItsFirstPage() {
		List.of("a", "b", "c", "d").forEach(this::create);
		TestClient.Answer first = this.client.get(ALL + "?limit=1");
		advance(Duration.ofMinutes(3));
		TestClient.Answer second = next(first);
		assertThat(second.names()).containsExactly("b");
		advance(Duration.ofSeconds(119));
		assertThat(next(second).names()).containsExactly("c");
		// the time counts from the first page, not from the one that gave the token out
		advance(Duration.ofSeconds(1));
		TestClient.Answer expired = next(second);
		assertThat(expired.status()).isEqualTo(410);
		assertThat(expired.at("/reason")).isEqualTo("Expired");
		assertThat(expired.at("/status")).isEqualTo("Failure");
	}

	@Test
	void theTokenOfTheRefusalGoesOnWithTheNewestState() {
		List.of("a", "b", "c").forEach(this::create);
		TestClient.Answer first = this.client.get(ALL + "?limit=1");
		advance(Duration.ofMinutes(5));
		TestClient.Answer expired = next(first);
		create("aa");
		advance(Duration.ofHours(1));
		TestClient.Answer fresh = next(expired);
		assertThat(fresh.names()).containsExactly("aa");
		assertThat(fresh.resourceVersion()).isEqualTo(this.server.resourceVersion());
		// from here on it is consistent again, for as long as any list
		advance(Duration.ofMinutes(4));
		assertThat(next(fresh).names()).containsExactly("b");
		advance(Duration.ofMinutes(1));
		assertThat(next(fresh).status()).isEqualTo(410);
	}

	@Test
	void aWatchThatNamesNoTimeEndsByItself() {
		create("a");
		try (TestClient.Stream watch = this.client.watch(ALL)) {
			assertThat(watch.event()).startsWith("ADDED a@");
			assertThat(watch.nextOrEnd()).isNull();
		}
		await().until(() -> this.server.activeWatches() == 0);
	}

	@Test
	void theTimeoutOfAWatchIsRandomUnlessItIsRequested() {
		Duration least = Duration.ofMinutes(30);
		for (int i = 0; i < 100; i++) {
			assertThat(timeout(least, "")).isBetween(Duration.ofMinutes(30), Duration.ofMinutes(60));
		}
		assertThat(timeout(least, "7")).isEqualTo(Duration.ofSeconds(7));
		assertThat(timeout(least, Long.toString(Long.MAX_VALUE)).toNanos()).as("fits a timer").isPositive();
		assertThat(timeout(Duration.ofNanos(1), "")).isPositive();
	}

	private static Duration timeout(Duration least, String seconds) {
		ServerOptions options = new ServerOptions(0, List.of(), Map.of(), Set.of(), Set.of(), 1, Duration.ofMinutes(1),
				Duration.ofMinutes(1), 0, least, Duration.ZERO, InstantSource.system(),
				new AccessOptions(null, null, null, false, Duration.ZERO));
		return WatchPlan.of(new Parameters(Map.of("timeoutSeconds", seconds)), options, false).timeout();
	}

	@Test
	void timesArePositive() {
		EmbeddedApiServer.Builder builder = EmbeddedApiServer.builder();
		assertThatIllegalArgumentException().isThrownBy(() -> builder.continueTokenLife(Duration.ZERO))
			.withMessageContaining("'life'");
		assertThatIllegalArgumentException().isThrownBy(() -> builder.minRequestTimeout(Duration.ofSeconds(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> builder.bookmarkInterval(Duration.ZERO));
	}

	private void create(String name) {
		this.server.resources("widgets").create("{\"metadata\":{\"name\":\"" + name + "\"}}");
	}

}
