package dev.reflector.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a topic with Kafka's consumer, without this library's code.
 */
final class PlainConsumer implements AutoCloseable {

	private final KafkaConsumer<String, @Nullable String> consumer;

	private final String topic;

	private final List<Entry> entries = new ArrayList<>();

	private Set<TopicPartition> assigned = Set.of();

	PlainConsumer(String servers, String topic) {
		this.consumer = new KafkaConsumer<>(
				Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
						"earliest", ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false",
						ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false"),
				new StringDeserializer(), new StringDeserializer());
		this.topic = topic;
	}

	/**
	 * Reads all records up to the current end of the topic, each partition in its order.
	 */
	List<Entry> read() {
		if (this.assigned.isEmpty()) {
			this.assigned = this.consumer.partitionsFor(this.topic)
				.stream()
				.map((info) -> new TopicPartition(this.topic, info.partition()))
				.collect(Collectors.toSet());
			this.consumer.assign(this.assigned);
			this.consumer.seekToBeginning(this.assigned);
		}
		Map<TopicPartition, Long> ends = this.consumer.endOffsets(this.assigned);
		while (ends.entrySet().stream().anyMatch((end) -> this.consumer.position(end.getKey()) < end.getValue())) {
			for (ConsumerRecord<String, @Nullable String> record : this.consumer.poll(Duration.ofMillis(200))) {
				this.entries.add(Entry.of(record));
			}
		}
		return List.copyOf(this.entries);
	}

	/** The records of each key. */
	Map<String, List<Entry>> byKey() {
		Map<String, List<Entry>> keys = new TreeMap<>();
		read().forEach((entry) -> keys.computeIfAbsent(entry.key(), (key) -> new ArrayList<>()).add(entry));
		return keys;
	}

	/** Returns what is left of the topic after compaction: values by key. */
	Map<String, String> content() {
		Map<String, String> content = new TreeMap<>();
		read().forEach((entry) -> {
			if (entry.value() != null) {
				content.put(entry.key(), entry.value());
			}
			else {
				content.remove(entry.key());
			}
		});
		return content;
	}

	@Override
	public void close() {
		this.consumer.close();
	}

	/** A record. */
	record Entry(String key, @Nullable String value, Map<String, String> headers) {

		static Entry of(ConsumerRecord<String, @Nullable String> record) {
			Map<String, String> headers = new LinkedHashMap<>();
			for (Header header : record.headers()) {
				headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
			}
			return new Entry(record.key(), record.value(), headers);
		}

		String header(String name) {
			return this.headers.getOrDefault(name, "");
		}

		long version() {
			return Long.parseLong(header("reflector_resourceVersion"));
		}

	}

}
