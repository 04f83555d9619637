package dev.reflector.cache.informer;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerHarness;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.internal.loop.LoopTimers;
import dev.reflector.cache.internal.loop.WatchProgress;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The test cases of client-go for loops that wait between attempts (C-384 to C-395), run
 * with the loop of the reflector.
 */
@Timeout(60)
class WaitingConformanceTests {

	private static final ReflectorOptions OPTIONS = InformerHarness.listing().build();

	private final ScriptedSource source = new ScriptedSource();

	private void failLists(int times) {
		for (int i = 0; i < times; i++) {
			this.source.failList(new IOException("scripted"));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 100 })
	void c384_c386_triesUntilItSucceeds(int attempts) throws Exception {
		failLists(attempts - 1);
		this.source.answer("5", Thing.of("a", "1"));
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			for (int i = 1; i < attempts; i++) {
				loop.passDelay();
			}
			this.source.nextWatch();
			assertThat(this.source.lists).hasSize(attempts);
			assertThat(loop.delays).hasSize(attempts - 1);
		}
	}

	@Test
	void c385_theNextAttemptComesWhenTheDelayIsOverAndOnlyOnce() throws Exception {
		failLists(1);
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			assertThat(loop.awaitDelay()).isEqualTo(Duration.ofSeconds(1));
			loop.time.advance(Duration.ofMillis(999));
			assertThat(loop.time.waiting()).hasSize(1);
			assertThat(this.source.lists).hasSize(1);
			loop.time.advance(Duration.ofMillis(2));
			InformerHarness.soon()
				.until(() -> loop.time.waiting().equals(List.of(WatchProgress.REMINDER, LoopTimers.PAGE)));
			assertThat(this.source.lists).hasSize(2);
			loop.time.advance(LoopTimers.PAGE.minusSeconds(1));
			InformerHarness.soon()
				.until(() -> loop.time.waiting().equals(List.of(LoopTimers.PAGE, WatchProgress.REMINDER)));
			assertThat(this.source.lists).hasSize(2);
		}
	}

	static Stream<Throwable> failures() {
		return Stream.of(ScriptedSource.status(400, "BadRequest"), new IOException("scripted"),
				new IllegalStateException("scripted"), new NoClassDefFoundError("scripted"));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void c387_noErrorEndsTheLoopButEachIsReported(Throwable failure) throws Exception {
		this.source.failList(failure).answer("5");
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			loop.awaitDelay();
			assertThat(this.source.lists).hasSize(1);
			assertThat(loop.informer.status().lastError().message()).contains("scripted");
			loop.passDelay();
			this.source.nextWatch();
			loop.awaitSynced();
		}
	}

	@Test
	void c388_c389_c391_aStoppedLoopSendsNoRequest() throws Exception {
		try (InformerHarness loop = new InformerHarness(this.source, OPTIONS)) {
			loop.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
			assertThat(this.source.lists).isEmpty();
			assertThat(loop.informer.state()).isEqualTo(ReflectorState.STOPPED);
			assertThat(loop.informer.status().lastError()).isNull();
		}
	}

	@Test
	void c390_aStopDuringADelayEndsTheRequestsWithoutANewError() throws Exception {
		failLists(6);
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			for (int i = 1; i < 5; i++) {
				loop.passDelay();
			}
			loop.awaitDelay();
			assertStops(loop, 5);
		}
	}

	@Test
	void c392_aStopBeforeTheSecondAttemptPreventsIt() throws Exception {
		failLists(2);
		ReflectorOptions options = InformerHarness.listing()
			.backoff(new BackoffSettings(Duration.ofSeconds(2), Duration.ofSeconds(2), 1, 0, Duration.ZERO))
			.build();
		try (InformerHarness loop = InformerHarness.started(this.source, options)) {
			loop.awaitDelay();
			loop.time.advance(Duration.ofSeconds(1));
			assertStops(loop, 1);
		}
	}

	private void assertStops(InformerHarness loop, int attempts) throws Exception {
		loop.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(loop.time.waiting()).isEmpty();
		loop.time.advance(Duration.ofHours(1));
		assertThat(this.source.lists).hasSize(attempts);
		assertThat(loop.informer.state()).isEqualTo(ReflectorState.STOPPED);
		assertThat(loop.informer.status().lastError().message()).contains("scripted");
	}

	@Test
	void c393_c394_theDelayBeginsWhenTheAttemptHasEnded() throws Exception {
		Duration tick = Duration.ofMillis(200);
		ReflectorOptions options = InformerHarness.listing()
			.backoff(new BackoffSettings(tick, tick, 1, 0, Duration.ofMinutes(2)))
			.build();
		SlowSource slow = new SlowSource();
		try (InformerHarness loop = InformerHarness.started(slow, options)) {
			for (int attempt = 0; attempt < 3; attempt++) {
				Sinks.One<ListPage<Thing>> list = slow.lists.poll(30, TimeUnit.SECONDS);
				assertThat(list).as("attempt %d", attempt).isNotNull();
				loop.time.advance(tick);
				list.tryEmitError(new IOException("scripted")).orThrow();
				assertThat(loop.awaitDelay()).isEqualTo(tick);
				loop.time.advance(tick.minusMillis(1));
				assertThat(loop.time.waiting()).as("the delay of attempt %d", attempt).hasSize(1);
				loop.passDelay(Duration.ofMillis(1));
			}
		}
	}

	@Test
	void c395_theTimerGetsTheDelaysOfTheBackoff() throws Exception {
		failLists(5);
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			for (int seconds : List.of(1, 2, 4, 8, 8)) {
				assertThat(loop.awaitDelay()).isEqualTo(Duration.ofSeconds(seconds));
				assertThat(loop.delays).last().isEqualTo(Duration.ofSeconds(seconds));
				loop.passDelay();
			}
		}
	}

	/** Lets the test answer its lists later. */
	private static final class SlowSource implements ListerWatcher<Thing> {

		final BlockingQueue<Sinks.One<ListPage<Thing>>> lists = new LinkedBlockingQueue<>();

		@Override
		public Mono<ListPage<Thing>> list(ListOptions options) {
			Sinks.One<ListPage<Thing>> list = Sinks.one();
			return list.asMono().doOnSubscribe((subscription) -> this.lists.add(list));
		}

		@Override
		public Flux<WatchEvent<Thing>> watch(WatchOptions options) {
			return Flux.never();
		}

	}

}
