package dev.reflector.cache.internal.loop;

import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The test cases of client-go for watches.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class WatchConformanceTests {

	private final InformerFixture fixture = new InformerFixture();

	private final ScriptedSource source = this.fixture.source;

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	@Test
	void c001_anErrorThatIsNoStatusEndsThePassAndClosesTheStream() throws Exception {
		this.source.answer("1");
		this.fixture.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.source.nextWatch();
		watch.send(new WatchEvent.Error<>(new Status(0, "", "unexpected object", List.of(), 0, false)));
		await().until(() -> this.fixture.ends.equals(List.of(RelistReason.WATCH_ERROR)));
		// the observer gets the end of the pass before the stream is closed
		await().until(() -> watch.cancelled);
	}

	@Test
	void c002_c005_aStopEndsTheStreamAndSendsNoFurtherRequest() throws Exception {
		this.source.answer("1");
		this.fixture.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.source.nextWatch().added(Thing.of("a", "2"));
		this.fixture.awaitMirror("a@2");
		this.fixture.stop();
		assertThat(watch.cancelled).isTrue();
		assertThat(this.source.watches).hasSize(1);
		assertThat(this.source.lists).hasSize(1);
		assertThat(this.fixture.ends).isEmpty();
		assertThat(this.fixture.informer.status().lastError()).as("a stop is no error").isNull();
	}

	@Test
	void c006_c007_c012_aStreamIsSubscribedToOnceAndCancelledOnce() throws Exception {
		List<String> calls = new ArrayList<>();
		this.source.answer("1");
		this.fixture.listerWatcher = new ListerWatcher<>() {

			@Override
			public Mono<ListPage<Thing>> list(ListOptions options) {
				return WatchConformanceTests.this.source.list(options);
			}

			@Override
			public Flux<WatchEvent<Thing>> watch(WatchOptions options) {
				return WatchConformanceTests.this.source.watch(options)
					.doOnSubscribe((subscription) -> calls.add("subscribed"))
					.doOnCancel(() -> calls.add("cancelled"));
			}

		};
		this.fixture.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.source.nextWatch();
		await().until(() -> this.fixture.informer.state() == ReflectorState.WATCHING);
		this.fixture.stop();
		watch.sink.tryEmitNext(new WatchEvent.Added<>(Thing.of("late", "9")));
		assertThat(calls).containsExactly("subscribed", "cancelled");
		this.fixture.awaitMirror();
	}

	@Test
	void c008_clientGoListsAgainAfterOneVeryShortWatch(CapturedOutput output) throws Exception {
		this.source.answer("5").answer("5");
		this.fixture.start(InformerFixture.clientGo(InformerFixture.listing()));
		this.source.nextWatch().close();
		await().until(() -> this.fixture.ends.equals(List.of(RelistReason.VERY_SHORT_WATCH)));
		await().until(() -> output.getOut().contains("Reflector 'things': the watch has failed: VeryShortWatch"));
		assertThat(this.fixture.informer.status().lastError().reason()).isEqualTo("VeryShortWatch");
		this.fixture.passDelay(1);
		this.source.nextWatch();
		assertThat(this.fixture.listVersions()).containsExactly("0", "5");
	}

	@Test
	void c010_c011_eachFrameIsAppliedAndTheLastVersionWins() throws Exception {
		this.source.answer("1", Thing.of("foo", "1"), Thing.of("bar", "1"));
		this.fixture.start(InformerFixture.clientGo(InformerFixture.listing()));
		this.source.nextWatch()
			.send(new WatchEvent.Skipped<>("ADDED", new SkippedObject(null, "", "of another type")))
			.deleted(Thing.of("foo", ""))
			.modified(Thing.of("bar", "55"))
			.added(Thing.of("baz", "32"));
		this.fixture.awaitMirror("bar@55", "baz@32");
		this.fixture.awaitVersion("32");
	}

	@Test
	void c020_refusedConnectionsDelayTheSameWatch() throws Exception {
		List<Duration> delays = refused(5, 50, 1);
		for (int i = 0; i < 5; i++) {
			assertThat(delays.get(i)).isBetween(Duration.ofMillis(1L << i), Duration.ofMillis(2L << i));
		}
		assertThat(sum(delays)).isBetween(Duration.ofMillis(31), Duration.ofMillis(62));
	}

	@Test
	void c021_theDelaysStayAtTheCap() throws Exception {
		List<Duration> delays = refused(40, 50, 1);
		assertThat(delays.subList(6, 40)).hasSize(34)
			.allSatisfy((delay) -> assertThat(delay).isBetween(Duration.ofMillis(50), Duration.ofMillis(100)));
	}

	@Test
	void c023_aConfiguredBackoffIsUsedUnchanged() throws Exception {
		assertThat(refused(5, 16, 0)).extracting(Duration::toMillis).containsExactly(1L, 2L, 4L, 8L, 16L);
		assertThat(this.fixture.delays).hasSize(5);
	}

	private List<Duration> refused(int times, int max, double jitter) throws Exception {
		this.source.answer("5");
		for (int i = 0; i < times; i++) {
			this.source.failWatch(new ConnectException("refused"));
		}
		this.fixture.start(InformerFixture.listing()
			.backoff(new BackoffSettings(Duration.ofMillis(1), Duration.ofMillis(max), 2, jitter,
					Duration.ofMinutes(2))));
		List<Duration> delays = new ArrayList<>();
		for (int i = 1; i <= times; i++) {
			delays.add(this.fixture.passDelay(i));
		}
		this.source.nextWatch();
		assertThat(this.fixture.listVersions()).containsExactly("0");
		assertThat(this.fixture.watchVersions()).hasSize(times + 1).containsOnly("from 5");
		return delays;
	}

	private static Duration sum(List<Duration> delays) {
		return delays.stream().reduce(Duration.ZERO, Duration::plus);
	}

	@Test
	void c024_tooManyRequestsBeforeAndInAWatchCauseOneDelayEach() throws Exception {
		this.source.answer("5").failWatch(ScriptedSource.status(429, "TooManyRequests"));
		this.fixture.start(InformerFixture.listing());
		this.fixture.passDelay(1);
		this.source.nextWatch().error(429, "TooManyRequests");
		this.fixture.passDelay(2);
		this.source.nextWatch();
		assertThat(this.fixture.delays).hasSize(2);
		assertThat(this.fixture.listVersions()).containsExactly("0");
		assertThat(this.fixture.ends).isEmpty();
	}

	@Test
	void c026_withoutAWindowAnInternalErrorEndsThePass() throws Exception {
		assertThat(internalErrors(Duration.ZERO, 0)).isEqualTo(1);
	}

	@Test
	void c027_internalErrorsAreRetriedUntilTheWindowIsOver() throws Exception {
		assertThat(internalErrors(Duration.ofSeconds(30), 0)).isEqualTo(32);
	}

	@Test
	void c028_aMinuteWithoutErrorsBeginsAnotherWindow() throws Exception {
		assertThat(internalErrors(Duration.ofSeconds(30), 10)).isEqualTo(41);
	}

	/**
	 * Returns how many watches fail with an internal error, one each second, until a
	 * relist begins.
	 */
	private int internalErrors(Duration window, int pauseAt) throws Exception {
		this.source.answer("5");
		this.fixture.start(InformerFixture.clientGo(InformerFixture.listing().internalErrorRetry(window)));
		int watches = 0;
		while (this.fixture.ends.isEmpty()) {
			ScriptedSource.Stream watch = this.source.nextWatch();
			watches++;
			this.fixture.time.advance(Duration.ofSeconds((watches == pauseAt) ? 60 : 1));
			watch.error(500, "InternalError");
			await().pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(2))
				.until(() -> watch.cancelled && (this.fixture.delays.size() == 1 || this.source.hasOpenedWatch()));
		}
		assertThat(this.fixture.ends).containsExactly(RelistReason.WATCH_ERROR);
		assertThat(this.fixture.listVersions()).containsExactly("0");
		return watches;
	}

	@Test
	void r65_eachPassHasAWindowOfItsOwn() throws Exception {
		this.source.answer("5").answer("5");
		this.fixture
			.start(InformerFixture.clientGo(InformerFixture.listing().internalErrorRetry(Duration.ofSeconds(1))));
		this.source.nextWatch().error(500, "InternalError");
		ScriptedSource.Stream second = this.source.nextWatch();
		this.fixture.time.advance(Duration.ofSeconds(3));
		second.error(410, "Expired");
		this.fixture.passDelay(1);
		this.source.nextWatch().error(500, "InternalError");
		this.source.nextWatch();
		assertThat(this.fixture.listVersions()).hasSize(2);
		assertThat(this.fixture.ends).containsExactly(RelistReason.EXPIRED);
	}

	@Test
	void c029_theResyncPeriodContinuesAcrossWatches() throws Exception {
		this.source.answer("1", Thing.of("a", "1"));
		Duration period = Duration.ofHours(1);
		this.fixture.start(InformerFixture.listing().resyncPeriod(period));
		Duration sinceResync = Duration.ZERO;
		int resyncs = 0;
		int watches = 0;
		while (resyncs < 2) {
			ScriptedSource.Stream watch = this.source.nextWatch();
			watches++;
			await().until(() -> this.fixture.time.waiting().stream().anyMatch((delay) -> delay.toMinutes() == 60));
			this.fixture.time.advance(watch.options.timeout());
			watch.close();
			await().pollDelay(Duration.ZERO).until(this.source::hasOpenedWatch);
			sinceResync = sinceResync.plus(watch.options.timeout());
			if (sinceResync.compareTo(period) >= 0) {
				sinceResync = Duration.ZERO;
				resyncs++;
			}
			// exactly the resyncs that are due, also with a slow handler
			int told = 1 + resyncs;
			await().until(() -> this.fixture.recorder.changes.size() == told);
			assertThat(watches).as("watches without two resyncs").isLessThan(30);
		}
		await().untilAsserted(() -> assertThat(this.fixture.recorder.changes).containsExactly("+a@1 initial",
				"~a@1>a@1 resync", "~a@1>a@1 resync"));
		assertThat(this.fixture.listVersions()).containsExactly("0");
		assertThat(this.fixture.ends).isEmpty();
	}

	@Test
	void x13_theResyncTimerEndsWithThePass() throws Exception {
		this.source.answer("1", Thing.of("a", "1"));
		this.fixture.start(InformerFixture.listing().resyncPeriod(Duration.ofHours(1)));
		ScriptedSource.Stream watch = this.source.nextWatch();
		await().until(() -> this.fixture.time.waiting().contains(Duration.ofHours(1)));
		watch.error(410, "Expired");
		await().until(() -> this.fixture.delays.size() == 1);
		assertThat(this.fixture.time.waiting()).containsExactly(Duration.ZERO);
		this.fixture.passDelay(1);
		await().until(() -> this.fixture.time.waiting().equals(List.of(WatchProgress.REMINDER, LoopTimers.PAGE)));
		assertThat(this.source.lists).hasSize(2);
		this.fixture.recorder.awaitChanges("+a@1 initial");
	}

	@Test
	void c045_c046_c047_theTimeoutIsBetweenTheMinimumAndTwiceIt() {
		assertThat(timeouts(InformerFixture.listing().build())).allMatch((seconds) -> seconds >= 300 && seconds <= 600)
			.hasSizeGreaterThan(50);
		ReflectorOptions.Builder short1 = InformerFixture.listing().minWatchTimeout(Duration.ofSeconds(1));
		assertThat(timeouts(short1.build())).as("as configured").containsOnly(1L);
		assertThat(timeouts(InformerFixture.clientGo(short1))).as("raised to five minutes in client-go's mode")
			.allMatch((seconds) -> seconds >= 300 && seconds <= 600);
		ReflectorOptions.Builder long30 = InformerFixture.listing().minWatchTimeout(Duration.ofMinutes(30));
		assertThat(timeouts(long30.build())).allMatch((seconds) -> seconds >= 1800 && seconds <= 3600);
		assertThat(timeouts(InformerFixture.clientGo(long30)))
			.allMatch((seconds) -> seconds >= 1800 && seconds <= 3600);
	}

	/** The different timeouts of a hundred watches. */
	private static List<Long> timeouts(ReflectorOptions options) {
		ScriptedSource source = new ScriptedSource();
		LoopSetup<Thing> setup = new LoopSetup<>(source, MetadataAccessor.forType(Thing.class), options,
				ReflectorBehaviour.of(options.compatibility()), ReflectorObserver.NONE, new ManualTime(), new Random(1),
				MirroredPart.allOf(source));
		Indexer<Thing> mirror = new Indexer<>(setup.accessor(), () -> {
		}, List.of());
		Requests<Thing> requests = new Requests<>(setup, null, new Mailbox<>(MailboxTests.handling((frame) -> false)),
				new MirrorObjects<>(mirror, setup), new MirrorSize("things", options.limits()), (broken) -> {
				});
		return Stream.generate(() -> requests.watchOptions("1", false).timeout().toSeconds())
			.limit(100)
			.distinct()
			.toList();
	}

	@Test
	void c048_theVersionFollowsEveryFrame() throws Exception {
		this.source.answer("10");
		this.fixture.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.source.nextWatch();
		this.fixture.awaitVersion("10");
		watch.added(Thing.of("a", "10")).modified(Thing.of("a", "20"));
		this.fixture.awaitVersion("20");
		watch.bookmark("30");
		this.fixture.awaitVersion("30");
		watch.deleted(Thing.of("a", "40"));
		this.fixture.awaitVersion("40");
		this.fixture.recorder.awaitChanges("+a@10", "~a@10>a@20", "-a@40");
	}

	@Test
	void c050_anObjectThatTheServerCannotReadIsDeletedByTheNextList() throws Exception {
		this.source.answer("3", Thing.of("p1", "1"), Thing.of("p2", "2"), Thing.of("p3", "3"));
		this.fixture.start(InformerFixture.listing());
		this.source.nextWatch().added(Thing.of("foo", "4")).error(500, "StorageReadError");
		await().until(() -> this.fixture.delays.size() == 1);
		this.fixture.awaitMirror("foo@4", "p1@1", "p2@2", "p3@3");
		this.source.answer("5", Thing.of("p1", "1"), Thing.of("p2", "2"), Thing.of("p3", "3"));
		this.fixture.passDelay(1);
		this.fixture.awaitMirror("p1@1", "p2@2", "p3@3");
		this.fixture.awaitVersion("5");
		await().untilAsserted(() -> assertThat(this.fixture.recorder.changes).endsWith("-foo@4 unseen"));
	}

}
