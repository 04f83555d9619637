package dev.reflector.cache.informer;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.ThingCodec;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotOptions.OnMismatch;
import dev.reflector.cache.snapshot.StoredObject;
import dev.reflector.fixture.MemorySnapshots;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests what a mirror with a snapshot does and reports while its store fails.
 */
class DurableStoreFaultTests extends DurableProcesses {

	/** A restored server gives out a version a second time, which a relist finds. */
	@Test
	void otherContentOfTheSameVersionIsStoredAlsoAfterAFailure() throws Exception {
		Thing before = Thing.of("default", "a", "3", "old");
		Thing after = Thing.of("default", "a", "3", "new");
		InformerFixture first = stored("5", before);
		this.store.failure = new SnapshotException("away", null);
		first.source.answer("9", after);
		first.informer.relist();
		first.source.nextWatch();
		await().until(() -> first.informer.durability().lastError() != null);
		this.store.failure = null;
		awaitStored("[" + after + "] {=9}");
		kill(first);
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		await().until(() -> second.informer.lister().list().size() == 1);
		assertThat(second.informer.lister().list().get(0).payload()).isEqualTo("new");
	}

	@Test
	void whileTheStoreFailsListenersGoOnAndAdditionsAreAnnouncedAgainAfterwards() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		this.store.failure = new SnapshotException("the disk is full", null);
		watch.added(Thing.of("b", "7")).added(Thing.of("c", "8"));
		first.recorder.awaitChanges("+a@3 initial", "+b@7", "+c@8");
		assertThat(first.informer.durability().lastError().message()).isEqualTo("the disk is full");
		this.store.failure = null;
		awaitStored("[a@3, b@7, c@8] {=8}");
		int commits = this.store.commits.size();
		watch.added(Thing.of("d", "9"));
		awaitStored("[a@3, b@7, c@8, d@9] {=9}");
		assertThat(this.store.commits.get(commits).upserts()).singleElement().matches(StoredObject::announced);
	}

	@Test
	void aStoreThatCannotSetAsideTheSnapshotOfAnotherServerIsWaitedFor() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"));
		InformerFixture second = process();
		second.source.identity = Mono.fromSupplier(() -> {
			this.store.failure = new SnapshotException("the database is away", null);
			return "uid:two";
		});
		second.source.answer("2", Thing.of("z", "1"));
		second.start(InformerFixture.listing());
		await().until(() -> second.informer.durability().lastError() != null);
		assertThat(second.informer.state()).isEqualTo(ReflectorState.STARTING);
		assertThat(second.source.lists).isEmpty();
		this.store.failure = null;
		second.recorder.awaitChanges("+z@1 initial");
		assertThat(this.store.setAside).hasSize(1);
		awaitStored("[z@1] {=2}");
	}

	@Test
	void aStoreThatCannotSetAsideWhatIsDamagedIsWaitedFor() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"));
		this.store.damaged = true;
		this.store.setAsideFailure = new SnapshotException("the database is away", null);
		InformerFixture second = process();
		second.source.answer("6", Thing.of("a", "3"));
		second.start(InformerFixture.listing());
		await().until(() -> second.informer.durability().lastError() != null);
		assertThat(second.source.lists).isEmpty();
		this.store.setAsideFailure = null;
		second.recorder.awaitChanges("+a@3 initial");
		assertThat(this.store.setAside).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource(OnMismatch.class)
	void whatIsFoundDamagedWhileRunningIsSetAsideAndStoredAgainIfItMayBe(OnMismatch onMismatch) throws Exception {
		InformerFixture first = process("shape", true, onMismatch);
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		this.store.damaged = true;
		this.store.failure = new SnapshotException("the database was away", null);
		watch.modified(Thing.of("a", "6"));
		await().until(() -> first.informer.durability().lastError() != null);
		this.store.failure = null;
		if (onMismatch == OnMismatch.RELIST) {
			awaitStored("[a@6, b@4] {=6}");
			assertThat(this.store.setAside).containsExactly("it is damaged: a page is torn");
			await().until(() -> first.informer.durability().behindSince() == null);
		}
		else {
			await().until(() -> first.informer.durability().lastError().message().equals("a page is torn"));
			assertThat(this.store.setAside).isEmpty();
		}
	}

	@Test
	void aStoreWithAnErrorOfItsOwnStopsTheReflector() {
		this.store.failure = new IllegalStateException("an error in the store");
		InformerFixture first = process();
		first.start(InformerFixture.listing());
		await().until(() -> first.informer.state() == ReflectorState.STOPPED);
		assertThat(first.source.lists).isEmpty();
		this.store.failure = null;
	}

	/** The end does not wait for a last commit of the thread that has died. */
	@Test
	void aStoreWithAnErrorOfItsOwnStopsARunningReflectorAtOnce() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		this.store.failure = new IllegalStateException("an error in the store");
		watch.modified(Thing.of("a", "6"));
		await().until(() -> first.informer.state() == ReflectorState.STOPPED);
		first.informer.flushSnapshot().toCompletableFuture().get(30, TimeUnit.SECONDS);
		this.store.failure = null;
	}

	@Test
	void afterAnErrorOfTheStoreTheNextRunReadsWhatIsStored() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		int loads = this.store.loads.get();
		this.store.failure = new IllegalStateException("an error in the store");
		watch.modified(Thing.of("a", "6"));
		await().until(() -> first.informer.state() == ReflectorState.STOPPED);
		this.store.failure = null;
		first.source.answer("6", Thing.of("a", "6"));
		first.informer.start();
		awaitStored("[a@6] {=6}");
		assertThat(this.store.loads.get()).isGreaterThan(loads);
	}

	@Test
	void aFailureToReadAheadIsReportedByTheStart() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"));
		this.store.failure = new SnapshotException("the disk is full", null);
		InformerFixture second = process();
		second.build(InformerFixture.listing().build());
		second.informer.readAhead();
		second.informer.start();
		await().until(() -> second.informer.durability().lastError() != null);
		this.store.failure = null;
		second.source.nextWatch();
		assertThat(second.mirror()).containsExactly("a@3");
	}

	@Test
	void aFailingStoreDelaysTheStartAndLaterOnlyTheSnapshot() throws Exception {
		this.store.failure = new SnapshotException("the disk is full", null);
		InformerFixture first = process();
		first.source.answer("5", Thing.of("a", "3"));
		first.start(InformerFixture.listing());
		await().until(() -> first.informer.durability().lastError() != null);
		assertThat(first.source.lists).isEmpty();
		assertThat(first.informer.durability().lastError().message()).isEqualTo("the disk is full");
		this.store.failure = null;
		ScriptedSource.Stream watch = first.source.nextWatch();
		awaitStored("[a@3] {=5}");
		this.store.failure = new SnapshotException("the disk is full", null);
		watch.modified(Thing.of("a", "6"));
		await().until(() -> first.informer.durability().lastError() != null);
		watch.added(Thing.of("b", "7"));
		first.awaitMirror("a@6", "b@7");
		this.store.failure = null;
		awaitStored("[a@6, b@7] {=7}");
		await().until(() -> first.informer.durability().lastError() == null);
	}

	@Test
	void aRunThatEndsBeforeTheStoreAnswersLeavesTheCursorToTheNext() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"), Thing.of("b", "5"));
		this.store.failure = new SnapshotException("the store is away", null);
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		await().until(() -> second.informer.durability().lastError() != null);
		second.stop();
		this.store.failure = null;
		second.informer.start();
		ScriptedSource.Stream watch = second.source.nextWatch();
		assertThat(second.watchVersions()).containsExactly("from 5");
		watch.deleted(Thing.of("a", "6"));
		second.recorder.awaitChanges("-a@6");
		assertThat(second.source.lists).isEmpty();
	}

	@Test
	void reportsHowMuchIsStoredAndUpToWhere() throws Exception {
		InformerFixture first = stored("5", Thing.of("a", "3"), Thing.of("b", "5"));
		await().until(() -> first.informer.durability().size() == 2 && first.commits.get() == 2);
		assertThat(first.informer.durability().restored()).isZero();
		first.stop();
		this.store.release();
		InformerFixture second = patientProcess(ThingCodec.of("shape"));
		second.start(InformerFixture.listing());
		ScriptedSource.Stream watch = second.source.nextWatch();
		ReflectorStatus.Durability restored = second.informer.durability();
		assertThat(restored.restored()).isEqualTo(2);
		assertThat(restored.size()).isEqualTo(2);
		assertThat(restored.cursors()).isEqualTo(Map.of("", "5"));
		assertThat(restored.committedAt()).isEqualTo(MemorySnapshots.COMMITTED_AT);
		assertThat(restored.commitTook()).isNull();
		watch.deleted(Thing.of("a", "6")).added(Thing.of("c", "7")).modified(Thing.of("b", "8"));
		watch.added(Thing.of("d", "9"));
		await().until(() -> second.informer.durability().size() == 3);
		assertThat(second.failedCommits.get()).isZero();
		// after a failure, only the versions of what is stored are known
		this.store.failure = new SnapshotException("the disk is full", null);
		watch.modified(Thing.of("c", "10")).deleted(Thing.of("b", "11")).added(Thing.of("e", "12"));
		watch.added(Thing.of("f", "13"));
		await().until(() -> second.failedCommits.get() > 0 && second.informer.durability().behindSince() != null);
		this.store.failure = null;
		awaitStored("[c@10, d@9, e@12, f@13] {=13}");
		await().until(() -> second.informer.durability().size() == 4);
		await().until(() -> second.informer.durability().behindSince() == null);
		assertThat(second.informer.durability().commitTook()).isNotNull();
	}

}
