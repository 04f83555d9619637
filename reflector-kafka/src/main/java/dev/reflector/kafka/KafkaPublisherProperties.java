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
 * @param topics Topics by the name of the reflector. The application publishes each
 * change to an object of this reflector to the topic. Without topics, the application
 * publishes no changes.
 * @param omit Components of the objects to leave out of what is published, by the name of
 * the reflector. A component is given as a path, such as spec.password, or by its name if
 * the application hides it from its own JSON. Mirrors of the topic have null in its
 * place.
 * @param maxInFlight How many records of a reflector may be sent to Kafka without an
 * acknowledgement. When this number is reached, delivery waits.
 * @param createTopics Whether to create topics of reflector.publish.kafka.topics that do
 * not exist, as compacted topics.
 * @param partitions Number of partitions of a topic that is made for a reflector. By
 * default, the broker decides.
 * @param replicationFactor Number of brokers that keep a topic that is made for a
 * reflector. By default, the broker decides.
 * @param reconcile Whether to delete from a topic, at each start of a reflector, the
 * objects that no longer exist. For this, the whole topic is read, and no other
 * application may publish to it.
 * @param startTimeout How long the start of the application waits for Kafka's answer to
 * the question whether the topics exist. Without an answer, the start continues, and
 * publishing begins later.
 * @param failingThreshold For how long a record may wait for its acknowledgement before
 * the health of its publisher is DOWN.
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
		if (startTimeout.compareTo(Duration.ofMillis(1)) < 0) {
			throw new IllegalArgumentException("'reflector.publish.kafka.start-timeout' must be at least 1ms");
		}
		// Kafka counts milliseconds in an int
		if (startTimeout.compareTo(Duration.ofDays(24)) > 0) {
			throw new IllegalArgumentException("'reflector.publish.kafka.start-timeout' must be 24d at most");
		}
		if (failingThreshold.isNegative()) {
			throw new IllegalArgumentException("'reflector.publish.kafka.failing-threshold' must not be negative");
		}
	}

}
