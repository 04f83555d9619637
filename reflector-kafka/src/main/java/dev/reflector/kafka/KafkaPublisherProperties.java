package dev.reflector.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings for publishing to Kafka.
 *
 * @param topics Topics by the name of a reflector. Each change of the reflector's objects
 * is published to its topic. Without any, nothing is published to Kafka.
 * @param omit Components of objects that are not published, by the name of a reflector.
 * Each is a path such as spec.password, or the name of a component that the application
 * hides from its own JSON. In mirrors of the topic, these components are null.
 * @param maxInFlight Number of records of a reflector that may be in flight to Kafka
 * without an acknowledgement. At this number, the delivery of changes waits.
 * @param createTopics Whether to create missing topics of reflector.publish.kafka.topics,
 * as compacted topics.
 * @param partitions Number of partitions of a topic that is created for a reflector. By
 * default, the broker decides.
 * @param replicationFactor Number of brokers that keep a topic that is created for a
 * reflector. By default, the broker decides.
 * @param reconcile Whether to delete from a topic, at each start of a reflector, the
 * objects that its mirror does not have. The whole topic is read each time, and nothing
 * else may publish to that topic.
 * @param startTimeout How long the start of the application waits for Kafka to check
 * whether the topics exist. Without an answer, the start continues, and publishing begins
 * later.
 * @param failingThreshold How long a record may wait for its acknowledgement before the
 * health of its publisher is DOWN.
 */
@ConfigurationProperties("reflector.publish.kafka")
record KafkaPublisherProperties(@DefaultValue Map<String, String> topics, @DefaultValue Map<String, Set<String>> omit,
		@DefaultValue("1000") int maxInFlight, @DefaultValue("true") boolean createTopics, @Nullable Integer partitions,
		@Nullable Short replicationFactor, @DefaultValue("false") boolean reconcile,
		@DefaultValue("10s") Duration startTimeout, @DefaultValue("30s") Duration failingThreshold) {

	KafkaPublisherProperties {
		if (maxInFlight < 1) {
			throw new IllegalArgumentException("'reflector.publish.kafka.max-in-flight' must be at least 1");
		}
		if (startTimeout.toMillis() < 1 || startTimeout.toMillis() > Integer.MAX_VALUE) {
			throw new IllegalArgumentException("'reflector.publish.kafka.start-timeout' must be at least 1ms");
		}
		if (failingThreshold.isNegative()) {
			throw new IllegalArgumentException("'reflector.publish.kafka.failing-threshold' must not be negative");
		}
	}

}
