package dev.reflector.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/**
 * Reads all partitions of a topic. It belongs to no group, and commits nothing. Used by
 * one thread; only {@link #wakeUp()} may be called by others.
 */
final class TopicReader implements AutoCloseable {

	private static final Map<String, Object> SETTINGS = Map.of(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
			ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none", ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final String topic;

	private final Consumer<String, byte[]> consumer;

	private List<TopicPartition> partitions = List.of();

	TopicReader(ConsumerFactory<?, ?> factory, String topic) {
		this.topic = topic;
		Map<String, Object> settings = new HashMap<>(factory.getConfigurationProperties());
		settings.putAll(SETTINGS);
		settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
		settings.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
		this.consumer = new DefaultKafkaConsumerFactory<>(settings, new StringDeserializer(),
				new ByteArrayDeserializer())
			.createConsumer();
	}

	/**
	 * Finds the partitions of the topic, and takes them.
	 * @return whether there are any
	 */
	boolean open() {
		this.partitions = partitions();
		this.consumer.assign(this.partitions);
		return !this.partitions.isEmpty();
	}

	private List<TopicPartition> partitions() {
		List<PartitionInfo> known = this.consumer.partitionsFor(this.topic, TIMEOUT);
		return (known == null) ? List.of()
				: known.stream().map((info) -> new TopicPartition(this.topic, info.partition())).toList();
	}

	/** Whether partitions were added to the topic. */
	boolean hasOtherPartitions() {
		return partitions().size() != this.partitions.size();
	}

	/** Goes to the oldest record of each partition. */
	void toBeginning() {
		this.consumer.seekToBeginning(this.partitions);
	}

	/**
	 * Goes on where another reader was.
	 * @param positions the offsets of the next records
	 * @return whether they are about the same partitions
	 */
	boolean to(Map<TopicPartition, Long> positions) {
		if (!positions.keySet().equals(Set.copyOf(this.partitions))) {
			return false;
		}
		positions.forEach(this.consumer::seek);
		return true;
	}

	/** The offsets behind the newest records. Fails when a broker is not reached. */
	Map<TopicPartition, Long> ends() {
		return this.consumer.endOffsets(this.partitions, TIMEOUT);
	}

	/** The offsets of the next records. */
	Map<TopicPartition, Long> positions() {
		Map<TopicPartition, Long> positions = new HashMap<>();
		this.partitions.forEach((partition) -> positions.put(partition, this.consumer.position(partition, TIMEOUT)));
		return positions;
	}

	/** Whether everything before these offsets was read. */
	boolean hasReached(Map<TopicPartition, Long> offsets) {
		return offsets.entrySet()
			.stream()
			.allMatch((end) -> this.consumer.position(end.getKey(), TIMEOUT) >= end.getValue());
	}

	ConsumerRecords<String, byte[]> poll(Duration timeout) {
		return this.consumer.poll(timeout);
	}

	/** Ends the call in progress, or the next one, with an exception. */
	void wakeUp() {
		this.consumer.wakeup();
	}

	@Override
	public void close() {
		this.consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
	}

}
