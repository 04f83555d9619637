package dev.reflector.cache.informer;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.ThingCodec;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryStoppedException;
import dev.reflector.cache.internal.delivery.DeliveryAbandonedException;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotHeader;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotOptions.OnMismatch;
import dev.reflector.cache.snapshot.StoredObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tests where a mirror with a snapshot starts after a restart, and which changes it
 * delivers.
 */
class DurableMirrorTests extends DurableProcesses {

	@Test
	void aRestartWatchesFromTheStoredVersionAndDeliversMissedChanges() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"), Thing.of("b", "5"));
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		ScriptedSource.Stream watch = second.source.nextWatch();
		assertThat(second.mirror()).containsExactly("a@3", "b@5");
		assertThat(second.watchVersions()).containsExactly("from 5");
		assertThat(second.informer.hasSynced()).isFalse();
		watch.deleted(Thing.of("a", "6")).modified(Thing.of("b", "7")).added(Thing.of("c", "8"));
		second.recorder.awaitChanges("-a@6", "~b@5>b@7", "+c@8");
		await().until(second.informer::hasSynced);
		assertThat(second.source.lists).isEmpty();
		awaitStored("[b@7, c@8] {=8}");
	}

	@Test
	void aLongVersionIsStoredAndWatchedFrom() throws Exception {
		String version = "e".repeat(8192);
		givenSnapshot(version, Thing.of("a", version));
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		ScriptedSource.Stream watch = second.source.nextWatch();
		assertThat(second.watchVersions()).containsExactly("from " + version);
		watch.modified(Thing.of("a", version.replace('e', 'f')));
		second.recorder.awaitChanges("~a@" + version + ">a@" + version.replace('e', 'f'));
		awaitStored("[a@" + version.replace('e', 'f') + "] {=" + version.replace('e', 'f') + "}");
	}

	@Test
	void anExpiredVersionCausesOneListAndOnlyDifferencesAreDelivered() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"), Thing.of("b", "5"), Thing.of("c", "4").withUid("1"));
		InformerFixture second = process();
		List<Change<Thing>> heard = new CopyOnWriteArrayList<>();
		second.recorder.hook = heard::add;
		beginExpired(second, "90", Thing.of("b", "5"), Thing.of("c", "80").withUid("2"), Thing.of("d", "70"));
		second.recorder.awaitChanges("-a@3 unseen", "-c@4 unseen", "+c@80", "+d@70");
		assertThat(heard).allMatch((change) -> change.cause() == Change.Cause.RECOVERED && !change.initialList());
		awaitStored("[b@5, c@80, d@70] {=90}");
	}

	@Test
	void withoutResumingAStartListsAndFindsNewContentUnderAnOldVersion() throws Exception {
		givenSnapshot("5", Thing.of("default", "a", "3", "old"), Thing.of("b", "5"));
		InformerFixture second = process("shape", false, OnMismatch.RELIST);
		// a server that was set back has given out version 3 twice
		second.source.answer("9", Thing.of("default", "a", "3", "new"), Thing.of("b", "5"));
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		second.recorder.awaitChanges("~a@3>a@3");
		assertThat(second.watchVersions()).containsExactly("from 9");
	}

	/** A class need not define equality: then what is stored decides. */
	@Test
	void withoutResumingAStartDeliversNothingOfWhatIsStoredLikeThis() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"), Thing.of("b", "5"));
		InformerFixture second = process("shape", false, OnMismatch.RELIST);
		second.source.answer("9", Thing.of("a", "3").unequal(), Thing.of("b", "8"));
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		second.recorder.awaitChanges("~b@5>b@8");
	}

	@Test
	void aChangeIsCompletedWhenTheWorkIsDoneThatItsHandlerHasBegun() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		CompletableFuture<Void> work = new CompletableFuture<>();
		first.recorder.work = work;
		watch.modified(Thing.of("a", "6"));
		first.recorder.awaitChanges("+a@3 initial", "~a@3>a@6");
		await().until(() -> work.getNumberOfDependents() > 0);
		assertThat(this.store.stored()).isEqualTo("[a@3] {=5}");
		first.recorder.work = CompletableFuture.completedFuture(null);
		work.complete(null);
		awaitStored("[a@6] {=6}");
	}

	@Test
	void aChangeWhoseWorkHasFailedIsNotCompleted() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		first.recorder.work = CompletableFuture.failedFuture(new IllegalStateException("refused"));
		watch.modified(Thing.of("a", "6"));
		first.recorder.awaitChanges("+a@3 initial", "~a@3>a@6");
		await().until(() -> first.informer.durability() != null
				&& Objects.requireNonNull(first.informer.durability()).behindSince() != null);
		kill(first);
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		second.source.nextWatch().modified(Thing.of("a", "6"));
		second.recorder.awaitChanges("~a@3>a@6");
	}

	@Test
	void aChangeWhoseListenerHasNotReturnedIsDeliveredAgainAfterACrash() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		first.recorder.hook = (change) -> {
			called.countDown();
			awaitQuietly(goOn);
		};
		watch.modified(Thing.of("a", "6")).added(Thing.of("b", "7"));
		first.awaitMirror("a@6", "b@7");
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		awaitStored("[a@3, b@7?] {=5}");
		int commits = this.store.commits.size();
		await().until(() -> first.informer.durability().behindSince() != null);
		assertThat(this.store.commits).hasSize(commits);
		kill(first, goOn);
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		second.source.nextWatch().modified(Thing.of("a", "6")).added(Thing.of("b", "7"));
		second.recorder.awaitChanges("~a@3>a@6", "+b@7");
		awaitStored("[a@6, b@7] {=7}");
	}

	/** Kills a process that has delivered {@code b} as added and {@code a} as changed. */
	private void killedAfterAnAddition() throws Exception {
		InformerFixture first = processThatCommitsOnce();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		watch.modified(Thing.of("a", "6")).added(Thing.of("b", "7")).modified(Thing.of("b", "8"));
		first.recorder.awaitChanges("+a@3 initial", "~a@3>a@6", "+b@7", "~b@7>b@8");
		kill(first);
		assertThat(this.store.stored()).isEqualTo("[a@3, b@7?] {=5}");
	}

	@Test
	void anObjectToldAsAddedBeforeACrashIsToldAsDeletedAlsoWhenTheServerHasForgottenIt() throws Exception {
		killedAfterAnAddition();
		InformerFixture second = process();
		List<Change<Thing>> heard = new CopyOnWriteArrayList<>();
		second.recorder.hook = heard::add;
		second.source.failWatch(ScriptedSource.status(410, "Expired"));
		second.source.answer("90", Thing.of("a", "6"), Thing.of("c", "70"));
		second.start(InformerFixture.listing());
		await().untilAsserted(() -> assertThat(second.mirror()).containsExactly("a@3"));
		second.passDelay(1);
		second.recorder.awaitChanges("-b@7 unseen", "~a@3>a@6", "+c@70");
		assertThat(heard).allMatch((change) -> change.cause() == Change.Cause.RECOVERED);
		awaitStored("[a@6, c@70] {=90}");
	}

	@Test
	void withAQueueByKeyADeletionThatTheServerHasForgottenIsTold() throws Exception {
		killedAfterAnAddition();
		InformerFixture second = process();
		second.source.failWatch(ScriptedSource.status(410, "Expired"));
		second.source.answer("90", Thing.of("a", "3"));
		second.start(InformerFixture.listing().ordering(Ordering.PER_KEY));
		second.passDelay(1);
		second.recorder.awaitChanges("-b@7 unseen");
		awaitStored("[a@3] {=90}");
	}

	@Test
	void anAnnouncedObjectThatIsStillThereIsToldAsAdded() throws Exception {
		killedAfterAnAddition();
		InformerFixture second = process();
		beginExpired(second, "90", Thing.of("a", "3"), Thing.of("b", "7"));
		second.recorder.awaitChanges("+b@7");
		awaitStored("[a@3, b@7] {=90}");
	}

	@Test
	void anAnnouncedObjectIsToldAsDeletedByAListOfAServerThatWasSetBack() throws Exception {
		killedAfterAnAddition();
		InformerFixture second = process();
		beginExpired(second, "4", Thing.of("a", "3"));
		second.recorder.awaitChanges("-b@7 unseen");
		awaitStored("[a@3] {=4}");
	}

	/** A list of the newest state needs no version to decide. */
	@Test
	void withoutResumingAnAnnouncedObjectIsToldAsDeletedByAListOfAServerThatWasSetBack() throws Exception {
		killedAfterAnAddition();
		InformerFixture second = process("shape", false, OnMismatch.RELIST);
		begin(second, "6", Thing.of("a", "3"));
		second.recorder.awaitChanges("-b@7 unseen");
		assertThat(second.listVersions()).containsExactly("");
		awaitStored("[a@3] {=6}");
	}

	@Test
	void aSnapshotIsReadWhileTheApplicationBlocksTheCommonPool() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"));
		CountDownLatch end = new CountDownLatch(1);
		for (int i = 0; i <= ForkJoinPool.getCommonPoolParallelism(); i++) {
			ForkJoinPool.commonPool().submit(() -> end.await(60, TimeUnit.SECONDS));
		}
		try {
			InformerFixture second = process();
			second.start(InformerFixture.listing());
			second.awaitMirror("a@3");
		}
		finally {
			end.countDown();
		}
	}

	@Test
	void aListOlderThanAnAnnouncementDecidesNothing() throws Exception {
		killedAfterAnAddition();
		InformerFixture second = process();
		beginExpired(second, "6", Thing.of("a", "6"));
		ScriptedSource.Stream watch = second.source.nextWatch();
		second.recorder.awaitChanges("~a@3>a@6");
		awaitStored("[a@6, b@7?] {=6}");
		watch.added(Thing.of("b", "7"));
		second.recorder.awaitChanges("~a@3>a@6", "+b@7");
		awaitStored("[a@6, b@7] {=7}");
	}

	@Test
	void aWatchThatGoesOnTellsAnAnnouncedObjectAgainAndACommitBeforeThatLosesNothing() throws Exception {
		killedAfterAnAddition();
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		ScriptedSource.Stream watch = second.source.nextWatch();
		watch.modified(Thing.of("a", "6"));
		second.recorder.awaitChanges("~a@3>a@6");
		awaitStored("[a@6, b@7?] {=6}");
		kill(second);
		InformerFixture third = process();
		third.start(InformerFixture.listing());
		third.source.nextWatch().added(Thing.of("b", "7")).deleted(Thing.of("b", "9"));
		third.recorder.awaitChanges("+b@7", "-b@9");
		awaitStored("[a@6] {=9}");
	}

	@Test
	void aStoppedListenerThatBeginsAnewIsToldThatWhatItHadHeardOfIsGone() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		first.recorder.hook = (change) -> {
			if (change.type() == Change.Type.UPDATED) {
				throw new DeliveryStoppedException("enough", new IllegalStateException());
			}
		};
		watch.added(Thing.of("b", "6")).modified(Thing.of("a", "7"));
		await().until(() -> first.informer.status().deliveryStopped() != null);
		watch.deleted(Thing.of("b", "8"));
		first.awaitMirror("a@7");
		first.recorder.hook = (change) -> {
		};
		first.recorder.changes.clear();
		first.informer.resume();
		first.recorder.awaitChanges("-b@6 unseen", "~a@3>a@7");
		awaitStored("[a@7] {=8}");
	}

	@Test
	void withoutWritingAheadTheStoreHasOnlyWhatIsCompleted() throws Exception {
		InformerFixture first = process();
		first.snapshot = SnapshotOptions.builder(this.store, ThingCodec.of("shape"))
			.commitInterval(Duration.ofMillis(1))
			.writeAhead(false)
			.build();
		first.source.answer("5", Thing.of("a", "3"));
		first.start(InformerFixture.listing());
		first.source.nextWatch().added(Thing.of("b", "7"));
		awaitStored("[a@3, b@7] {=7}");
		assertThat(this.store.commits)
			.allMatch((commit) -> commit.upserts().stream().noneMatch(StoredObject::announced));
	}

	@Test
	void aStopStoresAllCompletedChanges() throws Exception {
		InformerFixture first = processThatCommitsOnce();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		// the next commit is not due before the stop
		watch.modified(Thing.of("a", "6"));
		first.recorder.awaitChanges("+a@3 initial", "~a@3>a@6");
		first.stop();
		assertThat(this.store.stored()).isEqualTo("[a@6] {=6}");
	}

	@Test
	void aChangeWhoseAttemptsAStopEndsIsNotStoredAsCompleted() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		CountDownLatch stopped = new CountDownLatch(1);
		first.recorder.onStop = stopped::countDown;
		first.recorder.hook = (change) -> {
			awaitQuietly(stopped);
			first.recorder.hook = (again) -> {
			};
			throw new DeliveryAbandonedException("not yet", new IllegalStateException(), AssertionError::new);
		};
		watch.deleted(Thing.of("a", "6")).modified(Thing.of("b", "7"));
		first.awaitMirror("b@7");
		first.informer.stop();
		// the time in which the stop waits for the last commit
		first.time.advance(ReflectorOptions.DEFAULT.delivery().drainTimeout());
		first.stop();
		assertThat(this.store.stored()).isEqualTo("[a@3, b@4] {=5}");
		first.source.answer("7", Thing.of("b", "7"));
		first.informer.start();
		first.source.nextWatch().added(Thing.of("c", "8"));
		awaitStored("[b@7, c@8] {=8}");
		assertThat(first.recorder.changes.subList(2, 6)).containsExactly("-a@6", "-a@6", "~b@4>b@7", "+c@8");
	}

	@Test
	void aResumedListenerGetsAllUncompletedChangesIncludingDeletions() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		first.recorder.hook = (change) -> {
			throw new DeliveryStoppedException("enough", new IllegalStateException());
		};
		watch.modified(Thing.of("a", "6"));
		await().until(() -> first.informer.status().deliveryStopped() != null);
		watch.deleted(Thing.of("b", "7")).added(Thing.of("c", "8"));
		first.awaitMirror("a@6", "c@8");
		awaitStored("[a@3, b@4, c@8?] {=5}");
		first.recorder.hook = (change) -> {
		};
		first.recorder.changes.clear();
		first.informer.resume();
		await().until(() -> first.recorder.changes.size() == 3);
		assertThat(first.recorder.changes).containsExactlyInAnyOrder("-b@4 unseen", "~a@3>a@6", "+c@8");
		awaitStored("[a@6, c@8] {=8}");
	}

	@Test
	void aSnapshotOfAnotherServerIsSetAside() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"));
		this.server = "uid:two";
		InformerFixture second = process();
		second.source.answer("2", Thing.of("z", "1"));
		second.start(InformerFixture.listing());
		second.recorder.awaitChanges("+z@1 initial");
		assertThat(this.store.setAside).singleElement().asString().contains("uid:one", "uid:two");
		awaitStored("[z@1] {=2}");
	}

	@Test
	void afterAChangeOfFieldsObjectsAreComparedByContentAndStoredAgain() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"), Thing.of("b", "5"));
		InformerFixture second = process("other shape", true, OnMismatch.RELIST);
		second.source.answer("6", Thing.of("default", "a", "3", "a field more"), Thing.of("b", "5"));
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		second.recorder.awaitChanges("~a@3>a@3");
		awaitStored("[a@3, b@5] {=6}");
		assertThat(this.store.commits.get(this.store.commits.size() - 1).upserts()).hasSize(2);
		assertThat(this.store.header().shape()).isEqualTo("other shape");
	}

	@Test
	void aMismatchCanPreventTheStart() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"));
		SnapshotHeader header = this.store.header();
		this.store.change(new SnapshotHeader(header.format(), header.shape(), "v1 Other", header.labelSelector(),
				header.fieldSelector(), header.namespaces(), header.server()));
		InformerFixture second = process("shape", true, OnMismatch.FAIL);
		second.start(InformerFixture.listing());
		await().until(() -> second.informer.state() == ReflectorState.STOPPED);
		assertThat(second.source.lists).isEmpty();
		assertThat(second.source.watches).isEmpty();
		assertThat(this.store.stored()).isEqualTo("[a@3] {=5}");
	}

	@Test
	void aSnapshotOfAnotherServerKeepsItFromStartingUntilItIsReset() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"));
		this.server = "uid:two";
		InformerFixture second = process("shape", true, OnMismatch.FAIL);
		second.start(InformerFixture.listing());
		for (int start = 1; start <= 2; start++) {
			await().until(() -> second.informer.state() == ReflectorState.STOPPED);
			assertThat(second.mirror()).isEmpty();
			assertThat(second.informer.durability().lastError().message()).contains("uid:one", "uid:two",
					"'reflector.snapshot.on-mismatch'");
			assertThat(this.store.stored()).isEqualTo("[a@3] {=5}");
			second.stop();
			if (start == 2) {
				second.informer.resetSnapshot();
				second.source.answer("2", Thing.of("z", "1"));
			}
			second.informer.start();
		}
		second.recorder.awaitChanges("+z@1 initial");
		awaitStored("[z@1] {=2}");
	}

	@Test
	void aWriterThatIsReplacedWhileItWaitsForTheServerGoesOnWithoutWriting() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"));
		InformerFixture second = process();
		second.source.identity = Mono.fromSupplier(() -> {
			this.store.release();
			assertThat(this.store.open("things").claim()).isTrue();
			return "uid:two";
		});
		second.source.answer("2", Thing.of("z", "1"));
		second.start(InformerFixture.listing());
		second.recorder.awaitChanges("+z@1 initial");
		assertThat(second.informer.durability().writing()).isFalse();
		assertThat(this.store.stored()).isEqualTo("[a@3] {=5}");
	}

	@Test
	void objectsOfRemovedNamespacesAreDeliveredAsDeleted() throws Exception {
		givenSnapshot("5", Thing.of("one", "a", "3", ""), Thing.of("two", "b", "4", ""));
		InformerFixture second = process();
		second.source.answer("6", Thing.of("one", "a", "3", ""));
		second.start(InformerFixture.listing().build(), "one");
		second.source.nextWatch();
		second.recorder.awaitChanges("-b@4 unseen");
		awaitStored("[a@3] {one=6}");
	}

	@Test
	void eachNamespaceHasItsOwnCursor() throws Exception {
		InformerFixture first = process();
		first.source.answerInNamespace("5", "a").answerInNamespace("5", "a");
		first.start(InformerFixture.listing().build(), "one", "two");
		first.source.nextWatch();
		first.source.nextWatch();
		awaitStored("[a@5, a@5] {one=5, two=5}");
		await().until(() -> first.informer.durability().size() == 2);
		first.stop();
		this.store.release();
		InformerFixture second = process();
		second.start(InformerFixture.listing().build(), "one", "two");
		ScriptedSource.Stream watch = second.source.nextWatch();
		watch.deleted(Thing.of(watch.options.namespace(), "a", "7", ""));
		second.source.nextWatch().bookmark("9");
		second.recorder.awaitChanges("-a@7");
		await().until(second.informer::hasSynced);
		assertThat(second.source.lists).isEmpty();
		await().untilAsserted(() -> assertThat(this.store.stored()).startsWith("[a@5]").contains("=7", "=9"));
		await().until(() -> second.informer.durability().size() == 1);
	}

	@Test
	void aSecondInformerTakesOverWritingWhenTheFirstIsClosed() throws Exception {
		InformerFixture first = stored("5", Thing.of("a", "3"));
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		ScriptedSource.Stream watch = second.source.nextWatch();
		watch.modified(Thing.of("a", "8")).added(Thing.of("b", "9"));
		second.recorder.awaitChanges("~a@3>a@8", "+b@9");
		assertThat(second.informer.durability().writing()).isFalse();
		assertThat(this.store.stored()).isEqualTo("[a@3] {=5}");
		first.informer.close();
		awaitStored("[a@8, b@9] {=9}");
		assertThat(second.informer.durability().writing()).isTrue();
	}

	@Test
	void whatIsReadAheadFillsTheMirrorAtTheStart() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"), Thing.of("b", "5"));
		int loads = this.store.loads.get();
		InformerFixture second = process();
		second.build(InformerFixture.listing().build());
		second.informer.readAhead();
		await().until(() -> second.informer.durability().restored() == 2);
		assertThat(second.mirror()).isEmpty();
		second.informer.start();
		ScriptedSource.Stream watch = second.source.nextWatch();
		assertThat(this.store.loads.get() - loads).isEqualTo(1);
		assertThat(second.watchVersions()).containsExactly("from 5");
		assertThat(second.mirror()).containsExactly("a@3", "b@5");
		watch.deleted(Thing.of("a", "6"));
		second.recorder.awaitChanges("-a@6");
		awaitStored("[b@5] {=6}");
	}

	@Test
	void whatWasReadAheadIsReadAgainAfterAnotherHasBecomeTheWriter() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"), Thing.of("b", "5"));
		InformerFixture second = process();
		second.build(InformerFixture.listing().build());
		second.informer.readAhead();
		await().until(() -> second.informer.durability().restored() == 2);
		this.store.release();
		InformerFixture third = process();
		third.start(InformerFixture.listing());
		third.source.nextWatch().deleted(Thing.of("a", "6"));
		awaitStored("[b@5] {=6}");
		second.informer.start();
		second.source.nextWatch();
		assertThat(second.watchVersions()).containsExactly("from 6");
		assertThat(second.mirror()).containsExactly("b@5");
	}

	@Test
	void anInformerDoesNotReadAheadWhileAnotherWrites() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		InformerFixture second = process();
		int loads = this.store.loads.get();
		second.build(InformerFixture.listing().build());
		second.informer.readAhead();
		watch.modified(Thing.of("a", "6"));
		awaitStored("[a@6] {=6}");
		second.informer.start();
		second.source.nextWatch();
		assertThat(second.watchVersions()).containsExactly("from 6");
		assertThat(this.store.loads.get() - loads).isEqualTo(1);
	}

	@Test
	void anInformerThatIsClosedBeforeItsStartIsNotTheWriterAnyMore() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"));
		InformerFixture second = process();
		second.build(InformerFixture.listing().build());
		second.informer.readAhead();
		second.informer.close();
		assertThat(this.store.open("things").claim()).isTrue();
	}

	@Test
	void aLargeStateIsStoredInPartsAndOnlyTheLastHasACursor() throws Exception {
		InformerFixture first = process();
		first.source.answer("5", InformerFixture.things(2500, "5"));
		first.start(InformerFixture.listing());
		await().until(() -> this.store.commits.size() >= 6);
		assertThat(this.store.commits).extracting((commit) -> commit.upserts().size())
			.containsExactly(1000, 1000, 500, 1000, 1000, 500);
		assertThat(this.store.commits).extracting((commit) -> commit.cursors().size())
			.as("the first three announce")
			.containsExactly(0, 0, 0, 0, 0, 1);
	}

	@Test
	void aRunThatEndsBeforeTheServerSaysWhoItIsLeavesTheRecoveryToTheNext() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"), Thing.of("b", "5"));
		InformerFixture second = process();
		Sinks.One<String> question = Sinks.one();
		second.source.identity = question.asMono();
		second.start(InformerFixture.listing());
		await().until(() -> second.mirror().size() == 2);
		var stopped = second.informer.stop().toCompletableFuture();
		question.emitError(new IOException("connection lost"), Sinks.EmitFailureHandler.FAIL_FAST);
		stopped.get(30, TimeUnit.SECONDS);
		second.source.identity = Mono.fromSupplier(() -> this.server);
		second.informer.start();
		second.source.nextWatch();
		assertThat(second.watchVersions()).containsExactly("from 5");
		assertThat(second.mirror()).containsExactly("a@3", "b@5");
		assertThat(second.source.lists).isEmpty();
	}

	@Test
	void aRunThatEndsBeforeItsListLeavesTheRecoveryToTheNext() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"), Thing.of("b", "5"), Thing.of("c", "4").withUid("1"));
		InformerFixture second = process();
		List<Change<Thing>> heard = new CopyOnWriteArrayList<>();
		second.recorder.hook = heard::add;
		second.source.failWatch(ScriptedSource.status(410, "Expired"));
		second.start(InformerFixture.listing());
		// the expired watch is answered before the list that follows it
		await().until(() -> second.watchVersions().size() == 1 && second.informer.status().lastError() != null);
		second.stop();
		second.source.answer("90", Thing.of("b", "5"), Thing.of("c", "80").withUid("2"), Thing.of("d", "70"));
		second.informer.start();
		second.recorder.awaitChanges("-a@3 unseen", "-c@4 unseen", "+c@80", "+d@70");
		assertThat(heard).allMatch((change) -> change.cause() == Change.Cause.RECOVERED && !change.initialList());
		awaitStored("[b@5, c@80, d@70] {=90}");
	}

	@Test
	void aLargeStateIsRestoredWhole() throws Exception {
		storedLarge(10_000);
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		assertThat(second.mirror()).hasSize(10_000).contains("t0@5", "t9999@5");
		assertThat(second.source.lists).isEmpty();
	}

	@Test
	void anObjectInThePlaceOfAnotherIsOfUnknownContent() throws Exception {
		storedLarge(3);
		this.store.swap(ResourceKey.of("default", "t1"), ResourceKey.of("default", "t2"));
		InformerFixture second = process();
		second.source.answer("6", Thing.of("t0", "5"), Thing.of("t2", "5"));
		second.start(InformerFixture.listing());
		second.recorder.awaitChanges("-t1@5 unknown");
		awaitStored("[t0@5, t2@5] {=6}");
	}

	@Test
	void changedSelectorsAndFieldsLeadToAListWhateverAMismatchDoes() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"), Thing.of("b", "5"));
		SnapshotHeader header = this.store.header();
		this.store.change(new SnapshotHeader(header.format(), "other shape", header.resourceType(), "app=x",
				header.fieldSelector(), header.namespaces(), header.server()));
		InformerFixture second = process("shape", true, OnMismatch.FAIL);
		second.source.answer("6", Thing.of("b", "5"));
		second.start(InformerFixture.listing());
		second.recorder.awaitChanges("-a@3 unseen");
		awaitStored("[b@5] {=6}");
	}

	@ParameterizedTest
	@EnumSource(OnMismatch.class)
	void aDamagedSnapshotIsSetAsideOrPreventsTheStart(OnMismatch onMismatch) throws Exception {
		storedLarge(10);
		this.store.damaged = true;
		InformerFixture second = process("shape", true, onMismatch);
		second.source.answer("6", Thing.of("a", "6"));
		second.start(InformerFixture.listing());
		if (onMismatch == OnMismatch.FAIL) {
			await().until(() -> second.informer.state() == ReflectorState.STOPPED);
			assertThat(second.source.lists).isEmpty();
			assertThat(second.informer.durability().lastError().message()).contains("it is damaged: a page is torn");
			assertThat(this.store.setAside).isEmpty();
		}
		else {
			second.recorder.awaitChanges("+a@6 initial");
			assertThat(this.store.setAside).containsExactly("it is damaged: a page is torn");
		}
	}

	@ParameterizedTest
	@EnumSource(QueueSettings.Ordering.class)
	void whatReadsOtherwiseThanBeforeIsDeliveredAsAnUpdate(QueueSettings.Ordering ordering) throws Exception {
		givenSnapshot("5", Thing.of("default", "a", "3", "old"), Thing.of("b", "5"));
		InformerFixture second = process("other shape", true, OnMismatch.RELIST);
		second.source.answer("6", Thing.of("default", "a", "3", "new"), Thing.of("b", "5"));
		second.start(InformerFixture.listing().ordering(ordering));
		second.recorder.awaitChanges("~a@3>a@3");
		assertThat(second.informer.lister().get(ResourceKey.of("default", "a")).payload()).isEqualTo("new");
	}

	private void storedLarge(int count) throws Exception {
		InformerFixture first = process();
		first.source.answer("5", InformerFixture.things(count, "5"));
		first.start(InformerFixture.listing());
		await().until(() -> this.store.stored().endsWith(" {=5}"));
		first.stop();
		this.store.release();
	}

	@Test
	void aResetWhileStoppedEmptiesMirrorAndSnapshot() throws Exception {
		InformerFixture first = stored("5", Thing.of("a", "3"));
		assertThatThrownBy(first.informer::resetSnapshot).isInstanceOf(IllegalStateException.class)
			.hasMessageContaining("stop it before");
		first.stop();
		assertThat(first.informer.resetSnapshot()).isEqualTo("set aside");
		assertThat(first.mirror()).isEmpty();
		assertThat(first.informer.durability().size()).isZero();
		assertThat(first.informer.durability().cursors()).isEmpty();
		assertThat(first.informer.durability().committedAt()).isNull();
		first.recorder.changes.clear();
		first.source.answer("6", Thing.of("a", "3"));
		first.informer.start();
		first.recorder.awaitChanges("+a@3 initial");
		awaitStored("[a@3] {=6}");
	}

	@Test
	void theOneThatHasLostItsClaimIsBehindNothing() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		this.store.release();
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		await().until(() -> second.informer.durability().writing());
		watch.modified(Thing.of("a", "6"));
		await().until(() -> !first.informer.durability().writing());
		assertThat(first.informer.durability().behindSince()).isNull();
		assertThat(first.informer.durability().lastError()).isNotNull();
	}

	@Test
	void afterAResetTheSameVersionIsStoredWithItsObjects() throws Exception {
		InformerFixture first = stored("5", Thing.of("a", "3"));
		first.stop();
		first.informer.resetSnapshot();
		first.source.answer("5", Thing.of("a", "3"));
		first.informer.start();
		first.source.nextWatch();
		awaitStored("[a@3] {=5}");
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** A list of any version could lack changes that listeners have received. */
	@Test
	void whatIsComparedIsTheNewestState() throws Exception {
		givenSnapshot("9", Thing.of("a", "3"));
		InformerFixture second = process("another shape", true, OnMismatch.RELIST);
		second.source.answer("9", Thing.of("a", "3"));
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		assertThat(second.source.lists).singleElement()
			.satisfies((list) -> assertThat(list.resourceVersion()).isEmpty());
	}

}
