package dev.reflector.cache.internal.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.QueueSettings.Overflow;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.internal.store.KnownObjects;
import dev.reflector.cache.source.MetadataAccessor;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class DeltaFifoTests {

	private final Map<ResourceKey, Thing> known = new HashMap<>();

	private DeltaFifo<Thing> fifo(Ordering ordering) {
		return fifo(ordering, 1, 1000);
	}

	private DeltaFifo<Thing> fifo(Ordering ordering, int scopes, int capacity) {
		KnownObjects<Thing> objects = new KnownObjects<>() {

			@Override
			public Thing get(ResourceKey key) {
				return DeltaFifoTests.this.known.get(key);
			}

			@Override
			public void forEach(BiConsumer<ResourceKey, Thing> action) {
				DeltaFifoTests.this.known.forEach(action);
			}

		};
		return DeltaFifo.create(new QueueSettings(ordering, capacity, Overflow.BLOCK),
				MetadataAccessor.forType(Thing.class), objects, scopes);
	}

	private void know(Thing... things) {
		for (Thing thing : things) {
			this.known.put(key(thing), thing);
		}
	}

	private static ResourceKey key(Thing thing) {
		return ResourceKey.of("default", thing.name());
	}

	private static void replace(DeltaFifo<Thing> fifo, String version, Thing... things) {
		Map<ResourceKey, Thing> objects = new LinkedHashMap<>();
		Stream.of(things).forEach((thing) -> objects.put(key(thing), thing));
		fifo.replace(new Delta.Replacement<>(null, objects, version, Set.of()));
	}

	private static List<String> pop(DeltaFifo<Thing> fifo) {
		List<String> popped = new ArrayList<>();
		QueueFixture.popBatch(fifo, (deltas, initial) -> deltas.forEach((delta) -> popped.add(describe(delta))), 1);
		return popped;
	}

	@Test
	void aDeltaInProcessingCountsForTheSize() {
		DeltaFifo<Thing> fifo = fifo(Ordering.ARRIVAL);
		fifo.add(Thing.of("a", "1"));
		List<Integer> sizes = new ArrayList<>();
		QueueFixture.popBatch(fifo, (deltas, initial) -> sizes.add(fifo.size()), 1);
		assertThat(sizes).containsExactly(1);
		assertThat(fifo.size()).isZero();
	}

	private static List<String> popAll(DeltaFifo<Thing> fifo) {
		List<String> popped = new ArrayList<>();
		while (fifo.size() > 0) {
			popped.addAll(pop(fifo));
		}
		return popped;
	}

	private static String describe(Delta<Thing> delta) {
		if (delta instanceof Delta.Upsert<Thing> upsert) {
			return upsert.kind() + " " + upsert.object();
		}
		if (delta instanceof Delta.Deleted<Thing> deleted) {
			return (deleted.tombstone() ? "TOMBSTONE " : "DELETED ") + deleted.object();
		}
		if (delta instanceof Delta.ReplacedAll<Thing> all) {
			return "REPLACED_ALL " + all.replacement().resourceVersion() + " "
					+ List.copyOf(all.replacement().objects().values());
		}
		if (delta instanceof Delta.Bookmark<Thing> bookmark) {
			return "BOOKMARK " + bookmark.resourceVersion();
		}
		return "SYNC_ALL";
	}

	@Nested
	class PerKey {

		private final DeltaFifo<Thing> fifo = fifo(Ordering.PER_KEY);

		@Test
		void c090_deletionBeforeReplaceIsKept() {
			know(Thing.of("foo", "1"));
			this.fifo.delete(Thing.of("foo", "1"));
			replace(this.fifo, "2", Thing.of("foo", "2"));
			assertThat(pop(this.fifo)).containsExactly("DELETED foo@1", "REPLACED foo@2");
		}

		@Test
		void c091_queuedObjectMissingFromListBecomesTombstone() {
			this.fifo.add(Thing.of("foo", "1"));
			replace(this.fifo, "2");
			assertThat(pop(this.fifo)).containsExactly("ADDED foo@1", "TOMBSTONE foo@1");
		}

		@Test
		void c093_noSecondDeletionAfterARealOne() {
			this.fifo.add(Thing.of("foo", "1"));
			this.fifo.delete(Thing.of("foo", "2"));
			replace(this.fifo, "3");
			assertThat(pop(this.fifo)).containsExactly("ADDED foo@1", "DELETED foo@2");
		}

		@Test
		void aLateDeletionDoesNotReplaceAnother() {
			know(Thing.of("foo", "8"), Thing.of("bar", "8"), Thing.of("baz", "8"));
			this.fifo.lateDelete(Thing.of("foo", "5"));
			this.fifo.delete(Thing.of("foo", "11"));
			this.fifo.lateDelete(Thing.of("bar", "5"));
			this.fifo.update(Thing.of("baz", "9"));
			this.fifo.lateDelete(Thing.of("baz", "5"));
			replace(this.fifo, "12");
			this.fifo.lateDelete(Thing.of("bar", "6"));
			assertThat(popAll(this.fifo)).containsExactly("DELETED foo@11", "TOMBSTONE bar@8", "UPDATED baz@9",
					"TOMBSTONE baz@9");
		}

		@Test
		void aTombstoneHoldsALateObjectOnlyIfNoNewerOneIsKnown() {
			know(Thing.of("foo", "8"), Thing.of("bar", "8"), Thing.of("qux", "8"));
			this.fifo.late(Thing.of("foo", "5"));
			this.fifo.late(Thing.of("bar", "9"));
			this.fifo.late(Thing.of("baz", "5"));
			this.fifo.delete(Thing.of("qux", "11"));
			this.fifo.late(Thing.of("qux", "10"));
			replace(this.fifo, "12");
			assertThat(popAll(this.fifo)).containsExactly("LATE foo@5", "TOMBSTONE foo@8", "LATE bar@9",
					"TOMBSTONE bar@9", "LATE baz@5", "TOMBSTONE baz@5", "DELETED qux@11", "LATE qux@10",
					"TOMBSTONE qux@10");
		}

		@Test
		void c095_twoEmptyReplacesGiveOneTombstone() {
			this.fifo.add(Thing.of("foo", "1"));
			replace(this.fifo, "0");
			replace(this.fifo, "1");
			assertThat(pop(this.fifo)).containsExactly("ADDED foo@1", "TOMBSTONE foo@1");
		}

		@Test
		void c096_tombstoneHoldsTheNewestQueuedObject() {
			this.fifo.add(Thing.of("foo", "2"));
			this.fifo.delete(Thing.of("foo", "2"));
			this.fifo.add(Thing.of("foo", "3"));
			replace(this.fifo, "4");
			assertThat(pop(this.fifo)).containsExactly("ADDED foo@2", "DELETED foo@2", "ADDED foo@3",
					"TOMBSTONE foo@3");
			assertThat(this.fifo.size()).isZero();
		}

		@Test
		void c097_accumulatesTheDeltasOfAKey() {
			this.fifo.add(Thing.of("foo", "10"));
			this.fifo.update(Thing.of("foo", "12"));
			this.fifo.delete(Thing.of("foo", "15"));
			assertThat(pop(this.fifo)).containsExactly("ADDED foo@10", "UPDATED foo@12", "DELETED foo@15");
			assertThat(this.fifo.size()).isZero();
		}

		@Test
		void c099_deletionOfSomethingUnknownIsDropped() {
			this.fifo.add(Thing.of("foo", "10"));
			this.fifo.delete(Thing.of("baz", "20"));
			assertThat(popAll(this.fifo)).containsExactly("ADDED foo@10");
		}

		@Test
		void c100_deletionOfSomethingKnownIsQueued() {
			know(Thing.of("baz", "7"));
			this.fifo.delete(Thing.of("baz", "20"));
			assertThat(popAll(this.fifo)).containsExactly("DELETED baz@20");
		}

		@Test
		void c103_c112_resyncDeliversKnownObjectsThatHaveNoWaitingDelta() {
			know(Thing.of("foo", "5"), Thing.of("bar", "6"));
			this.fifo.update(Thing.of("foo", "6"));
			this.fifo.resync(null, () -> true);
			assertThat(popAll(this.fifo)).containsExactly("UPDATED foo@6", "SYNC bar@6");
		}

		@Test
		void theTimerDoesNotChangeWhoReceivesAResyncThatIsQueued() {
			know(Thing.of("foo", "5"), Thing.of("bar", "6"));
			AtomicInteger chosen = new AtomicInteger();
			this.fifo.resync(null, () -> true);
			pop(this.fifo);
			this.fifo.resyncOfTimer("default", () -> chosen.incrementAndGet() > 0);
			assertThat(chosen).hasValue(0);
			assertThat(popAll(this.fifo)).hasSize(1);
			this.fifo.resyncOfTimer("default", () -> chosen.incrementAndGet() > 0);
			assertThat(chosen).hasValue(1);
			assertThat(popAll(this.fifo)).containsExactlyInAnyOrder("SYNC foo@5", "SYNC bar@6");
		}

		@Test
		void c110_replaceMakesTombstonesOfMissingKnownObjects() {
			know(Thing.of("foo", "5"), Thing.of("bar", "6"), Thing.of("baz", "7"));
			this.fifo.delete(Thing.of("baz", "10"));
			replace(this.fifo, "11", Thing.of("foo", "6"));
			assertThat(popAll(this.fifo)).containsExactly("DELETED baz@10", "REPLACED foo@6", "TOMBSTONE bar@6");
		}

		@Test
		void c113_syncedAfterEverythingOfTheFirstReplaceWasPopped() {
			know(Thing.of("foo", "5"), Thing.of("bar", "6"), Thing.of("baz", "7"));
			replace(this.fifo, "8", Thing.of("foo", "5"));
			for (int i = 0; i < 3; i++) {
				assertThat(this.fifo.hasSynced()).isFalse();
				QueueFixture.popBatch(this.fifo, (deltas, initial) -> assertThat(initial).isTrue(), 1);
			}
			assertThat(this.fifo.hasSynced()).isTrue();
		}

		@Test
		void c114_keysAreDeliveredInTheOrderOfTheirFirstDelta() {
			for (Thing thing : List.of(Thing.of("foo", "10"), Thing.of("bar", "1"), Thing.of("foo", "13"),
					Thing.of("zab", "30"))) {
				this.fifo.add(thing);
			}
			assertThat(pop(this.fifo)).containsExactly("ADDED foo@10", "ADDED foo@13");
			this.fifo.add(Thing.of("foo", "14"));
			assertThat(popAll(this.fifo)).containsExactly("ADDED bar@1", "ADDED zab@30", "ADDED foo@14");
		}

		@Test
		void c118_emptyFirstReplaceSyncsAtOnce() {
			replace(this.fifo, "1");
			assertThat(this.fifo.hasSynced()).isTrue();
		}

		@Test
		void c120_countsDistinctKeys() {
			replace(this.fifo, "1", Thing.of("a", "1"), Thing.of("a", "1"));
			pop(this.fifo);
			assertThat(this.fifo.hasSynced()).isTrue();
		}

		@Test
		void skippedObjectsAreNotTakenForDeleted() {
			know(Thing.of("foo", "5"));
			this.fifo.replace(new Delta.Replacement<>(null, Map.of(), "6", Set.of(ResourceKey.of("default", "foo"))));
			assertThat(this.fifo.size()).isZero();
			assertThat(this.fifo.hasSynced()).isTrue();
		}

	}

	@Nested
	class ArrivalOrder {

		private final DeltaFifo<Thing> fifo = fifo(Ordering.ARRIVAL);

		@Test
		void c136_everyDeltaIsDeliveredOnItsOwn() {
			this.fifo.add(Thing.of("foo", "10"));
			this.fifo.update(Thing.of("foo", "12"));
			this.fifo.delete(Thing.of("foo", "15"));
			assertThat(pop(this.fifo)).containsExactly("ADDED foo@10");
			assertThat(pop(this.fifo)).containsExactly("UPDATED foo@12");
			assertThat(pop(this.fifo)).containsExactly("DELETED foo@15");
		}

		private List<String> popBatch(int limit) {
			List<String> popped = new ArrayList<>();
			QueueFixture.popBatch(this.fifo, (deltas, initial) -> deltas
				.forEach((delta) -> popped.add(describe(delta) + (initial ? " initial" : ""))), limit);
			return popped;
		}

		@Test
		void c164_batchesAreLimited() {
			this.fifo.update(Thing.of("a", "1"));
			this.fifo.delete(Thing.of("b", "2"));
			this.fifo.add(Thing.of("c", "3"));
			assertThat(popBatch(2)).containsExactly("UPDATED a@1", "DELETED b@2");
			assertThat(popBatch(2)).containsExactly("ADDED c@3");
		}

		@Test
		void c160_anObjectIsInABatchOnce() {
			this.fifo.update(Thing.of("a", "1"));
			this.fifo.update(Thing.of("b", "2"));
			this.fifo.update(Thing.of("a", "3"));
			assertThat(popBatch(1000)).containsExactly("UPDATED a@1", "UPDATED b@2");
			assertThat(popBatch(1000)).containsExactly("UPDATED a@3");
		}

		@Test
		void d55_replaceBookmarkAndResyncAreTakenAlone() {
			this.fifo.add(Thing.of("a", "1"));
			replace(this.fifo, "2", Thing.of("a", "2"));
			this.fifo.bookmark(null, "3");
			this.fifo.resync(null, () -> true);
			this.fifo.add(Thing.of("b", "4"));
			this.fifo.add(Thing.of("c", "5"));
			List<Integer> sizes = new ArrayList<>();
			while (this.fifo.size() > 0) {
				QueueFixture.popBatch(this.fifo, (deltas, initial) -> sizes.add(deltas.size()), 1000);
			}
			assertThat(sizes).containsExactly(1, 1, 1, 1, 2);
		}

		@Test
		void d58_theSizeCountsTheDeltasOfABatch() {
			DeltaFifo<Thing> fifo = fifo(Ordering.ARRIVAL, 2, 1000);
			fifo.add(Thing.of("a", "1"));
			fifo.add(Thing.of("b", "2"));
			List<Integer> sizes = new ArrayList<>();
			QueueFixture.popBatch(fifo, (deltas, initial) -> sizes.add(fifo.size()), 1000);
			assertThat(sizes).containsExactly(2);
			assertThat(fifo.size()).isZero();
		}

		@Test
		void c152_orderIsGlobal() {
			for (Thing thing : List.of(Thing.of("foo", "10"), Thing.of("bar", "1"), Thing.of("foo", "11"))) {
				this.fifo.add(thing);
			}
			assertThat(popAll(this.fifo)).containsExactly("ADDED foo@10", "ADDED bar@1", "ADDED foo@11");
		}

		@Test
		void c172_replaceIsOneDelta() {
			this.fifo.add(Thing.of("foo", "1"));
			replace(this.fifo, "10", Thing.of("foo", "10"));
			replace(this.fifo, "56");
			assertThat(popAll(this.fifo)).containsExactly("ADDED foo@1", "REPLACED_ALL 10 [foo@10]",
					"REPLACED_ALL 56 []");
		}

		@Test
		void c173_bookmarksKeepTheirPlace() {
			this.fifo.bookmark(null, "123");
			replace(this.fifo, "1234");
			assertThat(popAll(this.fifo)).containsExactly("BOOKMARK 123", "REPLACED_ALL 1234 []");
		}

		@Test
		void c175_resyncIsOneDelta() {
			this.fifo.add(Thing.of("foo", "1"));
			this.fifo.resync(null, () -> true);
			assertThat(popAll(this.fifo)).containsExactly("ADDED foo@1", "SYNC_ALL");
		}

		@Test
		void x15_emptyFirstReplaceIsSyncedOnlyAfterProcessing() {
			replace(this.fifo, "1");
			assertThat(this.fifo.hasSynced()).isFalse();
			QueueFixture.popBatch(this.fifo, (deltas, initial) -> assertThat(this.fifo.hasSynced()).isFalse(), 1);
			assertThat(this.fifo.hasSynced()).isTrue();
		}

		@Test
		void d35_aFirstStateCountsAsProcessedWhenItsProcessingFails() {
			replace(this.fifo, "1");
			org.assertj.core.api.Assertions.assertThatIllegalStateException()
				.isThrownBy(() -> QueueFixture.popBatch(this.fifo, (deltas, initial) -> {
					throw new IllegalStateException("broken consumer");
				}, 1));
			assertThat(this.fifo.hasSynced()).isTrue();
		}

		@Test
		void withSeveralScopesSyncedAfterEachHasBeenReplaced() {
			DeltaFifo<Thing> fifo = fifo(Ordering.ARRIVAL, 2, 100);
			fifo.replace(new Delta.Replacement<>("a", Map.of(), "1", Set.of()));
			pop(fifo);
			assertThat(fifo.hasSynced()).isFalse();
			fifo.replace(new Delta.Replacement<>("b", Map.of(), "1", Set.of()));
			pop(fifo);
			assertThat(fifo.hasSynced()).isTrue();
		}

	}

	@ParameterizedTest
	@EnumSource
	void c116_anUnusedQueueIsNotSynced(Ordering ordering) {
		assertThat(fifo(ordering).hasSynced()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void c117_syncedWhenAddedBeforeAnyReplace(Ordering ordering) {
		DeltaFifo<Thing> fifo = fifo(ordering);
		fifo.add(Thing.of("a", "1"));
		assertThat(fifo.hasSynced()).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void syncedWhenTheStatesOfAllNamespacesThatWaitedTogetherArePopped(Ordering ordering) {
		DeltaFifo<Thing> fifo = fifo(ordering, 2, 100);
		for (String namespace : List.of("default", "other")) {
			ResourceKey key = ResourceKey.of(namespace, "a");
			fifo.replace(new Delta.Replacement<>(namespace, Map.of(key, Thing.of("a", "1")), "1", Set.of()));
		}
		pop(fifo);
		assertThat(fifo.hasSynced()).isFalse();
		pop(fifo);
		assertThat(fifo.hasSynced()).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void aLossIsRepairedByACompleteStateOfEachNamespace(Ordering ordering) {
		DeltaFifo<Thing> fifo = fifo(ordering, 2, 100);
		fifo.lost();
		for (String namespace : List.of("a", "a", "b")) {
			assertThat(fifo.isRepaired()).isFalse();
			fifo.replace(new Delta.Replacement<>(namespace, Map.of(), "1", Set.of()));
			while (fifo.size() > 0) {
				pop(fifo);
			}
		}
		assertThat(fifo.isRepaired()).isTrue();
		fifo.lost();
		assertThat(fifo.isRepaired()).isFalse();
	}

	@Test
	void aFewDeltasAreOfferedToTheirThreadAndManyAreNot() {
		DeltaFifo<Thing> fifo = fifo(Ordering.ARRIVAL);
		List<Integer> offered = new ArrayList<>();
		fifo.directly(() -> offered.add(fifo.size()));
		fifo.handOver();
		for (int i = 0; i < 18; i++) {
			fifo.add(Thing.of("t" + i, "1"));
			fifo.handOver();
		}
		assertThat(offered).hasSize(16).startsWith(1).endsWith(16);
	}

	@ParameterizedTest
	@CsvSource({ "true, false", "false, true" })
	void whoPopsIsWokenUnlessNothingIsLeft(boolean done, boolean woken) throws Exception {
		DeltaFifo<Thing> fifo = fifo(Ordering.ARRIVAL);
		fifo.directly(() -> done);
		CompletableFuture<Boolean> more = new CompletableFuture<>();
		Thread thread = new Thread(() -> more.complete(fifo.awaitMore()));
		thread.start();
		await().until(() -> thread.getState() == Thread.State.WAITING);
		fifo.add(Thing.of("a", "1"));
		fifo.handOver();
		if (!woken) {
			assertThat(thread.getState()).isEqualTo(Thread.State.WAITING);
			fifo.nudge();
		}
		assertThat(more.get(30, TimeUnit.SECONDS)).isTrue();
		thread.join();
	}

	@Test
	void aNudgeIsSomethingToTellAlthoughNothingWaits() {
		DeltaFifo<Thing> fifo = fifo(Ordering.ARRIVAL);
		fifo.nudge();
		assertThat(pop(fifo)).isEmpty();
		fifo.close();
		assertThat(fifo.awaitMore()).isFalse();
	}

	@Test
	void onlyDeltasOfSingleObjectsArePoppedAsObjects() {
		DeltaFifo<Thing> fifo = fifo(Ordering.ARRIVAL);
		fifo.add(Thing.of("a", "1"));
		replace(fifo, "2", Thing.of("a", "2"));
		List<String> popped = new ArrayList<>();
		PopProcessFunc<Thing> process = (deltas, initial) -> deltas.forEach((delta) -> popped.add(describe(delta)));
		assertThat(fifo.popObjects(process, 10)).isTrue();
		assertThat(fifo.popObjects(process, 10)).isFalse();
		assertThat(popped).containsExactly("ADDED a@1");
		fifo.pop(process, 10);
		fifo.bookmark(null, "3");
		assertThat(fifo.popObjects(process, 10)).isFalse();
		fifo.pop(process, 10);
		fifo.resync(null, () -> true);
		assertThat(fifo.popObjects(process, 10)).isFalse();
		fifo.pop(process, 10);
		assertThat(fifo.popObjects(process, 10)).isFalse();
	}

	@Test
	void byKeyNothingIsPoppedAsObjects() {
		DeltaFifo<Thing> fifo = fifo(Ordering.PER_KEY);
		fifo.add(Thing.of("a", "1"));
		assertThat(fifo.popObjects((deltas, initial) -> assertThat(deltas).isNull(), 10)).isFalse();
		assertThat(fifo.size()).isOne();
	}

	@Test
	void roomIsCertainForOneLoopOnly() {
		DeltaFifo<Thing> one = fifo(Ordering.ARRIVAL, 1, 2);
		assertThat(one.hasRoom()).isTrue();
		one.add(Thing.of("a", "1"));
		assertThat(one.hasRoom()).isTrue();
		one.add(Thing.of("b", "1"));
		assertThat(one.hasRoom()).isFalse();
		assertThat(fifo(Ordering.ARRIVAL, 2, 2).hasRoom()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void c121_closeEndsAWaitingPop(Ordering ordering) throws Exception {
		DeltaFifo<Thing> fifo = fifo(ordering);
		CompletableFuture<Boolean> popped = CompletableFuture
			.supplyAsync(() -> QueueFixture.popBatch(fifo, (deltas, initial) -> assertThat(deltas).isNull(), 1));
		fifo.close();
		assertThat(popped.get(30, TimeUnit.SECONDS)).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void d27_closedQueueStillDrains(Ordering ordering) {
		DeltaFifo<Thing> fifo = fifo(ordering);
		fifo.add(Thing.of("a", "1"));
		fifo.close();
		assertThat(popAll(fifo)).containsExactly("ADDED a@1");
		assertThat(QueueFixture.popBatch(fifo, (deltas, initial) -> assertThat(deltas).isNull(), 1)).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void aFullQueueBlocksItsWriterUntilThereIsRoom(Ordering ordering) throws Exception {
		DeltaFifo<Thing> fifo = fifo(ordering, 1, 2);
		fifo.add(Thing.of("a", "1"));
		fifo.add(Thing.of("b", "1"));
		CompletableFuture<Void> third = CompletableFuture.runAsync(() -> fifo.add(Thing.of("c", "1")));
		assertThat(third).isNotDone();
		pop(fifo);
		third.get(30, TimeUnit.SECONDS);
		assertThat(popAll(fifo)).containsExactly("ADDED b@1", "ADDED c@1");
	}

	@ParameterizedTest
	@EnumSource
	void closeReleasesAWaitingWriter(Ordering ordering) throws Exception {
		DeltaFifo<Thing> fifo = fifo(ordering, 1, 1);
		fifo.add(Thing.of("a", "1"));
		CompletableFuture<Void> second = CompletableFuture.runAsync(() -> fifo.add(Thing.of("b", "1")));
		fifo.close();
		second.get(30, TimeUnit.SECONDS);
		assertThat(popAll(fifo)).containsExactly("ADDED a@1", "ADDED b@1");
	}

}
