package dev.reflector.cache.informer;

import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.ListSettings.InitialList;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.Recorder;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.internal.loop.Failure;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(60)
public class SharedInformerTests {

	private final ManualTime time = new ManualTime();

	private final ScriptedSource source = new ScriptedSource();

	private final Recorder recorder = new Recorder();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private ReflectorObserver observer = ReflectorObserver.NONE;

	private long errorsPassed;

	private SharedInformer<Thing> informer;

	@AfterEach
	void stop() throws Exception {
		if (this.informer != null) {
			this.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
		}
		this.threads.shutdownNow();
	}

	private SharedInformer<Thing> start(InitialList initialList) {
		return start(options(initialList, Ordering.ARRIVAL));
	}

	private static ReflectorOptions options(InitialList initialList, Ordering ordering) {
		return builder(initialList, ordering).build();
	}

	private static ReflectorOptions.Builder builder(InitialList initialList, Ordering ordering) {
		return ReflectorOptions.builder().initialList(initialList).ordering(ordering).queueCapacity(100);
	}

	private SharedInformer<Thing> start(ReflectorOptions options, String... namespaces) {
		this.informer = SharedInformer.builder("things", this.source, MetadataAccessor.forType(Thing.class))
			.resourceType(ResourceType.of("example.com/v1", "Thing", "things"))
			.namespaces(List.of(namespaces))
			.options(options)
			.observer(this.observer)
			.time(this.time)
			.random(new Random(1))
			.threads(this.threads)
			.build();
		this.informer.addIndexers(Map.of("payload", SharedInformerTests::payload));
		this.informer.addEventHandler(this.recorder);
		this.informer.start();
		return this.informer;
	}

	/** A mirror that has listed these things, and watches from there. */
	private ScriptedSource.Stream givenMirror(String version, Thing... things) throws Exception {
		return givenMirror(options(InitialList.LIST, Ordering.ARRIVAL), version, things);
	}

	private ScriptedSource.Stream givenMirror(ReflectorOptions options, String version, Thing... things)
			throws Exception {
		this.source.answer(version, things);
		start(options);
		return this.source.nextWatch();
	}

	/** After a delay, the next list has these things, and a watch begins there. */
	private ScriptedSource.Stream thenListed(String version, Thing... things) throws Exception {
		this.source.answer(version, things);
		passBackoff();
		return this.source.nextWatch();
	}

	private static List<String> payload(Thing thing) {
		if (thing.payload().equals("error")) {
			throw new StackOverflowError("in an index function");
		}
		return thing.payload().equals("null") ? null : List.of(thing.payload());
	}

	private static Consumer<Change<Thing>> blockedBy(CountDownLatch latch) {
		return (change) -> {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		};
	}

	/** Waits for a new failure, since the state may still be that of the last failure. */
	private void awaitBackoff() {
		await().until(() -> this.informer.state() == ReflectorState.BACKING_OFF && errors() > this.errorsPassed
				&& !this.time.waiting().isEmpty());
	}

	private void passBackoff() {
		awaitBackoff();
		this.errorsPassed = errors();
		this.time.advance(Duration.ofSeconds(60));
	}

	private boolean isDelayed() {
		return this.time.waiting().stream().anyMatch((delay) -> delay.compareTo(Duration.ofMinutes(1)) < 0);
	}

	private long errors() {
		return this.informer.status().counts().errors();
	}

	/**
	 * Waits, because a handler may get a change before the loop has recorded its version.
	 */
	private void awaitVersion(String version) {
		await().untilAsserted(() -> assertThat(this.informer.lastSyncResourceVersion()).isEqualTo(version));
	}

	private List<String> mirror() {
		return this.informer.lister().list().stream().map(Thing::toString).sorted().toList();
	}

	@Test
	void c014_listsThenWatchesFromTheVersionOfTheList() throws Exception {
		ScriptedSource.Stream watch = givenMirror("1", Thing.of("foo", "1"));
		watch.modified(Thing.of("foo", "2")).added(Thing.of("bar", "3")).deleted(Thing.of("bar", "4"));
		this.recorder.awaitChanges("+foo@1 initial", "~foo@1>foo@2", "+bar@3", "-bar@4");
		assertThat(this.source.lists).containsExactly(new ListOptions(null, "0", 500, ""));
		assertThat(watch.options.resourceVersion()).isEqualTo("1");
		assertThat(watch.options.bookmarks()).isTrue();
		assertThat(watch.options.sendInitialEvents()).isFalse();
		assertThat(watch.options.timeout()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10));
		awaitVersion("4");
		assertThat(this.informer.hasSynced()).isTrue();
		await().until(() -> this.informer.state() == ReflectorState.WATCHING);
	}

	@Test
	void c013_streamsTheFullStateAndGoesOnWithTheSameStream() throws Exception {
		start(InitialList.AUTO);
		ScriptedSource.Stream watch = this.source.nextWatch();
		watch.added(Thing.of("foo", "1"));
		assertThat(this.informer.state()).isEqualTo(ReflectorState.LISTING);
		watch.endMarker("1").modified(Thing.of("foo", "2")).added(Thing.of("bar", "3"));
		this.recorder.awaitChanges("+foo@1 initial", "~foo@1>foo@2", "+bar@3");
		assertThat(this.source.lists).isEmpty();
		assertThat(this.source.watches).hasSize(1);
		assertThat(watch.options.resourceVersion()).isEmpty();
		assertThat(watch.options.sendInitialEvents()).isTrue();
		awaitVersion("3");
	}

	@Test
	void c071_changesBeforeTheEndMarkerAreAppliedToTheStreamedList() throws Exception {
		start(InitialList.AUTO);
		this.source.nextWatch()
			.added(Thing.of("p1", "1"))
			.added(Thing.of("p2", "2"))
			.modified(Thing.of("p1", "3"))
			.added(Thing.of("p3", "4"))
			.deleted(Thing.of("p3", "5"))
			.endMarker("5");
		await().until(this.informer::hasSynced);
		await().untilAsserted(() -> assertThat(mirror()).containsExactly("p1@3", "p2@2"));
	}

	@Test
	void e14_aBookmarkThatGoesBackCausesAConsistentList() throws Exception {
		givenMirror("10", Thing.of("p1", "9"), Thing.of("p2", "10")).bookmark("99").bookmark("100").bookmark("7");
		ScriptedSource.Stream watch = thenListed("8", Thing.of("p1", "8"));
		assertThat(this.source.lists).extracting(ListOptions::resourceVersion).containsExactly("0", "");
		assertThat(watch.options.resourceVersion()).isEqualTo("8");
		await().untilAsserted(() -> assertThat(mirror()).containsExactly("p1@8"));
	}

	@Test
	void c076_anOrdinaryBookmarkDoesNotEndTheStreamedList() throws Exception {
		start(InitialList.AUTO);
		this.source.nextWatch().added(Thing.of("p1", "1")).bookmark("2");
		await().until(() -> this.informer.status().counts().bookmarks() == 1);
		assertThat(this.informer.hasSynced()).isFalse();
		assertThat(mirror()).isEmpty();
	}

	@Test
	void c069_listsWhereStreamingIsRefusedAndDoesNotAskAgain() throws Exception {
		this.source.failWatch(ScriptedSource.status(422, "Invalid")).answer("1", Thing.of("p1", "1"));
		start(InitialList.AUTO);
		ScriptedSource.Stream watch = this.source.nextWatch();
		assertThat(watch.options).extracting(WatchOptions::sendInitialEvents, WatchOptions::resourceVersion)
			.containsExactly(false, "1");
		this.source.answer("9", Thing.of("p1", "1"));
		this.informer.relist();
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("9");
		assertThat(this.source.watches).extracting(WatchOptions::sendInitialEvents).containsExactly(true, false, false);
	}

	@Test
	void e01_streamsWithoutEndMarkerBackOffAndThenList() throws Exception {
		start(InitialList.AUTO);
		this.source.nextWatch().added(Thing.of("p1", "1")).close();
		passBackoff();
		this.source.answer("1", Thing.of("p1", "1"));
		this.source.nextWatch().added(Thing.of("p1", "1")).close();
		assertThat(this.source.nextWatch().options.sendInitialEvents()).isFalse();
		assertThat(this.source.lists).hasSize(1);
	}

	@Test
	void c035_fallsBackToAFullListWhenALaterPageHasExpired() throws Exception {
		this.source.answerPage("10", "C1", Thing.of("a", "1"))
			.failList(ScriptedSource.status(410, "Expired"))
			.answer("10", Thing.of("a", "1"), Thing.of("b", "2"));
		start(InitialList.LIST);
		this.source.nextWatch();
		assertThat(this.source.lists).containsExactly(new ListOptions(null, "0", 500, ""),
				new ListOptions(null, "", 500, "C1"), new ListOptions(null, "0", 0, ""));
		await().untilAsserted(() -> assertThat(mirror()).containsExactly("a@1", "b@2"));
	}

	@Test
	void c032_keepsPagingWhereTheServerPagesListsOfAnyVersion() throws Exception {
		this.source.answerPage("10", "C1", Thing.of("a", "1")).answer("10", Thing.of("b", "2"));
		start(InitialList.LIST);
		this.source.nextWatch().error(500, "InternalError");
		thenListed("11", Thing.of("a", "1"), Thing.of("b", "2"));
		assertThat(this.source.lists).last().isEqualTo(new ListOptions(null, "10", 500, ""));
	}

	@Test
	void x24_aPageWithoutItemsIsNotTheEnd() throws Exception {
		this.source.answerPage("10", "C1").answerPage("ignored", "C2", Thing.of("a", "1")).answer("x");
		start(InitialList.LIST);
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("10");
		await().untilAsserted(() -> assertThat(mirror()).containsExactly("a@1"));
	}

	@Test
	void x03_anExpiredWatchRelistsAtTheLastVersionAndOnlyAnExpiredListDropsIt() throws Exception {
		givenMirror("5", Thing.of("a", "1"), Thing.of("b", "2")).bookmark("7").error(410, "Expired");
		this.source.failList(ScriptedSource.status(410, "Expired")).answer("9", Thing.of("a", "1"), Thing.of("c", "8"));
		passBackoff();
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("9");
		assertThat(this.source.lists).containsExactly(new ListOptions(null, "0", 500, ""),
				new ListOptions(null, "7", 0, ""), new ListOptions(null, "", 0, ""));
		this.recorder.awaitChanges("+a@1 initial", "+b@2 initial", "-b@2 unseen", "+c@8");
	}

	@Test
	void c036_aVersionTheServerHasNotReachedIsDroppedAtOnce() throws Exception {
		givenMirror("5").error(500, "InternalError");
		Status tooLarge = new Status(504, "Timeout", "Too large resource version: 5",
				List.of(new Status.Cause("ResourceVersionTooLarge", "", "")), 1, true);
		this.source.failList(new ApiException("too large", tooLarge, Duration.ofSeconds(1))).answer("3");
		passBackoff();
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("3");
		assertThat(this.source.lists).extracting(ListOptions::resourceVersion).containsExactly("0", "5", "");
	}

	@Test
	void c025_tooManyRequestsReopensTheWatchWithoutANewList() throws Exception {
		this.source.answer("5");
		for (int i = 0; i < 4; i++) {
			this.source.failWatch(ScriptedSource.status(429, "TooManyRequests"));
		}
		start(InitialList.LIST);
		for (int i = 1; i <= 4; i++) {
			int attempts = i;
			await().until(() -> this.source.watches.size() == attempts);
			passBackoff();
		}
		this.source.nextWatch();
		assertThat(this.source.lists).hasSize(1);
		assertThat(this.source.watches).hasSize(5)
			.allSatisfy((watch) -> assertThat(watch.resourceVersion()).isEqualTo("5"));
	}

	@Test
	void c020_refusedConnectionsAreTriedAboutOnceASecondAtTheSameVersion() throws Exception {
		this.source.answer("5");
		for (int i = 0; i < 3; i++) {
			this.source.failWatch(new ConnectException("refused"));
		}
		start(InitialList.LIST);
		List<Duration> delays = new ArrayList<>();
		for (int i = 1; i <= 3; i++) {
			int attempts = i;
			await().until(() -> this.source.watches.size() == attempts && isDelayed());
			delays.add(this.time.waiting().get(0));
			this.time.advance(this.time.waiting().get(0));
		}
		this.source.nextWatch().send(new WatchEvent.Opened<>());
		// the watch counts as connected only when it has lasted for a second
		await().until(() -> this.time.waiting().contains(Duration.ofSeconds(1)));
		assertThat(this.informer.state()).isEqualTo(ReflectorState.BACKING_OFF);
		this.time.advance(Duration.ofSeconds(1));
		await().until(() -> this.informer.state() == ReflectorState.WATCHING);
		assertThat(delays.get(0)).isBetween(Duration.ofMillis(800), Duration.ofMillis(1600));
		assertThat(delays.get(1)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
		assertThat(delays.get(2)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
		assertThat(this.source.lists).hasSize(1);
		assertThat(this.informer.status().failingSince()).isNull();
		assertThat(this.informer.status().lastError().reason()).isEqualTo("ConnectionRefused");
	}

	@Test
	void aServerThatIsDownForTwoMinutesAtTheStartIsTriedAboutOnceASecond() throws Exception {
		for (int i = 0; i < 200; i++) {
			this.source.failList(new ConnectException("refused"));
		}
		start(InitialList.LIST);
		Duration down = Duration.ZERO;
		while (down.compareTo(Duration.ofMinutes(2)) < 0) {
			awaitBackoff();
			int attempts = this.source.lists.size();
			Duration delay = this.time.waiting().get(0);
			this.errorsPassed = errors();
			this.time.advance(delay);
			down = down.plus(delay);
			await().untilAsserted(() -> assertThat(this.source.lists).hasSize(attempts + 1));
		}
		assertThat(this.source.lists).as("between one and two seconds apart").hasSizeBetween(60, 122);
		awaitBackoff();
		this.source.forget().answer("1", Thing.of("a", "1"));
		passBackoff();
		this.recorder.awaitChanges("+a@1 initial");
		this.source.nextWatch().bookmark("2");
		await().until(() -> this.informer.state() == ReflectorState.WATCHING);
	}

	@Test
	void waitsAsLongAsTheServerAsksFor() throws Exception {
		this.source.failList(new ApiException("busy", Status.ofHttp(503, ""), Duration.ofSeconds(120)));
		start(InitialList.LIST);
		awaitBackoff();
		assertThat(this.time.waiting()).singleElement()
			.satisfies((delay) -> assertThat(delay).isBetween(Duration.ofSeconds(120), Duration.ofMillis(120_500)));
		assertThat(this.informer.status().lastError()).satisfies((error) -> {
			assertThat(error.status()).isEqualTo(503);
			assertThat(error.reason()).isEqualTo("ServiceUnavailable");
		});
	}

	@Test
	void aVeryLongRetryAfterIsCapped() {
		this.source.failList(new ApiException("busy", Status.ofHttp(429, ""), Duration.ofDays(365)));
		start(InitialList.LIST);
		awaitBackoff();
		assertThat(this.time.waiting()).singleElement()
			.satisfies((delay) -> assertThat(delay).isBetween(Failure.MAX_RETRY_AFTER,
					Failure.MAX_RETRY_AFTER.plusMillis(500)));
	}

	@Test
	void r60_aWatchThatEndsNormallyIsReopenedAtOnceAtTheLastVersion() throws Exception {
		ScriptedSource.Stream first = givenMirror("5").added(Thing.of("a", "6"));
		this.recorder.awaitChanges("+a@6");
		this.time.advance(first.options.timeout());
		first.close();
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("6");
		assertThat(this.source.lists).hasSize(1);
	}

	@Test
	void e07_aWatchThatEndsBeforeItsTimeoutIsReopenedAfterAShortDelay() throws Exception {
		ScriptedSource.Stream first = givenMirror("5").added(Thing.of("a", "6"));
		this.recorder.awaitChanges("+a@6");
		this.time.advance(Duration.ofSeconds(30));
		first.close();
		// the timers of the watch are cancelled one by one
		await().until(() -> {
			List<Duration> waiting = this.time.waiting();
			return waiting.size() == 1 && waiting.get(0).toMillis() < 800;
		});
		assertThat(this.informer.state()).as("no failure").isEqualTo(ReflectorState.WATCHING);
		this.time.advance(Duration.ofMillis(800));
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("6");
		assertThat(this.source.lists).hasSize(1);
	}

	@Test
	void e35_aWatchThatTheServerForgetsToEndIsReopenedAtTheSameVersion() throws Exception {
		ScriptedSource.Stream first = givenMirror("5");
		await().until(() -> !this.time.waiting().isEmpty());
		this.time.advance(first.options.timeout().plusSeconds(31));
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("5");
		await().until(() -> first.cancelled);
		assertThat(this.source.lists).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void e24_aRecreatedObjectIsADeletionAndAnAddition(Ordering ordering) throws Exception {
		ScriptedSource.Stream watch = givenMirror(options(InitialList.LIST, ordering), "1",
				Thing.of("a", "1").withUid("u1"), Thing.of("b", "1").withUid("u2"));
		// by key, waiting deltas of an object are merged with later ones
		this.recorder.awaitChanges("+a@1 initial", "+b@1 initial");
		watch.error(410, "Expired");
		watch = thenListed("9", Thing.of("a", "8").withUid("u9"), Thing.of("b", "9").withUid("u2"));
		this.recorder.awaitChanges("+a@1 initial", "+b@1 initial", "-a@1 unseen", "+a@8", "~b@1>b@9");
		watch.modified(Thing.of("b", "10").withUid("u10"));
		this.recorder.awaitChanges("+a@1 initial", "+b@1 initial", "-a@1 unseen", "+a@8", "~b@1>b@9", "-b@9 unseen",
				"+b@10");
		assertThat(this.informer.status().counts())
			.extracting(ReflectorStatus.Counts::added, ReflectorStatus.Counts::updated, ReflectorStatus.Counts::deleted)
			.containsExactly(4L, 1L, 2L);
	}

	@Test
	void e30_everyEndOfAPassIsReportedWithItsReason() throws Exception {
		givenMirror("5").error(410, "Expired");
		this.source.failList(ScriptedSource.status(500, "InternalError"));
		passBackoff();
		thenListed("6");
		this.source.answer("7");
		this.informer.relist();
		this.source.nextWatch();
		await().untilAsserted(() -> assertThat(this.recorder.passEnds).containsExactly("EXPIRED 410 Expired: scripted",
				"LIST_FAILED scripted 500", "REQUESTED a new list was requested"));
	}

	@ParameterizedTest
	@EnumSource
	void e14_newContentUnderAnOldVersionIsMirrored(Ordering ordering) throws Exception {
		ScriptedSource.Stream watch = givenMirror(options(InitialList.LIST, ordering), "10",
				Thing.of("default", "p1", "9", "old"));
		watch.bookmark("100").bookmark("7");
		thenListed("9", Thing.of("default", "p1", "9", "new"));
		await().until(() -> this.informer.lister().byIndex("payload", "new").size() == 1);
		assertThat(this.informer.lister().get("default", "p1").payload()).isEqualTo("new");
	}

	/** A restored server that has passed the version of the mirror was not noticed. */
	@ParameterizedTest
	@EnumSource
	void aRelistThatIsAskedForComparesTheContentOfEqualVersions(Ordering ordering) throws Exception {
		givenMirror(options(InitialList.LIST, ordering), "10", Thing.of("default", "p1", "9", "old"),
				Thing.of("default", "p2", "8", "same"));
		this.recorder.awaitChanges("+p1@9 initial", "+p2@8 initial");
		this.source.answer("12", Thing.of("default", "p1", "9", "new"), Thing.of("default", "p2", "8", "same"));
		this.informer.relist();
		this.source.nextWatch();
		await().until(() -> this.informer.lister().get("default", "p1").payload().equals("new"));
		this.recorder.awaitChanges("+p1@9 initial", "+p2@8 initial", "~p1@9>p1@9");
	}

	@ParameterizedTest
	@EnumSource
	void i33_withClientGoUnchangedObjectsOfANewListAreDelivered(Ordering ordering) throws Exception {
		givenMirror(builder(InitialList.LIST, ordering).compatibility(Compatibility.CLIENT_GO).build(), "1",
				Thing.of("a", "1"))
			.error(410, "Expired");
		thenListed("9", Thing.of("a", "1"));
		this.recorder.awaitChanges("+a@1 initial", "~a@1>a@1 resync");
	}

	@ParameterizedTest
	@EnumSource
	void e24_theDeletionOfASkippedRecreationDeletesItsPredecessor(Ordering ordering) throws Exception {
		givenMirror(options(InitialList.LIST, ordering), "1", Thing.of("a", "1").withUid("u1")).error(410, "Expired");
		this.source.answerSkipping("9", new SkippedObject(ResourceKey.of("default", "a"), "9", "does not fit"));
		passBackoff();
		this.source.nextWatch().deleted(Thing.of("a", "10").withUid("u2"));
		this.recorder.awaitChanges("+a@1 initial", "-a@1 unseen");
		await().untilAsserted(() -> assertThat(this.informer.lastSyncResourceVersion()).isEqualTo("10"));
	}

	@Test
	void e24_aRecreatedObjectIsAnUpdateWhenDetectionIsOff() throws Exception {
		givenMirror(builder(InitialList.LIST, Ordering.ARRIVAL).recreationDetected(false).build(), "1",
				Thing.of("a", "1").withUid("u1"))
			.modified(Thing.of("a", "8").withUid("u9"));
		this.recorder.awaitChanges("+a@1 initial", "~a@1>a@8");
	}

	@Test
	void c026_internalErrorsReopenTheWatchForTheConfiguredTime() throws Exception {
		this.source.answer("5");
		start(builder(InitialList.LIST, Ordering.ARRIVAL).internalErrorRetry(Duration.ofHours(1)).build());
		for (int i = 0; i < 3; i++) {
			this.source.nextWatch().error(500, "InternalError");
			passBackoff();
		}
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("5");
		assertThat(this.source.lists).hasSize(1);
	}

	@Test
	void c009_aVeryShortWatchBacksOffAndListsAgain() throws Exception {
		this.source.answer("5");
		start(InitialList.LIST);
		for (int i = 0; i < 3; i++) {
			ScriptedSource.Stream watch = this.source.nextWatch();
			assertThat(this.source.lists).as("lists after %d short watches", i).hasSize(1);
			watch.close();
			this.source.answer("5");
			passBackoff();
		}
		this.source.nextWatch();
		assertThat(this.source.lists).hasSize(2);
		assertThat(this.informer.status().lastError().reason()).isEqualTo("VeryShortWatch");
	}

	@Test
	void e04_shortWatchesWithEventsAreReopenedAfterADelay() throws Exception {
		givenMirror("5").added(Thing.of("a", "6")).close();
		// a watch that is still open would have a deadline instead
		await().until(() -> this.time.waiting().size() == 1 && isDelayed());
		assertThat(this.source.watches).hasSize(1);
		assertThat(this.informer.state()).isEqualTo(ReflectorState.WATCHING);
		this.time.advance(Duration.ofMillis(1600));
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("6");
		assertThat(this.source.lists).hasSize(1);
	}

	@Test
	void x05_versionsOfAStateInNoOrderAreNotRecorded() throws Exception {
		ScriptedSource.Stream watch = givenMirror("0");
		watch.added(Thing.of("a", "9")).added(Thing.of("b", "4"));
		this.recorder.awaitChanges("+a@9", "+b@4");
		assertThat(this.informer.lastSyncResourceVersion()).isEqualTo("0");
		watch.modified(Thing.of("b", "10")).added(Thing.of("c", "11"));
		this.recorder.awaitChanges("+a@9", "+b@4", "~b@4>b@10", "+c@11");
		awaitVersion("11");
	}

	@Test
	void e27_unchangedObjectsAreNotDeliveredAndKeepTheirInstance() throws Exception {
		Thing a = Thing.of("a", "1");
		givenMirror("5", a, Thing.of("b", "2")).error(410, "Expired");
		thenListed("9", Thing.of("a", "1"), Thing.of("b", "8")).modified(Thing.of("b", "8"));
		this.recorder.awaitChanges("+a@1 initial", "+b@2 initial", "~b@2>b@8");
		assertThat(this.informer.lister().get("default", "a")).isSameAs(a);
	}

	@Test
	void theMirrorIsUpdatedBeforeTheHandlerRuns() throws Exception {
		List<String> seen = new CopyOnWriteArrayList<>();
		this.recorder.hook = (change) -> seen.add(String.valueOf(this.informer.lister().get(change.key())));
		ScriptedSource.Stream watch = givenMirror("1", Thing.of("a", "1"));
		this.recorder.awaitChanges("+a@1 initial");
		watch.modified(Thing.of("a", "2"));
		this.recorder.awaitChanges("+a@1 initial", "~a@1>a@2");
		watch.deleted(Thing.of("a", "3"));
		this.recorder.awaitChanges("+a@1 initial", "~a@1>a@2", "-a@3");
		assertThat(seen).containsExactly("a@1", "a@2", "null");
	}

	@Test
	void i47_aHandlerThatThrowsIsCountedAndGoesOnAndSyncs() throws Exception {
		this.recorder.hook = (change) -> {
			if (change.key().name().equals("a")) {
				throw new IllegalStateException("broken listener");
			}
		};
		givenMirror("1", Thing.of("a", "1"), Thing.of("b", "1"));
		this.recorder.awaitChanges("+a@1 initial", "+b@1 initial");
		await().until(() -> this.recorder.synced.equals(List.of("1")));
		assertThat(this.informer.status().counts().errors()).isEqualTo(1);
	}

	@Test
	void i21_onSyncedIsCalledAfterTheInitialChanges() throws Exception {
		CountDownLatch latch = new CountDownLatch(1);
		this.recorder.hook = blockedBy(latch);
		this.source.answer("1", Thing.of("a", "1"));
		start(InitialList.LIST);
		await().until(this.informer::hasSynced);
		assertThat(this.recorder.synced).isEmpty();
		latch.countDown();
		await().until(() -> this.recorder.synced.equals(List.of("1")));
	}

	@Test
	void objectsThatCannotBeReadAreCountedAndKeepTheirLastState() throws Exception {
		ScriptedSource.Stream watch = givenMirror("1", Thing.of("a", "1"), Thing.of("b", "1"));
		watch.send(new WatchEvent.Skipped<>("MODIFIED",
				new SkippedObject(ResourceKey.of("default", "a"), "2", "does not fit")));
		watch.modified(Thing.of("b", "3"));
		this.recorder.awaitChanges("+a@1 initial", "+b@1 initial", "~b@1>b@3");
		watch.error(410, "Expired");
		this.source.answerSkipping("4", new SkippedObject(ResourceKey.of("default", "a"), "2", "does not fit"),
				Thing.of("b", "3"));
		passBackoff();
		watch = this.source.nextWatch();
		await().untilAsserted(() -> assertThat(mirror()).containsExactly("a@1", "b@3"));
		assertThat(this.informer.status().lastError().message()).contains("default/a").contains("does not fit");
		watch.send(new WatchEvent.Skipped<>("DELETED",
				new SkippedObject(ResourceKey.of("default", "a"), "5", "does not fit")));
		this.recorder.awaitChanges("+a@1 initial", "+b@1 initial", "~b@1>b@3", "-a@1 unseen");
		awaitVersion("5");
	}

	@Test
	void e10_aDeletionThatCannotBeReadAtAllForcesAList() throws Exception {
		givenMirror("1", Thing.of("a", "1"))
			.send(new WatchEvent.Skipped<>("DELETED", new SkippedObject(null, "", "garbage")));
		thenListed("2");
		this.recorder.awaitChanges("+a@1 initial", "-a@1 unseen");
	}

	@Test
	void pauseClosesTheWatchAndResumeGoesOnFromTheLastVersion() throws Exception {
		ScriptedSource.Stream watch = givenMirror("1", Thing.of("a", "1")).modified(Thing.of("a", "2"));
		this.recorder.awaitChanges("+a@1 initial", "~a@1>a@2");
		this.informer.pause();
		await().until(() -> watch.cancelled && this.informer.state() == ReflectorState.PAUSED);
		await().untilAsserted(() -> assertThat(mirror()).containsExactly("a@2"));
		this.informer.resume();
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("2");
		assertThat(this.source.lists).hasSize(1);
		await().until(() -> this.informer.state() == ReflectorState.WATCHING);
	}

	@Test
	void relistEndsABackoff() throws Exception {
		this.source.failList(ScriptedSource.status(403, "Forbidden"));
		start(InitialList.LIST);
		awaitBackoff();
		this.source.answer("1", Thing.of("a", "1"));
		this.informer.relist();
		this.source.nextWatch();
		this.recorder.awaitChanges("+a@1 initial");
		assertThat(this.time.waiting()).as("only timers of the watch").allMatch((delay) -> delay.toMinutes() >= 5);
	}

	@ParameterizedTest
	@EnumSource
	void resyncDeliversAllObjectsAgain(Ordering ordering) throws Exception {
		givenMirror(builder(InitialList.LIST, ordering).resyncPeriod(Duration.ofMinutes(2)).build(), "1",
				Thing.of("a", "1"));
		this.recorder.awaitChanges("+a@1 initial");
		await().until(() -> this.time.waiting().contains(Duration.ofMinutes(2)));
		this.time.advance(Duration.ofMinutes(2));
		this.recorder.awaitChanges("+a@1 initial", "~a@1>a@1 resync");
		this.informer.resync();
		this.recorder.awaitChanges("+a@1 initial", "~a@1>a@1 resync", "~a@1>a@1 resync");
		await().until(() -> this.time.waiting().contains(Duration.ofMinutes(2)));
	}

	@Test
	void x13_resyncDoesNotFireWhileListing() {
		start(builder(InitialList.LIST, Ordering.ARRIVAL).resyncPeriod(Duration.ofMinutes(2)).build());
		await().until(() -> !this.source.lists.isEmpty());
		assertThat(this.time.waiting()).doesNotContain(Duration.ofMinutes(2));
	}

	@ParameterizedTest
	@EnumSource
	void relistDeliversTheDifferencesInBothOrderings(Ordering ordering) throws Exception {
		givenMirror(options(InitialList.LIST, ordering), "3", Thing.of("p1", "1"), Thing.of("p2", "2"),
				Thing.of("p3", "3"))
			.error(410, "Expired");
		await().until(() -> this.recorder.changes.size() == 3);
		thenListed("6", Thing.of("p1", "4"), Thing.of("p2", "2"), Thing.of("p4", "6"));
		await().until(() -> this.recorder.changes.size() == 6);
		assertThat(this.recorder.changes.subList(3, 6)).containsExactlyInAnyOrder("-p3@3 unseen", "~p1@1>p1@4",
				"+p4@6");
		await().untilAsserted(() -> assertThat(mirror()).containsExactly("p1@4", "p2@2", "p4@6"));
	}

	@Test
	void c191_aReplaceDeliversDeletionsFirstAndThenInListOrder() throws Exception {
		givenMirror("3", Thing.of("p1", "1"), Thing.of("p2", "2"), Thing.of("p3", "3")).error(410, "Expired");
		thenListed("6", Thing.of("p1", "4"), Thing.of("p2", "5"), Thing.of("p4", "6"));
		this.recorder.awaitChanges("+p1@1 initial", "+p2@2 initial", "+p3@3 initial", "-p3@3 unseen", "~p1@1>p1@4",
				"~p2@2>p2@5", "+p4@6");
	}

	@Test
	void aHandlerThatIsSlowWithTheInitialListDoesNotBlockTheMirror() throws Exception {
		CountDownLatch latch = new CountDownLatch(1);
		this.recorder.hook = blockedBy(latch);
		Thing[] things = IntStream.range(0, 500).mapToObj((i) -> Thing.of("t" + i, "1")).toArray(Thing[]::new);
		givenMirror("1", things).modified(Thing.of("t0", "2"));
		await().untilAsserted(() -> assertThat(mirror()).hasSize(500).contains("t0@2"));
		await().until(() -> this.informer.status().queueDepth() == 501);
		latch.countDown();
		await().until(() -> this.recorder.changes.size() == 501);
		assertThat(this.recorder.changes).startsWith("+t0@1 initial", "+t1@1 initial").endsWith("~t0@1>t0@2");
		await().until(() -> this.informer.status().queueDepth() == 0);
	}

	@Test
	void aSlowHandlerSlowsDownTheWatchAndGetsAllChanges() throws Exception {
		CountDownLatch latch = new CountDownLatch(1);
		this.recorder.hook = blockedBy(latch);
		ScriptedSource.Stream watch = givenMirror("1");
		int events = 2000;
		for (int i = 0; i < events; i++) {
			watch.added(Thing.of("t" + i, "" + (i + 2)));
		}
		// both queues hold 100 changes; the handler holds one, the writer a batch of ten,
		// the loop one
		await().untilAsserted(() -> assertThat(this.informer.status().queueDepth()).isBetween(200, 212));
		assertThat(this.informer.lister().size()).isLessThan(120);
		latch.countDown();
		await().until(() -> this.recorder.changes.size() == events);
		assertThat(this.informer.lister().size()).isEqualTo(events);
		await().until(() -> this.informer.status().queueDepth() == 0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "listing", "watching", "backing off", "blocked" })
	void stopsInAnyState(String moment) throws Exception {
		CountDownLatch latch = new CountDownLatch(1);
		ScriptedSource.Stream watch = null;
		if (moment.equals("backing off")) {
			this.source.failList(new ConnectException("refused"));
		}
		else if (!moment.equals("listing")) {
			this.source.answer("1");
		}
		if (moment.equals("blocked")) {
			this.recorder.hook = blockedBy(latch);
		}
		start(InitialList.LIST);
		if (moment.equals("watching") || moment.equals("blocked")) {
			watch = this.source.nextWatch();
		}
		if (moment.equals("blocked")) {
			for (int i = 0; i < 1000; i++) {
				watch.added(Thing.of("t" + i, "" + (i + 2)));
			}
			await().until(() -> this.informer.status().queueDepth() >= 200);
		}
		if (moment.equals("backing off")) {
			awaitBackoff();
		}
		var stopped = this.informer.stop().toCompletableFuture();
		latch.countDown();
		stopped.get(30, TimeUnit.SECONDS);
		assertThat(this.informer.state()).isEqualTo(ReflectorState.STOPPED);
		assertThat(this.time.waiting()).isEmpty();
		assertThat(watch == null || watch.cancelled).isTrue();
		// all objects of the mirror have been delivered
		assertThat(this.recorder.folded()).isEqualTo(mirror());
	}

	@Test
	void canBeStartedAgainAndDeliversMissedChanges() throws Exception {
		givenMirror("1", Thing.of("a", "1"), Thing.of("b", "1"));
		await().until(() -> this.recorder.changes.size() == 2);
		this.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(this.informer.lister().size()).isEqualTo(2);
		this.source.answer("7", Thing.of("b", "6"));
		this.informer.start();
		this.source.nextWatch();
		this.recorder.awaitChanges("+a@1 initial", "+b@1 initial", "-a@1 unseen", "~b@1>b@6");
		assertThat(this.source.lists).last().isEqualTo(new ListOptions(null, "1", 0, ""));
	}

	@Test
	void eachNamespaceIsFollowedIndependently() throws Exception {
		this.source.answerInNamespace("1", "a").failList(ScriptedSource.status(403, "Forbidden"));
		start(options(InitialList.LIST, Ordering.ARRIVAL), "n1", "n2");
		ScriptedSource.Stream watch = this.source.nextWatch();
		String working = watch.options.namespace();
		await().until(() -> this.informer.state() == ReflectorState.BACKING_OFF);
		assertThat(this.informer.hasSynced()).isFalse();
		watch.added(Thing.of(working, "x", "2", ""));
		await().until(() -> this.informer.lister().get(working, "x") != null);
		this.source.answerInNamespace("3");
		passBackoff();
		this.source.nextWatch().bookmark("4");
		await().until(this.informer::hasSynced);
		assertThat(this.informer.lister().list(working)).hasSize(2);
		assertThat(this.informer.lister().size()).isEqualTo(2);
		await().until(() -> this.informer.state() == ReflectorState.WATCHING);
	}

	@ParameterizedTest
	@EnumSource
	void anEmptyCollectionSyncs(Ordering ordering) {
		this.source.answer("7");
		start(options(InitialList.LIST, ordering));
		await().until(this.informer::hasSynced);
		await().until(() -> this.recorder.synced.size() == 1);
		assertThat(this.informer.lister().size()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void aStuckListenerBlocksNeitherTheStatusNorTheCallOfStop(Ordering ordering) throws Exception {
		CountDownLatch latch = new CountDownLatch(1);
		this.recorder.hook = blockedBy(latch);
		ScriptedSource.Stream watch = givenMirror(options(InitialList.LIST, ordering), "1");
		for (int i = 0; i < 1000; i++) {
			watch.added(Thing.of("t" + i, "" + (i + 2)));
		}
		await().until(() -> this.informer.status().queueDepth() >= 200);
		var stopped = this.informer.stop().toCompletableFuture();
		assertThat(stopped).isNotDone();
		assertThat(this.informer.status().size()).isPositive();
		latch.countDown();
		stopped.get(30, TimeUnit.SECONDS);
		assertThat(this.recorder.folded()).isEqualTo(mirror());
	}

	@Test
	void aStartDuringAStopWaitsUntilTheStopHasCompleted() throws Exception {
		CountDownLatch latch = new CountDownLatch(1);
		this.recorder.hook = blockedBy(latch);
		givenMirror("1", Thing.of("a", "1"));
		await().until(this.informer::hasSynced);
		var stopped = this.informer.stop().toCompletableFuture();
		this.source.answer("5", Thing.of("a", "4"));
		this.informer.start();
		assertThat(this.informer.state()).isEqualTo(ReflectorState.STARTING);
		assertThat(this.source.lists).hasSize(1);
		latch.countDown();
		stopped.get(30, TimeUnit.SECONDS);
		this.source.nextWatch();
		this.recorder.awaitChanges("+a@1 initial", "~a@1>a@4");
	}

	@Test
	void aStopBeforeAPendingStartKeepsItStopped() throws Exception {
		CountDownLatch latch = new CountDownLatch(1);
		this.recorder.hook = blockedBy(latch);
		givenMirror("1", Thing.of("a", "1"));
		await().until(this.informer::hasSynced);
		this.informer.stop();
		this.informer.start();
		var stopped = this.informer.stop().toCompletableFuture();
		latch.countDown();
		stopped.get(30, TimeUnit.SECONDS);
		assertThat(this.source.lists).hasSize(1);
		assertThat(this.informer.state()).isEqualTo(ReflectorState.STOPPED);
	}

	@Test
	void anErrorInAnIndexFunctionDoesNotStopTheMirror() throws Exception {
		ScriptedSource.Stream watch = givenMirror("1", Thing.of("default", "a", "1", "error"));
		watch.modified(Thing.of("default", "a", "2", "fine"));
		this.recorder.awaitChanges("+a@1 initial", "~a@1>a@2");
		assertThat(this.informer.lister().byIndex("payload", "fine")).hasSize(1);
		assertThat(this.informer.status().counts().errors()).isPositive();
	}

	@Test
	void anIndexFunctionThatReturnsNullOnlyAffectsItsOwnEntry() throws Exception {
		givenMirror("1", Thing.of("default", "a", "1", "null"), Thing.of("default", "b", "1", "fine"));
		await().until(this.informer::hasSynced);
		await().untilAsserted(() -> assertThat(mirror()).containsExactly("a@1", "b@1"));
		assertThat(this.informer.lister().byIndex("payload", "fine")).hasSize(1);
		assertThat(this.informer.status().counts().errors()).isPositive();
	}

	@Test
	void aHandlerThatThrowsAnErrorGoesOnWithTheNextChange() throws Exception {
		this.recorder.hook = (change) -> {
			if (change.key().name().equals("a")) {
				throw new Error("of a listener");
			}
		};
		givenMirror("1", Thing.of("a", "1"), Thing.of("b", "1"));
		this.recorder.awaitChanges("+a@1 initial", "+b@1 initial");
	}

	@Test
	void anObserverThatThrowsDoesNoHarm() throws Exception {
		List<RelistReason> heard = new CopyOnWriteArrayList<>();
		ReflectorObserver broken = (ReflectorObserver) java.lang.reflect.Proxy.newProxyInstance(
				getClass().getClassLoader(), new Class<?>[] { ReflectorObserver.class }, (proxy, method, arguments) -> {
					throw new IllegalStateException("broken observer");
				});
		this.observer = ReflectorObserver.composite(List.of(broken, new ReflectorObserver() {
			@Override
			public void relisting(RelistReason reason) {
				heard.add(reason);
			}
		}));
		this.source.failList(ScriptedSource.status(403, "Forbidden"));
		start(InitialList.LIST);
		thenListed("1", Thing.of("a", "1")).error(410, "Expired");
		this.recorder.awaitChanges("+a@1 initial");
		thenListed("5", Thing.of("a", "4"));
		this.recorder.awaitChanges("+a@1 initial", "~a@1>a@4");
		assertThat(heard).as("by the next observer").containsExactly(RelistReason.LIST_FAILED, RelistReason.EXPIRED);
	}

	@Test
	void anEmptyMonoForAListIsAFailure() throws Exception {
		this.source.answerNothing();
		start(InitialList.LIST);
		thenListed("1", Thing.of("a", "1"));
		this.recorder.awaitChanges("+a@1 initial");
	}

	@Test
	void aLinkageErrorOfTheSourceIsRetried() throws Exception {
		this.source.failList(new NoClassDefFoundError("scripted"));
		start(InitialList.LIST);
		thenListed("1", Thing.of("a", "1"));
		this.recorder.awaitChanges("+a@1 initial");
	}

	@Test
	void aListThatIsDueIsMadeAfterAPause() throws Exception {
		givenMirror("1", Thing.of("a", "1")).error(500, "StorageReadError");
		awaitBackoff();
		this.informer.pause();
		await().until(() -> this.informer.state() == ReflectorState.PAUSED);
		this.source.answer("5");
		this.informer.resume();
		this.source.nextWatch();
		this.recorder.awaitChanges("+a@1 initial", "-a@1 unseen");
	}

	@Test
	void aSlowHandlerMissesStatesButNeverTheLastOne() throws Exception {
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch latch = new CountDownLatch(1);
		Consumer<Change<Thing>> blocked = blockedBy(latch);
		this.recorder.hook = (change) -> {
			called.countDown();
			blocked.accept(change);
		};
		this.source.answer("1", Thing.of("a", "1"));
		start(InitialList.LIST);
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		for (int i = 0; i < 40; i++) {
			this.source.nextWatch();
			awaitState(ReflectorState.WATCHING);
			this.informer.pause();
			awaitState(ReflectorState.PAUSED);
			this.informer.resume();
		}
		awaitState(ReflectorState.WATCHING);
		this.informer.pause();
		awaitState(ReflectorState.PAUSED);
		latch.countDown();
		await().untilAsserted(() -> assertThat(this.recorder.states).last().isEqualTo(ReflectorState.PAUSED));
		assertThat(this.recorder.states).hasSizeLessThan(70);
		assertThat(this.recorder.gaps).isEmpty();
	}

	private void awaitState(ReflectorState state) {
		await().pollInterval(Duration.ofMillis(2)).until(() -> this.informer.state() == state);
	}

	@Test
	void aDefectOfTheSourceDoesNotEndTheReflector() throws Exception {
		this.source.failList(new NullPointerException("defect"));
		start(InitialList.LIST);
		thenListed("1", Thing.of("a", "1"));
		this.recorder.awaitChanges("+a@1 initial");
	}

}
