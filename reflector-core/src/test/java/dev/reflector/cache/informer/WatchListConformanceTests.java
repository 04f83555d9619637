package dev.reflector.cache.informer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.internal.loop.WatchProgress;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The test cases of client-go for streamed lists.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class WatchListConformanceTests {

	private final InformerFixture fixture = new InformerFixture();

	private final ScriptedSource source = this.fixture.source;

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	private static WatchProgress request(ManualTime time) {
		return WatchProgress.of(new WatchOptions(null, "", Duration.ofMinutes(5), true, true), time);
	}

	@Test
	void c060_complainsWhenNothingHasComeSinceTheRequest() {
		ManualTime time = new ManualTime();
		WatchProgress progress = request(time);
		time.advance(Duration.ofSeconds(5));
		assertThat(progress.overdueMarker()).isNull();
		time.advance(Duration.ofSeconds(5));
		assertThat(progress.overdueMarker()).isEqualTo("nothing has come since the request 10 s ago");
		time.advance(Duration.ofSeconds(10));
		assertThat(progress.overdueMarker()).isEqualTo("nothing has come since the request 20 s ago");
	}

	@Test
	void c061_complainsWhenTheLastEventIsLongAgo() {
		ManualTime time = new ManualTime();
		WatchProgress progress = request(time);
		time.advance(Duration.ofSeconds(15));
		progress.frame();
		time.advance(Duration.ofSeconds(5));
		assertThat(progress.overdueMarker()).isNull();
		time.advance(Duration.ofSeconds(5));
		assertThat(progress.overdueMarker()).isEqualTo("the last event came 10 s ago");
		time.advance(Duration.ofSeconds(10));
		assertThat(progress.overdueMarker()).isEqualTo("the last event came 20 s ago");
	}

	@Test
	void c062_complainsEveryTenSecondsUntilTheEndMarkerComes(CapturedOutput output) throws Exception {
		this.fixture.start(InformerFixture.streaming());
		ScriptedSource.Stream watch = this.source.nextWatch();
		for (int i = 1; i <= 2; i++) {
			await().until(() -> this.fixture.time.waiting().contains(WatchProgress.REMINDER));
			this.fixture.time.advance(WatchProgress.REMINDER);
			String complaint = "Reflector 'things': the server has not yet sent the bookmark that ends the "
					+ "streamed list; nothing has come since the request " + i + "0 s ago";
			await().until(() -> output.getOut().contains(complaint));
		}
		watch.endMarker("1");
		await().until(this.fixture.informer::hasSynced);
		await().until(() -> !this.fixture.time.waiting().contains(WatchProgress.REMINDER));
		this.fixture.time.advance(Duration.ofSeconds(60));
		assertThat(output.getOut()).doesNotContain("30 s ago", "80 s ago");
	}

	@Test
	void c059_aPlainWatchIsNotComplainedAbout(CapturedOutput output) throws Exception {
		this.source.answer("1");
		this.fixture.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.source.nextWatch();
		await().until(() -> !this.fixture.time.waiting().isEmpty());
		assertThat(this.fixture.time.waiting()).doesNotContain(WatchProgress.REMINDER);
		this.fixture.time.advance(Duration.ofSeconds(30));
		watch.added(Thing.of("a", "2"));
		this.fixture.awaitVersion("2");
		assertThat(output.getOut()).doesNotContain("end marker");
	}

	@Test
	void c063_c064_c066_eventsBeforeTheEndMarkerChangeNeitherVersionNorMirror() throws Exception {
		this.fixture.start(InformerFixture.streaming());
		ScriptedSource.Stream watch = this.source.nextWatch();
		assertThat(this.fixture.informer.lastSyncResourceVersion()).isEmpty();
		watch.added(Thing.of("p1", "1"));
		await().until(() -> this.fixture.informer.status().lastEventAt() != null);
		assertThat(this.fixture.informer.lastSyncResourceVersion()).isEmpty();
		this.fixture.stop();
		assertThat(this.fixture.informer.lastSyncResourceVersion()).isEmpty();
		this.fixture.awaitMirror();
		assertThat(this.fixture.watchVersions()).containsExactly("state from ");
		assertThat(this.source.lists).isEmpty();
		assertThat(this.fixture.ends).isEmpty();
		assertThat(watch.cancelled).isTrue();
	}

	@Test
	void c065_c070_theVersionOfTheEndMarkerIsThatOfTheState() throws Exception {
		this.fixture.start(InformerFixture.streaming());
		this.source.nextWatch().added(Thing.of("p1", "1")).added(Thing.of("p2", "2")).endMarker("2");
		this.fixture.awaitMirror("p1@1", "p2@2");
		this.fixture.awaitVersion("2");
		assertThat(this.fixture.watchVersions()).containsExactly("state from ");
		assertThat(this.source.lists).isEmpty();
	}

	@Test
	void c068_anyOtherFailureOfAStreamCausesAListAtOnce() throws Exception {
		this.source.failWatch(new IllegalStateException("odd")).answer("1", Thing.of("p1", "1"));
		this.fixture.start(InformerFixture.streaming());
		this.source.nextWatch().added(Thing.of("p2", "2"));
		this.fixture.awaitMirror("p1@1", "p2@2");
		assertThat(this.source.lists).containsExactly(new ListOptions(null, "0", 500, ""));
		assertThat(this.fixture.watchVersions()).containsExactly("state from ", "from 1");
		assertThat(this.fixture.delays).isEmpty();
		assertThat(this.fixture.ends).isEmpty();
	}

	@Test
	void c069_clientGoRequestsAStreamAgainAfterARefusal() throws Exception {
		this.source.failWatch(ScriptedSource.status(422, "Invalid")).answer("1", Thing.of("p1", "1"));
		this.fixture.start(InformerFixture.clientGo(InformerFixture.streaming()));
		this.source.nextWatch().added(Thing.of("p2", "2"));
		this.fixture.awaitMirror("p1@1", "p2@2");
		this.fixture.awaitVersion("2");
		this.fixture.informer.relist();
		this.source.nextWatch().added(Thing.of("p2", "2")).endMarker("3");
		this.fixture.awaitMirror("p2@2");
		assertThat(this.fixture.watchVersions()).containsExactly("state from ", "from 1", "state from 2");
		assertThat(this.source.lists).hasSize(1);
	}

	@Test
	void c080_aSecondStreamIsRequestedFromTheVersionOfTheFirst() throws Exception {
		this.fixture.start(InformerFixture.streaming().bookmarks(false));
		this.source.nextWatch().endMarker("7").error(410, "Expired");
		this.fixture.passDelay(1);
		WatchOptions second = this.source.nextWatch().options;
		assertThat(second.resourceVersion()).isEqualTo("7");
		assertThat(second.sendInitialEvents()).isTrue();
		assertThat(second.bookmarks()).as("without bookmarks there is no end marker").isTrue();
	}

	@Test
	void c072_tooManyRequestsRepeatsTheSameRequestAfterADelay() throws Exception {
		this.source.failWatch(ScriptedSource.status(429, "TooManyRequests"))
			.failWatch(ScriptedSource.status(429, "TooManyRequests"));
		this.fixture.start(InformerFixture.streaming());
		assertThat(this.fixture.passDelay(1)).isEqualTo(Duration.ofMillis(800));
		assertThat(this.fixture.passDelay(2)).isEqualTo(Duration.ofMillis(1600));
		this.source.nextWatch().added(Thing.of("p1", "1")).endMarker("2");
		this.fixture.awaitMirror("p1@1");
		assertThat(this.fixture.watchVersions()).containsExactly("state from ", "state from ", "state from ");
		assertThat(this.source.lists).isEmpty();
	}

	@Test
	void c073_aStreamThatEndsBeforeItsMarkerIsRequestedAgain() throws Exception {
		this.fixture.start(InformerFixture.streaming());
		this.source.nextWatch().added(Thing.of("p1", "1")).close();
		assertThat(this.fixture.passDelay(1)).isEqualTo(Duration.ofMillis(800));
		this.source.nextWatch().added(Thing.of("p1", "1")).endMarker("1");
		this.fixture.awaitMirror("p1@1");
		assertThat(this.fixture.watchVersions()).containsExactly("state from ", "state from ");
		assertThat(this.source.lists).isEmpty();
		await().untilAsserted(() -> assertThat(this.fixture.recorder.changes).containsExactly("+p1@1 initial"));
	}

	@Test
	void x09_clientGoRepeatsStreamsWithoutAMarkerForEver() throws Exception {
		this.fixture.start(InformerFixture.clientGo(InformerFixture.streaming()));
		for (int i = 0; i < 10; i++) {
			this.source.nextWatch().added(Thing.of("p1", "1")).close();
		}
		this.source.nextWatch();
		assertThat(this.fixture.watchVersions()).hasSize(11).containsOnly("state from ");
		assertThat(this.source.lists).isEmpty();
		assertThat(this.fixture.delays).isEmpty();
		assertThat(this.fixture.informer.hasSynced()).isFalse();
	}

	@Test
	void c074_afterTheEndMarkerTheStreamIsAnOrdinaryWatch() throws Exception {
		this.fixture.start(InformerFixture.streaming());
		ScriptedSource.Stream watch = this.source.nextWatch()
			.added(Thing.of("p1", "1"))
			.added(Thing.of("p2", "2"))
			.endMarker("2")
			.added(Thing.of("p3", "3"));
		this.fixture.awaitVersion("3");
		this.fixture.time.advance(watch.options.timeout());
		watch.close();
		this.source.nextWatch().added(Thing.of("p4", "4"));
		this.fixture.awaitMirror("p1@1", "p2@2", "p3@3", "p4@4");
		assertThat(this.fixture.watchVersions()).containsExactly("state from ", "from 3");
		assertThat(this.source.lists).isEmpty();
	}

	@Test
	void c075_aReopeningThatHasExpiredEndsThePass() throws Exception {
		this.fixture.start(InformerFixture.streaming());
		ScriptedSource.Stream watch = this.source.nextWatch()
			.added(Thing.of("p1", "1"))
			.endMarker("2")
			.added(Thing.of("p3", "3"));
		this.fixture.awaitVersion("3");
		this.source.failWatch(ScriptedSource.status(410, "Expired"));
		this.fixture.time.advance(watch.options.timeout());
		watch.close();
		await().until(() -> this.fixture.ends.equals(List.of(RelistReason.EXPIRED)));
		assertThat(this.fixture.watchVersions()).containsExactly("state from ", "from 3");
		this.fixture.awaitMirror("p1@1", "p3@3");
		this.fixture.passDelay(1);
		assertThat(this.source.nextWatch().options.resourceVersion()).as("the version is kept").isEqualTo("3");
	}

	@ParameterizedTest
	@EnumSource
	void c051_c052_streamedObjectsReachTheMirrorAsTheSameInstances(Ordering ordering) throws Exception {
		Thing first = Thing.of("a", "1");
		Thing live = Thing.of("b", "3");
		this.fixture.start(InformerFixture.streaming().ordering(ordering));
		this.source.nextWatch().added(first).endMarker("2").added(live);
		this.fixture.awaitMirror("a@1", "b@3");
		assertThat(this.fixture.informer.lister().get("default", "a")).isSameAs(first);
		assertThat(this.fixture.informer.lister().get("default", "b")).isSameAs(live);
		this.fixture.awaitVersion("3");
	}

	@Test
	void x10_aStopDoesNotWaitForTheDelayOfAStream() throws Exception {
		this.source.failWatch(ScriptedSource.status(429, "TooManyRequests"));
		this.fixture.start(InformerFixture.streaming());
		await().until(() -> this.fixture.delays.size() == 1);
		this.fixture.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(this.fixture.time.waiting()).isEmpty();
		assertThat(this.source.watches).hasSize(1);
	}

	@Test
	void x11_aFailureWhileTheStateIsTakenOverClosesTheStream() throws Exception {
		AtomicBoolean broken = new AtomicBoolean();
		ManualTime time = this.fixture.time;
		this.fixture.timeSource = new TimeSource() {

			@Override
			public Instant now() {
				if (broken.getAndSet(false)) {
					throw new IllegalStateException("no time");
				}
				return time.now();
			}

			@Override
			public long nanoTime() {
				return time.nanoTime();
			}

			@Override
			public Runnable schedule(Duration delay, Runnable task) {
				return time.schedule(delay, task);
			}

		};
		this.fixture.start(InformerFixture.streaming());
		ScriptedSource.Stream watch = this.source.nextWatch();
		this.source.answer("5", Thing.of("a", "4"));
		broken.set(true);
		watch.endMarker("2");
		assertThat(this.source.nextWatch().options.sendInitialEvents()).isFalse();
		assertThat(watch.cancelled).isTrue();
		this.fixture.awaitMirror("a@4");
	}

	@Test
	void e34_aStreamThatClosesRightAfterItsMarkerIsOnlyReopened() throws Exception {
		this.fixture.start(InformerFixture.streaming());
		this.source.nextWatch().added(Thing.of("a", "1")).endMarker("2").close();
		await().until(() -> this.fixture.time.waiting().contains(Duration.ofMillis(800)));
		this.fixture.time.advance(Duration.ofMillis(800));
		this.source.nextWatch();
		assertThat(this.fixture.watchVersions()).containsExactly("state from ", "from 2");
		assertThat(this.fixture.ends).isEmpty();
	}

	@Test
	void e34_clientGoStreamsTheStateOnceMore() throws Exception {
		this.fixture.start(InformerFixture.clientGo(InformerFixture.streaming()));
		this.source.nextWatch().added(Thing.of("a", "1")).endMarker("2").close();
		this.fixture.passDelay(1);
		this.source.nextWatch();
		assertThat(this.fixture.watchVersions()).containsExactly("state from ", "state from 2");
		assertThat(this.fixture.ends).containsExactly(RelistReason.VERY_SHORT_WATCH);
	}

}
