package dev.reflector.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of reading a topic.
 */
@Timeout(60)
class TopicReaderTests {

	private static final TopicPartition PARTITION = new TopicPartition("widgets", 0);

	@Test
	void anEndThatGoesBackIsReached() {
		MockConsumer<String, byte[]> consumer = new MockConsumer<>("none");
		consumer.updatePartitions("widgets", List.of(new PartitionInfo("widgets", 0, null, null, null)));
		consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
		consumer.updateEndOffsets(Map.of(PARTITION, 5L));
		List<String> read = new ArrayList<>();
		try (TopicReader reader = new TopicReader(consumer, "widgets")) {
			assertThat(reader.open()).isTrue();
			reader.toBeginning();
			consumer.schedulePollTask(() -> {
				consumer.addRecord(new ConsumerRecord<>("widgets", 0, 0, "a", new byte[0]));
				consumer.addRecord(new ConsumerRecord<>("widgets", 0, 1, "b", new byte[0]));
			});
			// the new leader has fewer records than the previous one
			consumer.schedulePollTask(() -> consumer.updateEndOffsets(Map.of(PARTITION, 2L)));
			reader.toPresentEnd((record) -> read.add(record.key()), () -> false);
		}
		assertThat(read).containsExactly("a", "b");
	}

}
