package dev.reflector.cache.informer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Behaviour of watches that no test of client-go covers: what client-go does and, where
 * that is a defect, what this reflector does.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class BeyondClientGoTests {

	private final InformerFixture fixture = new InformerFixture();

	private final ScriptedSource source = this.fixture.source;

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	@Test
	void x01_x02_everyPassIsFollowedByADelayAndItsEndPublished() throws Exception {
		this.source.answer("5").answer("6").answer("7");
		this.fixture.start(InformerFixture.clientGo(InformerFixture.listing()));
		this.source.nextWatch().error(410, "Expired");
		this.fixture.passDelay(1);
		this.source.nextWatch().close();
		this.fixture.passDelay(2);
		this.source.nextWatch().error(500, "InternalError");
		await().until(() -> this.fixture.delays.size() == 3);
		assertThat(this.fixture.delays).extracting(Duration::toMillis).containsExactly(800L, 1600L, 3200L);
		assertThat(this.fixture.ends).containsExactly(RelistReason.EXPIRED, RelistReason.VERY_SHORT_WATCH,
				RelistReason.WATCH_ERROR);
	}

	@Test
	void x04_aWatchThatIsRefusedAsExpiredKeepsTheVersion() throws Exception {
		this.source.answer("5").failWatch(ScriptedSource.status(410, "Expired")).answer("9");
		this.fixture.start(InformerFixture.listing());
		this.fixture.passDelay(1);
		this.source.nextWatch();
		assertThat(this.fixture.ends).containsExactly(RelistReason.EXPIRED);
		assertThat(this.fixture.listVersions()).containsExactly("0", "5");
		assertThat(this.fixture.informer.status().lastError().status()).isEqualTo(410);
	}

	private static WatchEvent<Thing> unreadable(String type, String version) {
		return new WatchEvent.Skipped<>(type,
				new SkippedObject(ResourceKey.of("default", "a"), version, "does not fit"));
	}

	@Test
	void x06_framesThatAreSkippedDoNotCountAsEvents() throws Exception {
		this.source.answer("5");
		this.fixture.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.source.nextWatch().send(unreadable("MODIFIED", "7"));
		this.fixture.awaitVersion("7");
		watch.send(new WatchEvent.Skipped<>("ADDED", new SkippedObject(null, "", "of another type")));
		await().until(() -> this.fixture.informer.status().counts().errors() == 2);
		assertThat(this.fixture.informer.lastSyncResourceVersion()).as("not moved by another type").isEqualTo("7");
		watch.close();
		await().until(() -> this.fixture.delays.size() == 1);
		// the observer gets the delay before the status has its reason
		await().until(() -> this.fixture.informer.status().lastError().reason().equals("VeryShortWatch"));
	}

	@Test
	void x06_inClientGoSkippedFramesDoNotMoveTheVersion() throws Exception {
		this.source.answer("5", Thing.of("a", "4"));
		this.fixture.start(InformerFixture.clientGo(InformerFixture.listing()));
		ScriptedSource.Stream watch = this.source.nextWatch()
			.send(unreadable("MODIFIED", "7"))
			.send(unreadable("DELETED", "8"))
			.send(new WatchEvent.Skipped<>("DELETED", new SkippedObject(null, "", "garbage")));
		await().until(() -> this.fixture.informer.status().counts().errors() == 3);
		assertThat(this.fixture.informer.lastSyncResourceVersion()).isEqualTo("5");
		this.fixture.awaitMirror("a@4");
		watch.close();
		await().until(() -> this.fixture.ends.equals(List.of(RelistReason.VERY_SHORT_WATCH)));
	}

	@Test
	void skippedObjectsAreCountedUntilTheyAreReadOrDeleted() throws Exception {
		this.source.answerSkipping("5", new SkippedObject(ResourceKey.of("default", "a"), "4", "does not fit"),
				Thing.of("b", "5"));
		this.fixture.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.source.nextWatch();
		assertThat(this.fixture.informer.status().skipped()).isEqualTo(1);
		watch.modified(Thing.of("a", "6"));
		awaitSkipped(0);
		watch.send(unreadable("MODIFIED", "7"));
		awaitSkipped(1);
		watch.send(unreadable("DELETED", "8"));
		awaitSkipped(0);
		watch.send(unreadable("ADDED", "9"));
		awaitSkipped(1);
		watch.deleted(Thing.of("a", "10")).send(unreadable("ADDED", "11")).modified(Thing.of("b", "12"));
		this.fixture.awaitVersion("12");
		awaitSkipped(1);
		await().until(() -> this.fixture.informer.lister().hasReached("12"));
		assertThat(mayExist("a", "4")).isTrue();
		assertThat(mayExist("b", "4")).isTrue();
		assertThat(mayExist("c", "12")).isFalse();
		assertThat(mayExist("c", "")).isFalse();
		// the mirror has not reached this version
		assertThat(mayExist("c", "13")).isTrue();
		this.source.answer("13", Thing.of("b", "12"));
		watch.error(410, "Expired");
		this.fixture.passDelay(1);
		this.source.nextWatch();
		awaitSkipped(0);
		assertThat(mayExist("a", "4")).isFalse();
	}

	/** An object whose version is as long as this one is counted, but not stored. */
	@Test
	void whatCouldNotBeReadIsForgottenAfterTheNextListOfItsNamespace() throws Exception {
		SkippedObject skipped = new SkippedObject(ResourceKey.of("default", "a"), "9".repeat(300), "does not fit");
		answerInBothNamespaces("5", List.of(skipped));
		this.fixture.start(InformerFixture.listing().build(), "default", "other");
		this.source.nextWatch();
		this.source.nextWatch();
		assertThat(mayExist("c", "")).isTrue();
		answerInBothNamespaces("6", List.of());
		this.fixture.informer.relist();
		this.source.nextWatch();
		this.source.nextWatch();
		assertThat(mayExist("c", "")).isFalse();
	}

	private void answerInBothNamespaces(String version, List<SkippedObject> skipped) {
		for (int i = 0; i < 2; i++) {
			this.source.answerWith((options) -> Mono.just(new ListPage<>(List.<Thing>of(), version, "",
					"default".equals(options.namespace()) ? skipped : List.of())));
		}
	}

	private boolean mayExist(String name, String version) {
		return this.fixture.informer.mayExist(ResourceKey.of("default", name), version);
	}

	@Test
	void aListOfWhichNothingCanBeReadIsAWarning(CapturedOutput output) throws Exception {
		List<SkippedObject> skipped = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			skipped.add(new SkippedObject(ResourceKey.of("default", "a" + i), "4",
					(i < 30) ? "does not fit" : "does not fit at field " + i));
		}
		this.source.answerWith((options) -> Mono.just(new ListPage<>(List.of(), "5", "", skipped)));
		this.fixture.start(InformerFixture.listing());
		this.source.nextWatch();
		await().untilAsserted(() -> assertThat(output.getOut().lines()).anyMatch((line) -> line.contains("WARN")
				&& line.contains("listed 0 objects, 40 skipped, at resource version 5")));
		assertThat(this.fixture.informer.skippedObjects()).hasSize(20)
			.extracting(ReflectorStatus.Skipped::reason)
			.contains("does not fit")
			.contains(IntStream.range(30, 40).mapToObj((i) -> "does not fit at field " + i).toArray(String[]::new));
	}

	private void awaitSkipped(int skipped) {
		await().until(() -> this.fixture.informer.status().skipped() == skipped);
	}

	/**
	 * Makes the mirror fail to store objects with this payload, and counts the failures.
	 */
	private AtomicInteger failingMirror(String payload) {
		AtomicInteger failures = new AtomicInteger();
		this.fixture.onVersionRead((object) -> {
			if (object.payload().equals(payload) && MirrorWrites.isWriting()) {
				failures.incrementAndGet();
				throw new IllegalStateException("cannot be stored");
			}
		});
		return failures;
	}

	@Test
	void x07_aChangeThatCannotBeStoredCausesAList() throws Exception {
		AtomicInteger failures = failingMirror("poison");
		this.source.answer("1", Thing.of("a", "1"));
		this.fixture.start(InformerFixture.listing());
		this.source.nextWatch().modified(Thing.of("default", "a", "2", "poison"));
		await().until(() -> this.fixture.ends.equals(List.of(RelistReason.WATCH_ERROR)));
		assertThat(failures).hasPositiveValue();
		this.source.answer("3", Thing.of("a", "3"));
		this.fixture.passDelay(1);
		this.fixture.awaitMirror("a@3");
		assertThat(this.fixture.listVersions()).containsExactly("0", "2");
	}

	@Test
	void x07_aChangeThatCannotBeStoredCausesAListAlsoWhileTheWatchIsReopened() throws Exception {
		AtomicInteger failures = failingMirror("poison");
		CountDownLatch latch = new CountDownLatch(1);
		this.fixture.recorder.hook = (change) -> {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		};
		this.source.answer("1", Thing.of("a", "1"));
		this.fixture.start(InformerFixture.listing().queueCapacity(3));
		ScriptedSource.Stream watch = this.source.nextWatch();
		// the handler holds one change, its queue three, the writer one, the queue behind
		// it one
		for (int i = 2; i <= 6; i++) {
			watch.added(Thing.of("t" + i, "" + i));
		}
		watch.modified(Thing.of("default", "a", "7", "poison")).error(429, "TooManyRequests");
		await().until(() -> this.fixture.delays.size() == 1);
		assertThat(this.fixture.ends).isEmpty();
		assertThat(failures).hasValue(0);
		latch.countDown();
		await().until(() -> this.fixture.ends.equals(List.of(RelistReason.WATCH_ERROR)));
		assertThat(failures).hasPositiveValue();
		this.source.answer("9", Thing.of("a", "9"));
		this.fixture.passDelay(2);
		this.fixture.awaitMirror("a@9");
	}

	@ParameterizedTest
	@EnumSource
	void x07_aStateThatCannotBeStoredPreventsSyncingExceptInClientGo(Compatibility compatibility) throws Exception {
		AtomicInteger failures = failingMirror("poison");
		this.source.answer("1", Thing.of("a", "1"));
		this.fixture.start(InformerFixture.listing().compatibility(compatibility));
		this.source.nextWatch();
		this.fixture.awaitMirror("a@1");
		this.fixture.stop();
		this.source.answer("2", Thing.of("default", "a", "2", "poison"));
		this.fixture.informer.start();
		await().until(() -> failures.get() > 0);
		if (compatibility == Compatibility.NONE) {
			await().until(() -> this.fixture.delays.size() == 1);
			assertThat(this.fixture.informer.hasSynced()).isFalse();
			this.source.answer("3", Thing.of("a", "3"));
			this.fixture.passDelay(1);
			this.fixture.awaitMirror("a@3");
		}
		await().until(this.fixture.informer::hasSynced);
		assertThat(this.fixture.ends).hasSize((compatibility == Compatibility.NONE) ? 1 : 0);
	}

	@Test
	void x07_clientGoGoesOnWithoutTheChange() throws Exception {
		AtomicInteger failures = failingMirror("poison");
		this.source.answer("1", Thing.of("a", "1"));
		this.fixture.start(InformerFixture.clientGo(InformerFixture.listing()));
		this.source.nextWatch().modified(Thing.of("default", "a", "2", "poison")).added(Thing.of("b", "3"));
		this.fixture.awaitMirror("a@1", "b@3");
		assertThat(failures).hasPositiveValue();
		this.fixture.awaitVersion("3");
		assertThat(this.fixture.ends).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void x14_anOutageKeepsTheDelaysLongExceptInClientGo(Compatibility compatibility) {
		for (int i = 0; i < 12; i++) {
			this.source.failList(new IOException("reset"));
		}
		this.fixture.start(InformerFixture.listing().compatibility(compatibility));
		for (int i = 1; i < 12; i++) {
			this.fixture.passDelay(i);
		}
		await().until(() -> this.fixture.delays.size() == 12);
		// two minutes, the reset time, have passed after the ninth delay
		boolean anew = compatibility == Compatibility.CLIENT_GO;
		assertThat(this.fixture.delays).extracting(Duration::toMillis)
			.containsExactly(800L, 1600L, 3200L, 6400L, 12_800L, 25_600L, 30_000L, 30_000L, 30_000L,
					anew ? 800L : 30_000L, anew ? 1600L : 30_000L, anew ? 3200L : 30_000L);
	}

	@ParameterizedTest
	@EnumSource
	void anOutageDoesNotLengthenTheDelaysOf429AnswersExceptInClientGo(Compatibility compatibility) {
		for (int i = 0; i < 7; i++) {
			this.source.failList(new IOException("reset"));
		}
		this.source.failList(ScriptedSource.status(429, "TooManyRequests"))
			.failList(ScriptedSource.status(429, "TooManyRequests"))
			.failList(new IOException("reset"));
		this.fixture.start(InformerFixture.listing().compatibility(compatibility));
		for (int i = 1; i < 10; i++) {
			this.fixture.passDelay(i);
		}
		await().until(() -> this.fixture.delays.size() == 10);
		boolean one = compatibility == Compatibility.CLIENT_GO;
		assertThat(this.fixture.delays.subList(6, 10)).extracting(Duration::toMillis)
			.containsExactly(30_000L, one ? 30_000L : 800L, one ? 30_000L : 1600L, one ? 800L : 30_000L);
	}

	@Test
	void x26_clientGoFollowsABookmarkThatGoesBack() throws Exception {
		this.source.answer("10", Thing.of("a", "9"));
		this.fixture.start(InformerFixture.clientGo(InformerFixture.listing()));
		this.source.nextWatch().bookmark("99").bookmark("7");
		this.fixture.awaitVersion("7");
		assertThat(this.fixture.ends).isEmpty();
		this.fixture.awaitMirror("a@9");
	}

	@ParameterizedTest
	@EnumSource
	void r74_anEventOfAnOldVersionDoesNotMoveThePositionBackExceptInClientGo(Compatibility compatibility)
			throws Exception {
		this.source.answer("10", Thing.of("a", "6"));
		this.fixture.start(InformerFixture.listing().compatibility(compatibility));
		ScriptedSource.Stream watch = this.source.nextWatch().deleted(Thing.of("a", "6"));
		this.fixture.awaitMirror();
		await().until(() -> this.fixture.recorder.changes.size() == 2);
		watch.close();
		if (compatibility == Compatibility.CLIENT_GO) {
			this.fixture.awaitVersion("6");
			return;
		}
		// a short delay after a short watch
		await().until(() -> this.fixture.time.waiting().contains(Duration.ofMillis(800)));
		this.fixture.time.advance(Duration.ofMillis(800));
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("10");
	}

	@ParameterizedTest
	@EnumSource(QueueSettings.Ordering.class)
	void r74_whatIsOlderThanTheMirrorIsNotDeliveredAndWhatIsMissingIs(QueueSettings.Ordering ordering)
			throws Exception {
		this.source.answer("10", Thing.of("a", "9"), Thing.of("b", "5"));
		this.fixture.start(InformerFixture.listing().ordering(ordering));
		this.source.nextWatch()
			.modified(Thing.of("a", "8"))
			.deleted(Thing.of("a", "7"))
			.added(Thing.of("granted", "3"))
			.modified(Thing.of("b", "6"))
			.deleted(Thing.of("b", "6"))
			.bookmark("11");
		this.fixture.awaitVersion("11");
		this.fixture.awaitMirror("a@9", "granted@3");
	}

	@Test
	void r74_theLastEventCountsWhereVersionsHaveNoOrder() throws Exception {
		this.source.overlaps = false;
		this.source.answer("10", Thing.of("a", "6"));
		this.fixture.start(InformerFixture.listing());
		this.source.nextWatch().modified(Thing.of("a", "12")).modified(Thing.of("a", "7"));
		this.fixture.awaitMirror("a@7");
		this.fixture.awaitVersion("7");
	}

	@Test
	void e36_warnsOnceOfAListWithoutAVersion(CapturedOutput output) throws Exception {
		this.source.answer("");
		this.fixture.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.source.nextWatch().added(Thing.of("a", "9")).added(Thing.of("b", "4"));
		this.fixture.awaitMirror("a@9", "b@4");
		assertThat(this.fixture.informer.lastSyncResourceVersion()).isEmpty();
		await().untilAsserted(
				() -> assertThat(output.getOut()).containsOnlyOnce("listed objects without a resource version"));
		watch.bookmark("10");
		this.fixture.awaitVersion("10");
	}

}
