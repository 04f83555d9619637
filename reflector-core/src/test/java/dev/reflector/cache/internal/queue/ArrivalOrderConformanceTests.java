package dev.reflector.cache.internal.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.informer.ReplaceConformanceTests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The test cases of client-go for the queue in arrival order that are not in
 * {@link DeltaFifoTests}. Those for the variant without atomic replace are in
 * {@link ReplaceConformanceTests}.
 */
@Timeout(60)
class ArrivalOrderConformanceTests {

	private final QueueFixture queue = new QueueFixture(Ordering.ARRIVAL);

	@Test
	void c138_everyEventIsDeliveredEvenDeletionsOfUnknownObjects() {
		this.queue.add("foo@10").update("bar@15").add("qux@17").delete("qux@18").delete("baz@20");
		assertThat(this.queue.popAll()).containsExactly("[ADDED foo@10]", "[UPDATED bar@15]", "[ADDED qux@17]",
				"[DELETED qux@18]", "[DELETED baz@20]");
	}

	@Test
	void c139_knownObjectsMakeNoDifference() {
		this.queue.know("foo@5", "bar@6", "baz@7").add("foo@10").update("bar@15").delete("baz@20");
		assertThat(this.queue.popAll()).containsExactly("[ADDED foo@10]", "[UPDATED bar@15]", "[DELETED baz@20]");
	}

	@Test
	void c140_c174_aListIsDeliveredAfterEarlierEventsAndCloseEndsTheConsumer() throws Exception {
		this.queue.add("foo@10").replace("20", "foo@15");
		List<String> popped = new CopyOnWriteArrayList<>();
		CompletableFuture<Void> consumer = CompletableFuture.runAsync(() -> {
			boolean open = true;
			while (open) {
				open = QueueFixture.popBatch(this.queue.fifo,
						(deltas, initial) -> deltas.forEach((delta) -> popped.add(QueueFixture.describe(delta))), 1);
			}
		});
		await().until(() -> this.queue.fifo.size() == 0);
		assertThat(consumer).isNotDone();
		this.queue.fifo.close();
		consumer.get(30, TimeUnit.SECONDS);
		assertThat(popped).containsExactly("ADDED foo@10", "REPLACED_ALL 20 [foo@15]");
	}

	@Test
	void c143_theDeletionFollowsTheAddition() {
		this.queue.add("foo@5").delete("foo@6");
		assertThat(this.queue.popAll()).containsExactly("[ADDED foo@5]", "[DELETED foo@6]");
	}

	@Test
	void c151_syncedWhenTheFirstStateWasProcessed() {
		this.queue.know("foo@5", "bar@6", "baz@7").replace("8", "foo@5");
		assertThat(this.queue.fifo.hasSynced()).isFalse();
		List<Boolean> synced = new ArrayList<>();
		QueueFixture.popBatch(this.queue.fifo, (deltas, initial) -> {
			synced.add(this.queue.fifo.hasSynced());
			assertThat(initial).isTrue();
		}, 1);
		assertThat(synced).containsExactly(false);
		assertThat(this.queue.fifo.hasSynced()).isTrue();
	}

	@Test
	void c152_eventsAreDeliveredInArrivalOrder() {
		this.queue.add("foo@10", "bar@1", "foo@11", "foo@13", "zab@30");
		assertThat(this.queue.pop()).isEqualTo("[ADDED foo@10]");
		this.queue.add("foo@14");
		assertThat(this.queue.popAll()).containsExactly("[ADDED bar@1]", "[ADDED foo@11]", "[ADDED foo@13]",
				"[ADDED zab@30]", "[ADDED foo@14]");
	}

	@Test
	void c155_c156_aFirstStateOfSeveralObjectsIsOnePop() {
		this.queue.replace("1", "a@1", "b@1", "c@1");
		assertThat(this.queue.fifo.hasSynced()).isFalse();
		assertThat(this.queue.pop()).isEqualTo("[REPLACED_ALL 1 [a@1, b@1, c@1]] initial");
		assertThat(this.queue.fifo.hasSynced()).isTrue();
	}

	@Test
	void c158_aFirstStateIsOneBatch() {
		this.queue.replace("3", "1@1", "2@2", "3@3");
		assertThat(this.queue.popAll(1000)).containsExactly("[REPLACED_ALL 3 [1@1, 2@2, 3@3]] initial");
	}

	@Test
	void c159_aBatchEndsWithTheFirstState() {
		this.queue.replace("2", "1@1", "2@2").update("3@3", "4@4");
		assertThat(this.queue.popAll(2)).containsExactly("[REPLACED_ALL 2 [1@1, 2@2]] initial",
				"[UPDATED 3@3, UPDATED 4@4]");
	}

	@Test
	void c160_changesOfOneObjectAreNotBatched() {
		this.queue.replace("1", "1@1").update("1@2", "1@3");
		assertThat(this.queue.popAll(1000)).containsExactly("[REPLACED_ALL 1 [1@1]] initial", "[UPDATED 1@2]",
				"[UPDATED 1@3]");
	}

	@Test
	void c161_changesOfDifferentObjectsAreBatched() {
		this.queue.replace("2", "1@1", "2@2").update("2@3", "3@4");
		assertThat(this.queue.popAll(1000)).containsExactly("[REPLACED_ALL 2 [1@1, 2@2]] initial",
				"[UPDATED 2@3, UPDATED 3@4]");
	}

	@Test
	void c162_c163_c165_theBatchLimitAppliesAfterTheFirstState() {
		this.queue.replace("3", "1@1", "2@2", "3@3").update("2@4").delete("4@5").update("5@6");
		assertThat(this.queue.popAll(2)).containsExactly("[REPLACED_ALL 3 [1@1, 2@2, 3@3]] initial",
				"[UPDATED 2@4, DELETED 4@5]", "[UPDATED 5@6]");
	}

	@Test
	void c164_theBatchLimitAppliesWithoutAFirstState() {
		this.queue.update("1@1", "2@2", "3@3");
		assertThat(this.queue.popAll(2)).containsExactly("[UPDATED 1@1, UPDATED 2@2]", "[UPDATED 3@3]");
	}

	@Test
	void c170_anEmptyStateIsOneDelta() {
		assertThat(this.queue.replace("123").popAll()).containsExactly("[REPLACED_ALL 123 []] initial");
	}

	@Test
	void c171_waitingObjectsDoNotBecomeTombstones() {
		assertThat(this.queue.add("foo@1").replace("123").popAll()).containsExactly("[ADDED foo@1]",
				"[REPLACED_ALL 123 []]");
	}

	@Test
	void c172_everyStateIsDeliveredInOrder() {
		this.queue.add("foo@1").replace("10", "foo@10").replace("20", "foo@20").replace("56");
		assertThat(this.queue.popAll()).containsExactly("[ADDED foo@1]", "[REPLACED_ALL 10 [foo@10]]",
				"[REPLACED_ALL 20 [foo@20]]", "[REPLACED_ALL 56 []]");
	}

	@Test
	void c175_aResyncIsOneDelta() {
		assertThat(this.queue.resync().popAll()).containsExactly("[SYNC_ALL] initial");
		QueueFixture other = new QueueFixture(Ordering.ARRIVAL);
		assertThat(other.add("foo@1").resync().popAll()).containsExactly("[ADDED foo@1]", "[SYNC_ALL]");
	}

}
