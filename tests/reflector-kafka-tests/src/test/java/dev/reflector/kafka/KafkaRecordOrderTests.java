package dev.reflector.kafka;

import java.util.Map;
import java.util.TreeMap;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.fixture.LongFormOnly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests which record of a key counts, in one partition and after partitions were added.
 */
@ExtendWith(Patience.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaRecordOrderTests {

	@Test
	@LongFormOnly
	void aLaterRecordOfTheSameVersionCountsAndTheSameContentIsNoChange() {
		try (WidgetTopic topic = new WidgetTopic(1); WidgetMirror mirror = new WidgetMirror(topic)) {
			topic.put("a", "u", 4, 2);
			mirror.await(Map.of("a", 2));
			topic.put("a", "u", 4, 77);
			mirror.await(Map.of("a", 77));
			mirror.informer().pause();
			await().until(() -> mirror.informer().state() == ReflectorState.PAUSED);
			topic.put("a", "u", 4, 78);
			mirror.informer().relist();
			mirror.informer().resume();
			mirror.await(Map.of("a", 78));
			topic.put("a", "u", 4, 78);
			mirror.relist();
			topic.put("last", "v", 5, 1);
			mirror.await(Map.of("a", 78, "last", 1));
			await().untilAsserted(() -> assertThat(mirror.changes()).containsExactly("ADDED a 2", "UPDATED a 77",
					"UPDATED a 78", "ADDED last 1"));
		}
	}

	@Test
	void afterPartitionsWereAddedTheGreatestVersionCountsAndNoDeletionIsLost() throws Exception {
		try (WidgetTopic topic = new WidgetTopic(1)) {
			Map<String, Integer> expected = new TreeMap<>();
			topic.fill(0);
			for (int i = 0; i < 12; i++) {
				topic.put("w" + i, "u" + i, 10 + i, 1);
				expected.put("w" + i, 1);
			}
			try (WidgetMirror mirror = new WidgetMirror(topic)) {
				mirror.await(expected);
				topic.addPartitions(4);
				for (int i = 0; i < 12; i++) {
					topic.put("w" + i, "u" + i, 30 + i, 2);
					expected.put("w" + i, 2);
				}
				mirror.await(expected);
				try (WidgetMirror late = new WidgetMirror(topic)) {
					late.await(expected);
				}
				for (int i = 0; i < 12; i += 2) {
					topic.delete("w" + i, "u" + i, 50 + i);
					expected.remove("w" + i);
				}
				topic.put("last", "v", 70, 3);
				expected.put("last", 3);
				mirror.await(expected);
				mirror.relist();
				mirror.await(expected);
				try (WidgetMirror late = new WidgetMirror(topic)) {
					late.await(expected);
				}
				assertThat(mirror.changes()).filteredOn((change) -> change.startsWith("DELETED"))
					.hasSize(6)
					.doesNotHaveDuplicates();
			}
		}
	}

	@Test
	void theOrderInWhichPartitionsAreReadDoesNotMatter() {
		try (WidgetTopic topic = new WidgetTopic(2)) {
			topic.put(1, "new-first", "u1", 9, 9);
			topic.put(0, "new-first", "u1", 4, 4);
			topic.put(0, "gone", "u2", 4, 4);
			topic.delete(1, "gone", "u2", 8);
			topic.delete(0, "gone-too", "u3", 8);
			topic.put(1, "gone-too", "u3", 4, 4);
			// a deletion that was not seen has the version of the last state
			topic.delete(0, "gone-unseen", "u4", 4);
			topic.put(1, "gone-unseen", "u4", 4, 4);
			topic.put(0, "equal", "u5", 4, 4);
			topic.put(1, "equal", "u5", 4, 4);
			topic.put(1, "back", "u6", 9, 9);
			topic.delete(0, "back", "u6", 10);
			topic.put(0, "back", "u6", 11, 11);
			try (WidgetMirror mirror = new WidgetMirror(topic)) {
				mirror.await(Map.of("new-first", 9, "equal", 4, "back", 11));
				// the older record is still there when the newer one is gone
				topic.delete(1, "new-first", "u1", 12);
				topic.put(1, "back", "u6", 10, 10);
				topic.put(0, "last", "v", 13, 1);
				topic.put(1, "last", "v", 14, 2);
				mirror.await(Map.of("equal", 4, "back", 11, "last", 2));
			}
		}
	}

	@Test
	@LongFormOnly
	void twoUidsOfOneKeyInTwoPartitionsAreNamedAndTheMirrorKeepsWhatItHas() {
		try (WidgetTopic topic = new WidgetTopic(2); WidgetMirror mirror = new WidgetMirror(topic)) {
			topic.put(0, "a", "first", 4, 4);
			mirror.await(Map.of("a", 4));
			topic.put(1, "a", "second", 9, 9);
			assertUndecided(mirror);
			assertThat(mirror.content()).isEqualTo(Map.of("a", 4));
			try (WidgetMirror late = new WidgetMirror(topic)) {
				assertUndecided(late);
				assertThat(late.informer().hasSynced()).isFalse();
			}
			topic.delete(0, "a", "first", 10);
			topic.delete(1, "a", "second", 11);
			mirror.await(Map.of());
			mirror.awaitUp();
		}
	}

	@Test
	void twoContentsOfOneVersionInTwoPartitionsAreNamed() {
		try (WidgetTopic topic = new WidgetTopic(2)) {
			topic.put(0, "a", "u", 4, 4);
			topic.put(1, "a", "u", 4, 5);
			try (WidgetMirror mirror = new WidgetMirror(topic)) {
				assertUndecided(mirror);
			}
		}
	}

	private static void assertUndecided(WidgetMirror mirror) {
		ReflectorStatus.LastError error = mirror.awaitDown("TopicUndecided");
		assertThat(error.message()).contains("default/a", "partition 0", "partition 1", "Make a new topic");
	}

}
