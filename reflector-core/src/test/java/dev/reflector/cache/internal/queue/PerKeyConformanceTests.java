package dev.reflector.cache.internal.queue;

import java.util.List;

import dev.reflector.cache.config.QueueSettings.Ordering;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The test cases of client-go for the queue that accumulates by key that are not in
 * {@link DeltaFifoTests}.
 */
class PerKeyConformanceTests {

	private final QueueFixture queue = new QueueFixture(Ordering.PER_KEY);

	@Test
	void c092_anObjectListedOnceAndThenMissingBecomesATombstone() {
		this.queue.add("foo@1").replace("2", "foo@1").replace("3");
		assertThat(this.queue.popAll()).containsExactly("[ADDED foo@1, REPLACED foo@1, TOMBSTONE foo@1]");
	}

	@Test
	void c094_anObjectListedTwiceAndThenMissingBecomesATombstone() {
		this.queue.add("foo@1").replace("2", "foo@1").replace("3", "foo@1").replace("4");
		assertThat(this.queue.popAll())
			.containsExactly("[ADDED foo@1, REPLACED foo@1, REPLACED foo@1, TOMBSTONE foo@1]");
	}

	@Test
	void c099_withoutKnownObjectsOnlyAWaitingObjectCanBeDeleted() {
		this.queue.add("foo@10").update("bar@15").add("qux@17").delete("qux@18").delete("baz@20");
		assertThat(this.queue.popAll()).containsExactly("[ADDED foo@10]", "[UPDATED bar@15]",
				"[ADDED qux@17, DELETED qux@18]");
	}

	@Test
	void c100_aKnownObjectCanBeDeleted() {
		this.queue.know("foo@5", "bar@6", "baz@7").add("foo@10").update("bar@15").delete("baz@20");
		assertThat(this.queue.popAll()).containsExactly("[ADDED foo@10]", "[UPDATED bar@15]", "[DELETED baz@20]");
	}

	@Test
	void c101_aListIsAddedToWaitingDeltas() {
		this.queue.add("foo@10").replace("15", "foo@15");
		assertThat(this.queue.popAll()).containsExactly("[ADDED foo@10, REPLACED foo@15]");
	}

	@Test
	void c102_aDeletedObjectIsNotResynced() {
		this.queue.know("foo@5").delete("foo@6").resync();
		assertThat(this.queue.popAll()).containsExactly("[DELETED foo@6]");
	}

	@Test
	void c103_aKnownObjectIsResyncedOnce() {
		this.queue.know("foo@5").resync();
		assertThat(this.queue.popAll()).containsExactly("[SYNC foo@5] initial");
	}

	@Test
	void c112_aWaitingObjectIsNotResynced() {
		this.queue.know("foo@5").update("foo@6").resync();
		assertThat(this.queue.popAll()).containsExactly("[UPDATED foo@6]");
	}

	@Test
	void c104_theDeletionOfAWaitingObjectIsDelivered() {
		this.queue.add("foo@5").delete("foo@6");
		assertThat(this.queue.popAll()).containsExactly("[ADDED foo@5, DELETED foo@6]");
	}

	@Test
	void c105_aKnownObjectMissingInAListBecomesATombstone() {
		this.queue.know("foo@5", "bar@6", "baz@7").delete("baz@10").replace("11", "foo@5");
		assertThat(this.queue.popAll()).containsExactly("[DELETED baz@10]", "[REPLACED foo@5]", "[TOMBSTONE bar@6]");
	}

	@Test
	void c106_theTombstoneOfAWaitingObjectHoldsItsNewestState() {
		this.queue.know("foo@5", "bar@6", "baz@7").add("baz@10").replace("11", "foo@5");
		assertThat(this.queue.popAll()).containsExactly("[ADDED baz@10, TOMBSTONE baz@10]", "[REPLACED foo@5]",
				"[TOMBSTONE bar@6]");
	}

	@Test
	void c107_theTombstoneOfARecreatedObjectHoldsItsNewestState() {
		this.queue.know("foo@5", "bar@6", "baz@7").delete("bar@6").add("bar@100").replace("101", "foo@5");
		assertThat(this.queue.popAll()).containsExactly("[DELETED bar@6, ADDED bar@100, TOMBSTONE bar@100]",
				"[REPLACED foo@5]", "[TOMBSTONE baz@7]");
	}

	@Test
	void c108_anObjectOfAnEarlierListBecomesATombstone() {
		this.queue.know("foo@5", "bar@6", "baz@7").replace("100", "bar@100", "foo@5").replace("101", "foo@5");
		assertThat(this.queue.popAll()).containsExactly("[REPLACED bar@100, TOMBSTONE bar@100] initial",
				"[REPLACED foo@5, REPLACED foo@5] initial", "[TOMBSTONE baz@7] initial");
	}

	@Test
	void c109_withoutKnownObjectsAWaitingObjectBecomesATombstone() {
		this.queue.add("baz@10").replace("11", "foo@5");
		assertThat(this.queue.popAll()).containsExactly("[ADDED baz@10, TOMBSTONE baz@10]", "[REPLACED foo@5]");
	}

	@Test
	void c111_aListedObjectIsReplaced() {
		this.queue.know("foo@5").replace("6", "foo@5");
		assertThat(this.queue.popAll()).containsExactly("[REPLACED foo@5] initial");
	}

	@Test
	void c113_deletionsThatTheFirstListFoundBelongToIt() {
		this.queue.know("foo@5", "bar@6", "baz@7").replace("8", "foo@5");
		assertThat(this.queue.fifo.hasSynced()).isFalse();
		assertThat(this.queue.pop()).isEqualTo("[REPLACED foo@5] initial");
		assertThat(this.queue.fifo.hasSynced()).isFalse();
		List<String> gone = List.of("[TOMBSTONE bar@6] initial", "[TOMBSTONE baz@7] initial");
		String second = this.queue.pop();
		assertThat(this.queue.fifo.hasSynced()).isFalse();
		assertThat(List.of(second, this.queue.pop())).containsExactlyInAnyOrderElementsOf(gone);
		assertThat(this.queue.fifo.hasSynced()).isTrue();
	}

	@Test
	void c114_anObjectThatChangesOftenWaitsForTheOthers() {
		this.queue.add("foo@10", "bar@1", "foo@11", "foo@13", "zab@30");
		assertThat(this.queue.pop()).isEqualTo("[ADDED foo@10, ADDED foo@11, ADDED foo@13]");
		this.queue.add("foo@14");
		assertThat(this.queue.popAll()).containsExactly("[ADDED bar@1]", "[ADDED zab@30]", "[ADDED foo@14]");
	}

	@Test
	void c119_syncedWhenEachListedObjectWasPopped() {
		this.queue.replace("1", "a@1", "b@1");
		assertThat(this.queue.fifo.hasSynced()).isFalse();
		this.queue.pop();
		assertThat(this.queue.fifo.hasSynced()).isFalse();
		this.queue.pop();
		assertThat(this.queue.fifo.hasSynced()).isTrue();
	}

}
