package dev.reflector.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/**
 * Reads all partitions of a topic. The reader belongs to no consumer group and commits no
 * offsets. Used by one thread; other threads may call only {@link #wakeUp()}.
 */
final class TopicReader implements AutoCloseable {

	private static final Map<String, Object> SETTINGS = Map.of(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
			ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none", ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	/** The default of Kafka's clients for {@code metadata.max.age.ms}. */
	private static final Duration METADATA_AGE = Duration.ofMinutes(5);

	private static final Duration POLL = Duration.ofSeconds(1);

	private final String topic;

	private final Consumer<String, byte[]> consumer;

	private final Map<String, Object> settings;

	private List<TopicPartition> partitions = List.of();

	TopicReader(ConsumerFactory<?, ?> factory, String topic) {
		this.topic = topic;
		Map<String, Object> settings = new HashMap<>(factory.getConfigurationProperties());
		settings.putAll(SETTINGS);
		settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
		settings.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
		this.settings = settings;
		this.consumer = new DefaultKafkaConsumerFactory<>(settings, new StringDeserializer(),
				new ByteArrayDeserializer())
			.createConsumer();
	}

	/** Creates a reader with the consumer of a test. */
	TopicReader(Consumer<String, byte[]> consumer, String topic) {
		this.topic = topic;
		this.settings = Map.of();
		this.consumer = consumer;
	}

	/**
	 * Assigns all partitions of the topic to the consumer.
	 * @return whether there are any partitions
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

	/**
	 * Reads the facts of the topic with an admin client, because a consumer does not
	 * report them.
	 */
	TopicFacts facts() {
		Map<String, Object> settings = new HashMap<>(this.settings);
		settings.keySet()
			.removeIf((name) -> ConsumerConfig.configNames().contains(name)
					&& !AdminClientConfig.configNames().contains(name));
		settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) TIMEOUT.toMillis());
		settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) TIMEOUT.toMillis());
		try (Admin admin = Admin.create(settings)) {
			return TopicFacts.read(admin, this.topic, TIMEOUT.multipliedBy(2));
		}
		catch (InterruptedException ex) {
			throw new InterruptException(ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof KafkaException cause) ? cause : new KafkaException(ex);
		}
		catch (TimeoutException ex) {
			throw new KafkaException("the broker does not answer", ex);
		}
	}

	/**
	 * Returns the time after which the Kafka clients of the application refresh their
	 * metadata.
	 */
	Duration metadataAge() {
		return metadataAge(this.settings);
	}

	static Duration metadataAge(Map<String, Object> settings) {
		Object millis = settings.get(CommonClientConfigs.METADATA_MAX_AGE_CONFIG);
		return (millis != null) ? Duration.ofMillis(Long.parseLong(millis.toString())) : METADATA_AGE;
	}

	/** Whether partitions were added to the topic. */
	boolean hasOtherPartitions() {
		return partitions().size() != this.partitions.size();
	}

	/** Moves to the oldest record of each partition. */
	void toBeginning() {
		this.consumer.seekToBeginning(this.partitions);
	}

	/**
	 * Continues at the position of another reader.
	 * @param positions the offsets of the next records
	 * @return whether the topic still has the same partitions
	 */
	boolean to(Map<TopicPartition, Long> positions) {
		if (!positions.keySet().equals(Set.copyOf(this.partitions))) {
			return false;
		}
		positions.forEach(this.consumer::seek);
		return true;
	}

	/**
	 * Reads up to the current end of the topic. Fails if a broker is not reached.
	 * @param records receives each record
	 * @param ended whether to give up; called after each poll
	 */
	void toPresentEnd(java.util.function.Consumer<ConsumerRecord<String, byte[]>> records, BooleanSupplier ended) {
		Map<TopicPartition, Long> wanted = new HashMap<>(ends());
		while (!ended.getAsBoolean() && !hasReached(wanted)) {
			ConsumerRecords<String, byte[]> read = poll();
			read.forEach(records);
			if (read.isEmpty()) {
				// the new leader of a partition may have fewer records than the previous
				// leader
				ends().forEach((partition, end) -> wanted.merge(partition, end, Math::min));
			}
		}
	}

	/** Returns the offsets after the newest records. Fails if a broker is not reached. */
	Map<TopicPartition, Long> ends() {
		return this.consumer.endOffsets(this.partitions, TIMEOUT);
	}

	/** Returns the offsets of the next records. */
	Map<TopicPartition, Long> positions() {
		Map<TopicPartition, Long> positions = new HashMap<>();
		this.partitions.forEach((partition) -> positions.put(partition, this.consumer.position(partition, TIMEOUT)));
		return positions;
	}

	/** Whether all records before these offsets were read. */
	boolean hasReached(Map<TopicPartition, Long> offsets) {
		return offsets.entrySet()
			.stream()
			.allMatch((end) -> this.consumer.position(end.getKey(), TIMEOUT) >= end.getValue());
	}

	ConsumerRecords<String, byte[]> poll() {
		return this.consumer.poll(POLL);
	}

	/** Ends the current or the next call of the consumer with an exception. */
	void wakeUp() {
		this.consumer.wakeup();
	}

	@Override
	public void close() {
		this.consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
	}

}
