package dev.reflector.kafka;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

import static org.awaitility.Awaitility.await;

/**
 * A topic with widgets, which a test writes record by record.
 */
final class WidgetTopic implements AutoCloseable {

	private final String name;

	private @Nullable KafkaProducer<String, @Nullable String> producer;

	WidgetTopic(int partitions) {
		this(Broker.topic(partitions, "compact"));
	}

	WidgetTopic(String name) {
		this.name = name;
	}

	String name() {
		return this.name;
	}

	/** Writes an object to the partition of its key. */
	void put(String name, String uid, int version, int size) {
		put(null, name, uid, version, size);
	}

	/** Writes an object to a partition. */
	void put(@Nullable Integer partition, String name, String uid, int version, int size) {
		send(partition, name, uid, version,
				"{\"metadata\":{\"namespace\":\"default\",\"name\":\"" + name + "\",\"uid\":\"" + uid
						+ "\",\"resourceVersion\":\"" + version + "\"},\"spec\":{\"size\":" + size + "}}");
	}

	/** Writes a deletion to the partition of its key. */
	void delete(String name, String uid, int version) {
		send(null, name, uid, version, null);
	}

	/** Writes a deletion to a partition. */
	void delete(int partition, String name, String uid, int version) {
		send(partition, name, uid, version, null);
	}

	private void send(@Nullable Integer partition, String name, String uid, int version, @Nullable String value) {
		ProducerRecord<String, @Nullable String> record = new ProducerRecord<>(this.name, partition, "default/" + name,
				value);
		record.headers().add("reflector_resourceVersion", Integer.toString(version).getBytes(StandardCharsets.UTF_8));
		record.headers().add("reflector_uid", uid.getBytes(StandardCharsets.UTF_8));
		send(record);
	}

	private void send(ProducerRecord<String, @Nullable String> record) {
		KafkaProducer<String, @Nullable String> producer = this.producer;
		if (producer == null) {
			producer = new KafkaProducer<>(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, Broker.servers()),
					new StringSerializer(), new StringSerializer());
			this.producer = producer;
		}
		producer.send(record);
		producer.flush();
	}

	/**
	 * Writes more than a consumer fetches from a partition at once, so that what follows
	 * is read after the other partitions.
	 */
	void fill(int partition) {
		for (int i = 0; i < 3; i++) {
			send(new ProducerRecord<>(this.name, partition, "not/a/key", "x".repeat(700_000)));
		}
	}

	void addPartitions(int partitions) throws Exception {
		try (Admin admin = Broker.admin()) {
			admin.createPartitions(Map.of(this.name, NewPartitions.increaseTo(partitions))).all().get();
			await().until(() -> Objects
				.requireNonNull(admin.describeTopics(List.of(this.name)).allTopicNames().get().get(this.name))
				.partitions()
				.size() == partitions);
		}
		// a producer learns of them when it is new
		close();
	}

	void delete() throws Exception {
		try (Admin admin = Broker.admin()) {
			admin.deleteTopics(List.of(this.name)).all().get();
		}
		close();
	}

	/** Makes it again after it was deleted. */
	void makeAgain(int partitions, String policy) {
		NewTopic topic = new NewTopic(this.name, partitions, (short) 1)
			.configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, policy));
		try (Admin admin = Broker.admin()) {
			await().ignoreExceptions().until(() -> {
				admin.createTopics(List.of(topic)).all().get();
				return true;
			});
			await().ignoreExceptions()
				.until(() -> admin.describeTopics(List.of(this.name)).allTopicNames().get().size() == 1);
		}
	}

	void policy(String policy) throws Exception {
		try (Admin admin = Broker.admin()) {
			admin
				.incrementalAlterConfigs(
						Map.of(new ConfigResource(ConfigResource.Type.TOPIC, this.name),
								List.of(new AlterConfigOp(new ConfigEntry(TopicConfig.CLEANUP_POLICY_CONFIG, policy),
										AlterConfigOp.OpType.SET))))
				.all()
				.get();
		}
	}

	@Override
	public void close() {
		KafkaProducer<String, @Nullable String> producer = this.producer;
		this.producer = null;
		if (producer != null) {
			producer.close();
		}
	}

}
