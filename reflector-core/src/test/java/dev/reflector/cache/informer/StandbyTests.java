package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.reflector.ResourceKey;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.Recorder;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.ThingCodec;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.internal.store.SkippedVersions;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotHeader;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotOptions.OnMismatch;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.fixture.MemorySnapshots;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests replicas of which only one delivers: which objects the others mirror, and which
 * changes are delivered when another replica takes over.
 */
@ExtendWith(OutputCaptureExtension.class)
class StandbyTests {

	private final MemorySnapshots store = new MemorySnapshots();

	private final List<InformerFixture> fixtures = new ArrayList<>();

	private volatile String leader = "";

	@AfterEach
	void close() throws Exception {
		for (InformerFixture fixture : this.fixtures) {
			fixture.recorder.hook = (change) -> {
			};
			fixture.close();
		}
	}

	private InformerFixture replica(String name) {
		InformerFixture fixture = new InformerFixture();
		fixture.leads = () -> this.leader.equals(name);
		this.fixtures.add(fixture);
		return fixture;
	}

	private InformerFixture durable(String name) {
		return durable(name, "shape");
	}

	private InformerFixture durable(String name, String shape) {
		InformerFixture fixture = replica(name);
		fixture.snapshot = SnapshotOptions.builder(this.store, ThingCodec.of(shape))
			.commitInterval(Duration.ofMillis(1))
			.build();
		return fixture;
	}

	private ScriptedSource.Stream start(InformerFixture fixture, String version, Thing... things) throws Exception {
		fixture.source.answer(version, things);
		fixture.start(InformerFixture.listing());
		return fixture.source.nextWatch();
	}

	private void lead(InformerFixture fixture, String name) {
		this.leader = name;
		fixture.takeOver();
	}

	private static void standBy(InformerFixture fixture) throws Exception {
		fixture.informer.standBy().toCompletableFuture().get(30, TimeUnit.SECONDS);
	}

	private void awaitStored(String stored) {
		await().untilAsserted(() -> assertThat(this.store.stored()).isEqualTo(stored));
	}

	@Test
	void aStandbyMirrorsAndTellsNothingUntilItTakesOver() throws Exception {
		InformerFixture replica = replica("a");
		ScriptedSource.Stream watch = start(replica, "5", Thing.of("a", "3"));
		watch.added(Thing.of("b", "6"));
		replica.awaitMirror("a@3", "b@6");
		assertThat(replica.informer.isStandby()).isTrue();
		assertThat(replica.recorder.changes).isEmpty();
		lead(replica, "a");
		watch.deleted(Thing.of("a", "7"));
		replica.recorder.awaitChanges("+a@3 initial", "+b@6 initial", "-a@7");
		assertThat(replica.informer.isStandby()).isFalse();
		assertThat(replica.source.lists).hasSize(1);
	}

	@Test
	void aHandlerThatGoesOnWithAChangeIsToldWhetherItMay() throws Exception {
		InformerFixture replica = replica("a");
		List<Change<Thing>> told = new CopyOnWriteArrayList<>();
		start(replica, "5", Thing.of("a", "3"));
		replica.recorder.hook = told::add;
		lead(replica, "a");
		await().until(() -> told.size() == 1);
		assertThat(replica.informer.mayDeliver(told.get(0))).isTrue();
		assertThat(replica.informer.isStandby()).isFalse();
		this.leader = "b";
		assertThat(replica.informer.mayDeliver(told.get(0))).isFalse();
		assertThat(replica.informer.isStandby()).isTrue();
	}

	@Test
	void noFurtherAttemptIsMadeInALaterTerm() throws Exception {
		InformerFixture replica = replica("a");
		List<String> attempts = new CopyOnWriteArrayList<>();
		replica.build(InformerFixture.listing().build());
		replica.informer.addEventHandler(new ResourceEventHandler<>() {

			@Override
			public void onChange(Change<Thing> change) {
				throw new IllegalStateException("attempts are told");
			}

			@Override
			public void onChange(Change<Thing> change, DeliveryAttempts told) {
				attempts.add(change.object().toString());
				if (attempts.size() == 1) {
					told.failed(new IllegalStateException("once"));
					StandbyTests.this.leader = "";
					replica.informer.standBy();
					lead(replica, "a");
					told.again();
					attempts.add("again");
				}
			}

		});
		replica.source.answer("5", Thing.of("a", "3"));
		replica.informer.start();
		lead(replica, "a");
		await().untilAsserted(() -> assertThat(attempts).containsExactly("a@3", "a@3"));
	}

	@Test
	void aChangeOfAnEarlierTermMayNotBeGoneOnWith() throws Exception {
		InformerFixture replica = replica("a");
		List<Change<Thing>> told = new CopyOnWriteArrayList<>();
		start(replica, "5", Thing.of("a", "3"));
		replica.recorder.hook = told::add;
		lead(replica, "a");
		await().until(() -> told.size() == 1);
		this.leader = "";
		standBy(replica);
		lead(replica, "a");
		await().until(() -> told.size() == 2);
		assertThat(replica.informer.mayDeliver(told.get(0))).isFalse();
		assertThat(replica.informer.mayDeliver(told.get(1))).isTrue();
	}

	@Test
	void changesHaveTheTermInWhichTheyAreDelivered() throws Exception {
		InformerFixture replica = replica("a");
		List<Ownership> owners = new CopyOnWriteArrayList<>();
		replica.recorder.hook = (change) -> owners.add(change.ownership());
		ScriptedSource.Stream watch = start(replica, "5", Thing.of("a", "3"));
		lead(replica, "a");
		await().until(() -> owners.size() == 1);
		// a later term that begins before the end of the first was noticed
		lead(replica, "a");
		watch.modified(Thing.of("a", "6"));
		replica.recorder.awaitChanges("+a@3 initial", "+a@3 initial", "~a@3>a@6");
		assertThat(owners).extracting(Ownership::epoch).containsExactly(1L, 2L, 2L);
		assertThat(owners).extracting(Ownership::slot).containsOnly(Ownership.WHOLE);
	}

	/** The thread of the handler has taken the object from its queue already. */
	@Test
	void aTermThatEndsJustBeforeACallDoesNotKeepTheNextOneFromDelivering() throws Exception {
		InformerFixture replica = new InformerFixture();
		this.fixtures.add(replica);
		AtomicBoolean ends = new AtomicBoolean(true);
		replica.leads = () -> {
			if (ends.compareAndSet(true, false)) {
				replica.informer.standBy();
				replica.takeOver();
			}
			return true;
		};
		List<Long> epochs = new CopyOnWriteArrayList<>();
		replica.recorder.hook = (change) -> epochs.add(change.ownership().epoch());
		start(replica, "5", Thing.of("a", "3"));
		replica.takeOver();
		replica.recorder.awaitChanges("+a@3 initial");
		assertThat(epochs).containsExactly(2L);
	}

	@Test
	void aHandlerAddedToAStandbyBeginsWhenItTakesOver() throws Exception {
		InformerFixture replica = replica("a");
		start(replica, "5", Thing.of("a", "3"));
		replica.awaitMirror("a@3");
		Recorder late = new Recorder();
		replica.informer.addEventHandler(late);
		lead(replica, "a");
		late.awaitChanges("+a@3 initial");
	}

	@Test
	void aReplicaThatStandsByAgainWaitsForTheWorkThatCallsHaveBegun() throws Exception {
		InformerFixture replica = replica("a");
		CompletableFuture<Void> work = new CompletableFuture<>();
		replica.recorder.work = work;
		start(replica, "5", Thing.of("a", "3"));
		lead(replica, "a");
		replica.recorder.awaitChanges("+a@3 initial");
		this.leader = "";
		CompletableFuture<Void> standingBy = replica.informer.standBy().toCompletableFuture();
		assertThat(standingBy).isNotDone();
		work.complete(null);
		standingBy.get(30, TimeUnit.SECONDS);
	}

	@Test
	void aReplicaThatStandsByAgainWaitsForTheCallInProgressAndDropsTheRest() throws Exception {
		InformerFixture replica = replica("a");
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		replica.recorder.hook = (change) -> {
			called.countDown();
			awaitQuietly(goOn);
		};
		start(replica, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		lead(replica, "a");
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		this.leader = "";
		CompletableFuture<Void> standingBy = replica.informer.standBy().toCompletableFuture();
		assertThat(standingBy).isNotDone();
		goOn.countDown();
		standingBy.get(30, TimeUnit.SECONDS);
		assertThat(replica.recorder.changes).hasSize(1);
		lead(replica, "a");
		await().until(() -> replica.recorder.changes.size() == 3);
	}

	@Test
	void noCallBeginsAfterTheLeadIsLost() throws Exception {
		InformerFixture replica = replica("a");
		replica.recorder.hook = (change) -> this.leader = "";
		ScriptedSource.Stream watch = start(replica, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		lead(replica, "a");
		await().until(() -> replica.recorder.changes.size() == 1);
		watch.added(Thing.of("c", "6"));
		replica.awaitMirror("a@3", "b@4", "c@6");
		standBy(replica);
		assertThat(replica.recorder.changes).hasSize(1);
	}

	@Test
	void theNextLeaderGoesOnFromWhatTheFirstHasCompleted() throws Exception {
		InformerFixture first = durable("a");
		ScriptedSource.Stream one = start(first, "5", Thing.of("a", "3"), Thing.of("b", "4"), Thing.of("c", "5"));
		InformerFixture second = durable("b");
		ScriptedSource.Stream two = start(second, "5", Thing.of("a", "3"), Thing.of("b", "4"), Thing.of("c", "5"));
		lead(first, "a");
		awaitStored("[a@3, b@4, c@5] {=5}");
		one.modified(Thing.of("a", "6"));
		two.modified(Thing.of("a", "6"));
		await().until(() -> first.recorder.changes.contains("~a@3>a@6"));
		awaitStored("[a@6, b@4, c@5] {=6}");
		this.leader = "";
		standBy(first);
		assertThat(first.informer.durability().writing()).isFalse();
		two.deleted(Thing.of("b", "7")).modified(Thing.of("c", "8")).added(Thing.of("d", "9"));
		second.awaitMirror("a@6", "c@8", "d@9");
		assertThat(second.recorder.changes).isEmpty();
		lead(second, "b");
		second.recorder.awaitChanges("-b@4 unseen", "~c@5>c@8", "+d@9");
		awaitStored("[a@6, c@8, d@9] {=9}");
		assertThat(second.source.lists).hasSize(1);
	}

	@Test
	void theNextLeaderWaitsUntilItsMirrorHasReachedWhatTheFirstHasStored() throws Exception {
		InformerFixture first = durable("a");
		ScriptedSource.Stream one = start(first, "5", Thing.of("a", "3"));
		InformerFixture second = durable("b");
		// otherwise it waits for no longer than a machine under load may pause
		second.hurried = false;
		ScriptedSource.Stream two = start(second, "5", Thing.of("a", "3"));
		lead(first, "a");
		awaitStored("[a@3] {=5}");
		one.added(Thing.of("b", "6"));
		awaitStored("[a@3, b@6] {=6}");
		this.leader = "";
		standBy(first);
		lead(second, "b");
		// it has read what is stored
		await().until(() -> second.informer.durability().writing());
		assertThat(second.informer.isStandby()).isTrue();
		two.added(Thing.of("b", "6")).added(Thing.of("c", "7"));
		second.awaitMirror("a@3", "b@6", "c@7");
		await().until(() -> {
			second.time.advance(Duration.ofMillis(100));
			return !second.recorder.changes.isEmpty();
		});
		assertThat(second.recorder.changes).containsExactly("+c@7");
		assertThat(second.informer.isStandby()).isFalse();
	}

	/**
	 * The leader waits for its mirror, but not forever: versions may have gone back for
	 * good.
	 */
	@Test
	void aLeaderWhoseMirrorStaysBehindAsksForTheNewestState() throws Exception {
		InformerFixture first = durable("a");
		ScriptedSource.Stream one = start(first, "5", Thing.of("a", "3"), Thing.of("z", "4"));
		InformerFixture second = durable("b");
		start(second, "5", Thing.of("a", "3"), Thing.of("z", "4"));
		lead(first, "a");
		one.deleted(Thing.of("z", "6")).added(Thing.of("b", "7")).added(Thing.of("c", "8")).added(Thing.of("d", "9"));
		awaitStored("[a@3, b@7, c@8, d@9] {=9}");
		this.leader = "";
		standBy(first);
		second.source.answer("10", Thing.of("a", "3"), Thing.of("b", "7"), Thing.of("c", "8"));
		lead(second, "b");
		ScriptedSource.Stream two = second.source.nextWatch();
		assertThat(second.listVersions()).last().isEqualTo("");
		assertThat(second.informer.isStandby()).isFalse();
		two.modified(Thing.of("b", "11")).deleted(Thing.of("c", "12"));
		second.recorder.awaitChanges("+z@4", "-z@4 unseen", "-d@9 unknown", "~b@7>b@11", "-c@12");
	}

	@Test
	void aLeaderThatDoesNotKnowAllThatItCannotReadListsBeforeItDeliversDeletions() throws Exception {
		InformerFixture first = durable("a");
		start(first, "9", Thing.of("a", "3"), Thing.of("b", "4"), Thing.of("c", "5"));
		InformerFixture second = durable("b");
		List<SkippedObject> skipped = new ArrayList<>();
		for (int i = 0; i < SkippedVersions.MOST; i++) {
			skipped.add(new SkippedObject(ResourceKey.of("default", "x" + i), "6", "unreadable"));
		}
		SkippedObject unreadable = new SkippedObject(ResourceKey.of("default", "b"), "4", "unreadable");
		skipped.add(unreadable);
		second.source.answerWith((options) -> Mono.just(new ListPage<>(List.of(Thing.of("a", "3")), "10", "", skipped)))
			.answerSkipping("11", unreadable, Thing.of("a", "3"));
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		lead(first, "a");
		awaitStored("[a@3, b@4, c@5] {=9}");
		standBy(first);
		lead(second, "b");
		second.recorder.awaitChanges("-c@5 unknown");
		second.source.nextWatch();
		awaitStored("[a@3, b@4] {=11}");
	}

	@Test
	void aLeaderWhoseListHasAnObjectWithoutAReadableKeyDeliversNoDeletions() throws Exception {
		InformerFixture first = durable("a");
		start(first, "9", Thing.of("a", "3"), Thing.of("b", "4"));
		InformerFixture second = durable("b");
		SkippedObject unreadable = new SkippedObject(null, "", "unreadable");
		second.source.answerSkipping("10", unreadable, Thing.of("a", "3"))
			.answerSkipping("11", unreadable, Thing.of("a", "3"));
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		lead(first, "a");
		awaitStored("[a@3, b@4] {=9}");
		standBy(first);
		lead(second, "b");
		second.source.nextWatch();
		awaitStored("[a@3, b@4] {=11}");
		assertThat(second.recorder.changes).isEmpty();
		second.source.answer("12", Thing.of("a", "3"));
		second.informer.relist();
		second.recorder.awaitChanges("-b@4 unknown");
	}

	@Test
	void theNextLeaderTellsTheDeletionOfWhatTheFirstHasAnnounced() throws Exception {
		InformerFixture first = durable("a");
		ScriptedSource.Stream one = start(first, "5", Thing.of("a", "3"));
		lead(first, "a");
		awaitStored("[a@3] {=5}");
		CountDownLatch goOn = new CountDownLatch(1);
		first.recorder.hook = (change) -> awaitQuietly(goOn);
		one.added(Thing.of("b", "6"));
		awaitStored("[a@3, b@6?] {=5}");
		SnapshotException dead = new SnapshotException("this process is dead", null);
		this.store.failure = dead;
		goOn.countDown();
		first.stop();
		this.store.failure = null;
		this.store.release();
		InformerFixture second = durable("b");
		second.source.failWatch(ScriptedSource.status(410, "Expired"));
		second.source.answer("9", Thing.of("a", "3"));
		second.start(InformerFixture.listing());
		second.passDelay(1);
		second.source.nextWatch();
		lead(second, "b");
		second.recorder.awaitChanges("-b@6 unseen");
	}

	@Test
	void aLeaderStoresAllObjectsBeforeItTellsThemForTheFirstTime() throws Exception {
		InformerFixture first = durable("a");
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		first.recorder.hook = (change) -> {
			called.countDown();
			awaitQuietly(goOn);
		};
		start(first, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		first.awaitMirror("a@3", "b@4");
		lead(first, "a");
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.store.stored()).isEqualTo("[a@3?, b@4?] {}");
		goOn.countDown();
		awaitStored("[a@3, b@4] {=5}");
	}

	@Test
	void aStandbyThatHasHandedOverDoesNotBecomeTheWriterAgain() throws Exception {
		InformerFixture first = durable("a");
		ScriptedSource.Stream one = start(first, "5", Thing.of("a", "3"));
		lead(first, "a");
		awaitStored("[a@3] {=5}");
		this.leader = "";
		// objects are added while it hands over
		CompletableFuture<Void> standingBy = first.informer.standBy().toCompletableFuture();
		for (int i = 0; i < 200; i++) {
			one.added(Thing.of("b" + i, String.valueOf(6 + i)));
		}
		standingBy.get(30, TimeUnit.SECONDS);
		await().until(() -> first.mirror().size() == 201);
		assertThat(first.informer.durability().writing()).isFalse();
		assertThat(this.store.open("things").claim()).isTrue();
	}

	@Test
	void aLeaderTellsNothingWhileAnotherProcessWritesTheSnapshot() throws Exception {
		InformerFixture first = durable("a");
		start(first, "5", Thing.of("a", "3"));
		lead(first, "a");
		awaitStored("[a@3] {=5}");
		InformerFixture second = durable("b");
		ScriptedSource.Stream two = start(second, "6");
		// the first replica does not know yet that it has lost the lead
		lead(second, "b");
		two.modified(Thing.of("a", "6")).added(Thing.of("b", "7"));
		second.awaitMirror("a@6", "b@7");
		assertThat(second.informer.isStandby()).isTrue();
		assertThat(second.recorder.changes).isEmpty();
		standBy(first);
		second.recorder.awaitChanges("~a@3>a@6", "+b@7");
	}

	@Test
	void aLeaderThatIsStandingByAgainBeforeItCouldTakeOverTellsNothing() throws Exception {
		InformerFixture first = durable("a");
		start(first, "5", Thing.of("a", "3"));
		lead(first, "a");
		awaitStored("[a@3] {=5}");
		InformerFixture second = durable("b");
		start(second, "6", Thing.of("a", "6"));
		lead(second, "b");
		this.leader = "a";
		standBy(second);
		standBy(first);
		lead(first, "a");
		await().until(() -> first.informer.durability().writing());
		assertThat(second.recorder.changes).isEmpty();
		assertThat(first.recorder.changes).containsExactly("+a@3 initial");
	}

	@Test
	void aTakeoverWithOtherDeclaredFieldsComparesContents() throws Exception {
		InformerFixture first = durable("a");
		start(first, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		lead(first, "a");
		awaitStored("[a@3, b@4] {=5}");
		InformerFixture second = durable("b", "other shape");
		start(second, "7", Thing.of("a", "3"), Thing.of("b", "7"));
		standBy(first);
		lead(second, "b");
		second.recorder.awaitChanges("~b@4>b@7");
		awaitStored("[a@3, b@7] {=7}");
		assertThat(this.store.header().shape()).isEqualTo("other shape");
	}

	@Test
	void aTakeoverOfWhatIsOfSomethingElseIsRefusedUntilItIsAsBefore(CapturedOutput output) throws Exception {
		InformerFixture first = durable("a");
		start(first, "5", Thing.of("a", "3"));
		InformerFixture second = durable("b");
		second.snapshot = SnapshotOptions.builder(this.store, ThingCodec.of("shape"))
			.onMismatch(OnMismatch.FAIL)
			.commitInterval(Duration.ofMillis(1))
			.build();
		start(second, "7", Thing.of("a", "7"));
		lead(first, "a");
		awaitStored("[a@3] {=5}");
		standBy(first);
		SnapshotHeader header = this.store.header();
		this.store.change(new SnapshotHeader(header.format(), header.shape(), "example.com/v2 Thing", "", "",
				header.namespaces(), header.server(), ""));
		lead(second, "b");
		await().until(() -> second.informer.durability().mismatched());
		// each attempt claims the right to write, and gives it up
		await("another can become the writer").until(() -> !second.informer.durability().writing());
		assertThat(second.informer.durability().lastError().message()).contains("example.com/v2 Thing");
		assertThat(second.recorder.changes).isEmpty();
		assertThat(this.store.setAside).isEmpty();
		this.store.change(header);
		second.recorder.awaitChanges("~a@3>a@7");
		awaitStored("[a@7] {=7}");
		assertThat(second.informer.durability().mismatched()).isFalse();
		assertThat(output).contains("this replica is active but does not deliver");
	}

	@Test
	void aTakeoverComparesWhatIsStoredWhereAClassDoesNotDefineEquality() throws Exception {
		InformerFixture first = durable("a");
		start(first, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		lead(first, "a");
		awaitStored("[a@3, b@4] {=5}");
		InformerFixture second = durable("b", "other shape");
		start(second, "7", Thing.of("a", "3").unequal(), Thing.of("b", "7"));
		standBy(first);
		lead(second, "b");
		second.recorder.awaitChanges("~b@4>b@7");
	}

	@Test
	void anInformerThatAlwaysDeliversHasNothingToTakeOver() throws Exception {
		InformerFixture alone = new InformerFixture();
		this.fixtures.add(alone);
		start(alone, "5", Thing.of("a", "3"));
		assertThatIllegalStateException().isThrownBy(alone::takeOver);
		assertThatIllegalStateException().isThrownBy(alone.informer::standBy);
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void aNewLeaderDecidesByItsMirrorAboutWhatItCannotRead() throws Exception {
		InformerFixture first = durable("a");
		start(first, "9", Thing.of("a", "3"), Thing.of("b", "4"), Thing.of("c", "5"), Thing.of("d", "6"));
		lead(first, "a");
		awaitStored("[a@3, b@4, c@5, d@6] {=9}");
		List.of("a", "b", "c", "d").forEach((name) -> this.store.damage(ResourceKey.of("default", name)));
		InformerFixture second = durable("b");
		SkippedObject skipped = new SkippedObject(ResourceKey.of("default", "c"), "5", "unreadable");
		second.source.answerSkipping("20", skipped, Thing.of("a", "3"), Thing.of("b", "7"));
		second.start(InformerFixture.listing());
		ScriptedSource.Stream watch = second.source.nextWatch();
		standBy(first);
		lead(second, "b");
		second.recorder.awaitChanges("-d@6 unknown", "+b@7");
		awaitStored("[a@3, b@7, c@5] {=20}");
		watch.send(new WatchEvent.Skipped<>("DELETED",
				new SkippedObject(ResourceKey.of("default", "c"), "21", "unreadable")));
		second.recorder.awaitChanges("-d@6 unknown", "+b@7", "-c@5 unknown");
		awaitStored("[a@3, b@7] {=21}");
	}

}
