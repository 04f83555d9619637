package dev.reflector.cache.informer;

import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests how soon a reflector tries again after each cause of failure.
 */
@ExtendWith(OutputCaptureExtension.class)
class RecoveryTests {

	private static final Duration FIRST = Duration.ofMillis(800);

	private static final Duration PATIENT = Duration.ofSeconds(10);

	private final InformerFixture fixture = new InformerFixture();

	private final LookingOut source = new LookingOut(this.fixture.source);

	@AfterEach
	void stop() throws Exception {
		this.fixture.stop();
	}

	/** A mirror of one thing at version 1, whose watch is open. */
	private ScriptedSource.Stream started(ReflectorOptions.Builder options) throws Exception {
		this.fixture.listerWatcher = this.source;
		this.fixture.source.answer("1", Thing.of("a", "1"));
		this.fixture.start(options);
		return this.fixture.source.nextWatch();
	}

	private ScriptedSource.Stream started() throws Exception {
		return started(InformerFixture.listing());
	}

	/** Ends a watch after it has worked for a while. */
	private void end(ScriptedSource.Stream watch) {
		watch.bookmark("1");
		await().until(() -> this.fixture.informer.status().counts().bookmarks() > 0);
		this.fixture.time.advance(Duration.ofMinutes(1));
		closeEarly(watch, FIRST);
	}

	/**
	 * Closes a watch before its timeout, so that a short delay comes before the next one.
	 * Until the loop has noticed the end, only the deadline of the watch is scheduled.
	 */
	private void closeEarly(ScriptedSource.Stream watch, Duration longest) {
		watch.close();
		await().until(() -> this.fixture.time.waiting().stream().anyMatch((delay) -> delay.compareTo(longest) <= 0));
		this.fixture.time.advance(longest);
	}

	private void awaitDelays(Duration... delays) {
		await().untilAsserted(() -> assertThat(this.fixture.delays).containsExactly(delays));
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403 })
	void aFirstRefusalAfterASuccessIsRetriedSoonAtTheSameVersion(int code) throws Exception {
		ScriptedSource.Stream watch = started();
		this.fixture.source.failWatch(ScriptedSource.status(code, "Refused"));
		end(watch);
		awaitDelays(FIRST);
		this.fixture.passDelay(1);
		this.fixture.source.nextWatch().modified(Thing.of("a", "2"));
		this.fixture.awaitMirror("a@2");
		assertThat(this.fixture.source.lists).hasSize(1);
		assertThat(this.fixture.watchVersions()).containsOnly("from 1");
		assertThat(this.source.lookedOutFor).isEmpty();
		assertThat(this.fixture.ends).isEmpty();
	}

	@Test
	void repeatedRefusalsLeadToALongDelayAndANewList() throws Exception {
		ScriptedSource.Stream watch = started();
		for (int i = 0; i < 5; i++) {
			this.fixture.source.failWatch(ScriptedSource.status(403, "Forbidden"));
		}
		end(watch);
		this.fixture.passDelay(1);
		this.fixture.passDelay(2);
		// 0.8 s and 1.6 s have passed; with the next 3.2 s it is more than five seconds
		this.fixture.passDelay(3);
		awaitDelays(FIRST, FIRST.multipliedBy(2), FIRST.multipliedBy(4), PATIENT);
		assertThat(this.source.lookedOutFor).hasSize(1);
		assertThat(this.fixture.ends).containsExactly(RelistReason.WATCH_FAILED);
		this.fixture.source.answer("5", Thing.of("a", "5"));
		this.fixture.passDelay(4);
		this.fixture.awaitMirror("a@5");
		// that lists are allowed says nothing about watches
		await().until(() -> this.fixture.delays.size() == 5);
		assertThat(this.fixture.ends).containsExactly(RelistReason.WATCH_FAILED, RelistReason.WATCH_FAILED);
	}

	@Test
	void aRoleThatAllowsListsButNoWatchesIsSaidOnce(CapturedOutput output) {
		this.fixture.listerWatcher = this.source;
		for (int i = 1; i <= 4; i++) {
			this.fixture.source.answer("" + i).failWatch(ScriptedSource.status(403, "Forbidden"));
		}
		this.fixture.start(InformerFixture.listing());
		for (int i = 1; i <= 3; i++) {
			assertThat(this.fixture.passDelay(i)).isEqualTo(PATIENT);
		}
		await().until(() -> this.fixture.delays.size() == 4);
		assertThat(output).containsOnlyOnce("cannot open the watch").doesNotContain("allowed before");
	}

	@Test
	void aRefusalAtTheStartLeadsToALongDelayAtOnce() {
		this.fixture.listerWatcher = this.source;
		this.fixture.source.failList(ScriptedSource.status(403, "Forbidden"));
		this.fixture.start(InformerFixture.listing());
		awaitDelays(PATIENT);
		assertThat(this.source.lookedOutFor).hasSize(1);
	}

	@Test
	void aRefusalAfterAnotherFailureCountsAsAFirstOne() throws Exception {
		ScriptedSource.Stream watch = started();
		this.fixture.source.failWatch(ScriptedSource.status(403, "Forbidden"))
			.failWatch(new ConnectException("refused"))
			.failWatch(ScriptedSource.status(403, "Forbidden"));
		end(watch);
		this.fixture.passDelay(1);
		await().until(() -> this.fixture.delays.size() == 2);
		this.fixture.time.advance(PATIENT);
		this.source.recover();
		await().until(() -> this.fixture.delays.size() == 3);
		assertThat(this.fixture.delays.get(2)).isLessThan(PATIENT);
		assertThat(this.fixture.source.lists).hasSize(1);
	}

	@Test
	void newCredentialsEndTheWaitAfterA401() throws Exception {
		this.fixture.listerWatcher = this.source;
		this.fixture.source.failList(ScriptedSource.status(401, "Unauthorized")).answer("1", Thing.of("a", "1"));
		this.fixture.start(InformerFixture.listing());
		awaitDelays(PATIENT);
		this.source.recover();
		this.fixture.awaitMirror("a@1");
	}

	@Test
	void aFirstExpiredVersionIsListedAtOnceAndASecondOneAfterADelay() throws Exception {
		ScriptedSource.Stream watch = started();
		this.fixture.source.answer("7", Thing.of("a", "7"));
		watch.error(410, "Expired");
		this.fixture.passDelay(1);
		this.fixture.awaitMirror("a@7");
		this.fixture.source.nextWatch().error(410, "Expired");
		awaitDelays(Duration.ZERO, FIRST.multipliedBy(2));
	}

	@Test
	void expiredVersionsAreListedAtOnceWhileWatchesWorkBetweenThemButOnlyThreeInARow() throws Exception {
		ScriptedSource.Stream watch = started();
		for (int i = 1; i <= 3; i++) {
			this.fixture.source.answer("" + (10 * i), Thing.of("a", "" + (10 * i)));
			watch.error(410, "Expired");
			assertThat(this.fixture.passDelay(i)).isZero();
			watch = this.fixture.source.nextWatch().modified(Thing.of("a", "" + (10 * i + 1)));
			this.fixture.awaitMirror("a@" + (10 * i + 1));
		}
		watch.error(410, "Expired");
		awaitDelays(Duration.ZERO, Duration.ZERO, Duration.ZERO, FIRST.multipliedBy(8));
	}

	@Test
	void aWatchThatWorkedForSomeSecondsResetsTheDelays() throws Exception {
		ScriptedSource.Stream watch = started(InformerFixture.listing()
			.backoff(new BackoffSettings(FIRST, Duration.ofSeconds(30), 2, 0, Duration.ofSeconds(5))));
		watch.error(410, "Expired");
		this.fixture.source.answer("7", Thing.of("a", "7"));
		this.fixture.passDelay(1);
		ScriptedSource.Stream next = this.fixture.source.nextWatch().bookmark("8");
		this.fixture.awaitVersion("8");
		this.fixture.time.advance(Duration.ofSeconds(6));
		next.error(410, "Expired");
		awaitDelays(Duration.ZERO, Duration.ZERO);
	}

	/** A genuine server accepts a watch from a version that it has not reached. */
	@Test
	void aServerThatWasRestoredAfterItHadEndedTheWatchInOrderIsListedAgain() throws Exception {
		end(started());
		this.fixture.source.nextWatch().send(new WatchEvent.Opened<>());
		await().until(() -> this.fixture.time.waiting().contains(PATIENT));
		assertThat(this.source.askedFor).isEmpty();
		this.fixture.source.answer("0.5");
		this.fixture.time.advance(PATIENT);
		this.fixture.passDelay(1);
		await().until(() -> this.fixture.source.lists.size() == 2);
		assertThat(this.source.askedFor).singleElement().satisfies((options) -> {
			assertThat(options.asksForVersion()).isTrue();
			assertThat(options.resourceVersion()).isEqualTo("1");
		});
	}

	@Test
	void aServerThatWasRestoredDuringAPauseIsListedAgain() throws Exception {
		ScriptedSource.Stream watch = started().bookmark("1");
		await().until(() -> this.fixture.informer.status().counts().bookmarks() > 0);
		this.fixture.informer.pause();
		await().until(() -> watch.cancelled);
		this.fixture.source.answer("0.5");
		this.fixture.informer.resume();
		this.fixture.source.nextWatch().send(new WatchEvent.Opened<>());
		this.fixture.passDelay(1);
		await().until(() -> this.fixture.source.lists.size() == 2);
		assertThat(this.source.askedFor).hasSize(1);
	}

	@Test
	void aServerThatWasRestoredWhileItHadNoTimeIsListedAgain() throws Exception {
		ScriptedSource.Stream watch = started().bookmark("1");
		await().until(() -> this.fixture.informer.status().counts().bookmarks() > 0);
		watch.error(429, "TooManyRequests");
		this.fixture.source.failWatch(ScriptedSource.status(429, "TooManyRequests"));
		this.fixture.passDelay(1);
		this.fixture.passDelay(2);
		this.fixture.source.nextWatch().send(new WatchEvent.Opened<>());
		await().until(() -> this.fixture.time.waiting().contains(PATIENT));
		this.fixture.source.answer("0.5");
		this.fixture.time.advance(PATIENT);
		this.fixture.passDelay(3);
		await().until(() -> this.fixture.source.lists.size() == 2);
	}

	@Test
	void aServerThatShowsThatItHasReachedTheVersionIsNotAsked() throws Exception {
		end(started());
		ScriptedSource.Stream watch = this.fixture.source.nextWatch().send(new WatchEvent.Opened<>());
		await().until(() -> this.fixture.time.waiting().contains(PATIENT));
		watch.bookmark("2");
		this.fixture.awaitVersion("2");
		assertThat(this.fixture.time.waiting()).doesNotContain(PATIENT);
		this.fixture.time.advance(PATIENT);
		assertThat(this.source.askedFor).isEmpty();
	}

	@Test
	void eachCauseHasItsOwnDelays() throws Exception {
		ScriptedSource.Stream watch = started();
		for (int i = 0; i < 3; i++) {
			this.fixture.source.failWatch(new java.io.IOException("reset"));
		}
		this.fixture.source.failWatch(ScriptedSource.status(429, "TooManyRequests"));
		end(watch);
		for (int i = 1; i <= 3; i++) {
			this.fixture.passDelay(i);
		}
		awaitDelays(FIRST, FIRST.multipliedBy(2), FIRST.multipliedBy(4), FIRST);
	}

	@Test
	void aServerThatSaysWhenToComeBackIsAskedThenHoweverOften(CapturedOutput output) throws Exception {
		ScriptedSource.Stream watch = started();
		for (int i = 0; i < 30; i++) {
			this.fixture.source.failWatch(new ApiException("busy", Status.ofHttp(429, ""), Duration.ofSeconds(1)));
		}
		end(watch);
		for (int i = 1; i <= 30; i++) {
			assertThat(this.fixture.passDelay(i)).isEqualTo(Duration.ofSeconds(1));
		}
		this.fixture.source.nextWatch().modified(Thing.of("a", "2"));
		this.fixture.awaitMirror("a@2");
		assertThat(output).contains("busy. Trying again in 1.0 s, as the server asks;");
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0.8S", "PT5S" })
	void aListIsAskedForWhenTheServerSaysTooWhateverTheBackoff(Duration initial) {
		for (int i = 0; i < 12; i++) {
			this.fixture.source.failList(new ApiException("busy", Status.ofHttp(503, ""), Duration.ofSeconds(2)));
		}
		this.fixture.start(InformerFixture.listing()
			.backoff(new BackoffSettings(initial, Duration.ofMinutes(5), 3, 0, Duration.ofMinutes(2))));
		for (int i = 1; i <= 12; i++) {
			assertThat(this.fixture.passDelay(i)).isEqualTo(Duration.ofSeconds(2));
		}
	}

	@Test
	void aListWhoseVersionHasExpiredTwiceIsFollowedByTheNewestState() throws Exception {
		ScriptedSource.Stream watch = started();
		watch.error(410, "Expired");
		this.fixture.source.answer("1", Thing.of("a", "1"))
			.failWatch(ScriptedSource.status(410, "Expired"))
			.answer("2", Thing.of("a", "2"));
		this.fixture.passDelay(1);
		this.fixture.passDelay(2);
		this.fixture.awaitMirror("a@2");
		assertThat(this.fixture.listVersions()).containsExactly("0", "1", "");
		this.fixture.source.answer("3");
		this.fixture.source.nextWatch().error(410, "Expired");
		this.fixture.passDelay(3);
		this.fixture.awaitVersion("3");
		assertThat(this.fixture.listVersions()).as("not older than the last state, again").endsWith("2");
	}

	@Test
	void aRelistAsksForTheNewestStateAfterAVersionThatHasExpiredTwice() throws Exception {
		ScriptedSource.Stream watch = started();
		this.fixture.source.answer("1").failWatch(ScriptedSource.status(410, "Expired"));
		watch.error(410, "Expired");
		this.fixture.passDelay(1);
		await().until(() -> this.fixture.delays.size() == 2);
		this.fixture.source.answer("2", Thing.of("a", "2"));
		this.fixture.informer.relist();
		this.fixture.awaitMirror("a@2");
		assertThat(this.fixture.listVersions()).containsExactly("0", "1", "");
	}

	@Test
	void credentialsThatAreRejectedKeepTheVersion() throws Exception {
		ScriptedSource.Stream watch = started();
		for (int i = 0; i < 4; i++) {
			this.fixture.source.failWatch(ScriptedSource.status(401, "Unauthorized"));
		}
		end(watch);
		for (int i = 1; i <= 4; i++) {
			this.fixture.passDelay(i);
		}
		this.fixture.source.nextWatch().modified(Thing.of("a", "2"));
		this.fixture.awaitMirror("a@2");
		assertThat(this.fixture.delays).last().isEqualTo(PATIENT);
		assertThat(this.fixture.watchVersions()).containsOnly("from 1");
		assertThat(this.fixture.source.lists).hasSize(1);
		assertThat(this.fixture.ends).isEmpty();
	}

	@Test
	void afterARefusedConnectionTheSourceSignalsTheRecovery() throws Exception {
		ScriptedSource.Stream watch = started();
		this.fixture.source.failWatch(new ConnectException("refused"));
		end(watch);
		await().until(() -> this.source.isAwaited() && this.fixture.informer.state() == ReflectorState.BACKING_OFF);
		int watches = this.fixture.source.watches.size();
		this.fixture.time.advance(Duration.ofSeconds(20));
		assertThat(this.fixture.source.watches).hasSize(watches);
		this.source.recover();
		this.fixture.source.nextWatch().modified(Thing.of("a", "2"));
		this.fixture.awaitMirror("a@2");
	}

	@Test
	void aSourceThatNeverSignalsARecoveryIsNotAwaitedForEver() throws Exception {
		ScriptedSource.Stream watch = started();
		this.fixture.source.failWatch(new ConnectException("refused"));
		end(watch);
		await().until(() -> this.source.isAwaited());
		this.fixture.time.advance(Duration.ofSeconds(30));
		this.fixture.source.nextWatch().modified(Thing.of("a", "2"));
		this.fixture.awaitMirror("a@2");
	}

	@Test
	void configuredDelaysTakePrecedence() throws Exception {
		Duration initial = Duration.ofSeconds(2);
		ScriptedSource.Stream watch = started(InformerFixture.listing()
			.backoff(new BackoffSettings(initial, Duration.ofSeconds(60), 2, 0, Duration.ofSeconds(5))));
		this.fixture.source.answer("7", Thing.of("a", "7"));
		watch.error(410, "Expired");
		this.fixture.passDelay(1);
		ScriptedSource.Stream next = this.fixture.source.nextWatch();
		this.fixture.source.failWatch(new ConnectException("refused")).failWatch(new ConnectException("refused"));
		next.bookmark("8");
		this.fixture.awaitVersion("8");
		this.fixture.time.advance(Duration.ofMinutes(1));
		closeEarly(next, initial);
		this.fixture.passDelay(2);
		awaitDelays(initial, initial, initial.multipliedBy(2));
		assertThat(this.source.isAwaited()).isFalse();
	}

	@Test
	void clientGoModeUsesTheDelaysOfClientGo() throws Exception {
		this.fixture.listerWatcher = this.source;
		this.fixture.source.answer("1", Thing.of("a", "1")).answer("7", Thing.of("a", "7"));
		this.fixture.start(InformerFixture.clientGo(InformerFixture.listing()));
		this.fixture.source.nextWatch().error(410, "Expired");
		awaitDelays(FIRST);
		assertThat(this.source.isAwaited()).isFalse();
	}

	/** A source that looks out for signs of a recovery. The test sends them. */
	private static final class LookingOut implements ListerWatcher<Thing> {

		final List<Throwable> lookedOutFor = new CopyOnWriteArrayList<>();

		final List<ListOptions> askedFor = new CopyOnWriteArrayList<>();

		private final ScriptedSource source;

		private final Sinks.Many<String> signs = Sinks.many().multicast().directBestEffort();

		LookingOut(ScriptedSource source) {
			this.source = source;
		}

		void recover() {
			await().until(this::isAwaited);
			this.signs.tryEmitNext("recovered").orThrow();
		}

		boolean isAwaited() {
			return this.signs.currentSubscriberCount() > 0;
		}

		@Override
		public Mono<ListPage<Thing>> list(ListOptions options) {
			return this.source.list(options);
		}

		/** Fails as if this server were always behind. */
		@Override
		public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
			this.askedFor.add(options);
			return Mono.error(
					new ApiException("behind",
							new Status(504, "Timeout", "Too large resource version",
									List.of(new Status.Cause("ResourceVersionTooLarge", "", "")), 1, true),
							Duration.ZERO));
		}

		@Override
		public Flux<WatchEvent<Thing>> watch(WatchOptions options) {
			return this.source.watch(options);
		}

		@Override
		public Mono<Void> awaitRecovery(Throwable failure) {
			this.lookedOutFor.add(failure);
			return this.signs.asFlux().next().then();
		}

	}

}
