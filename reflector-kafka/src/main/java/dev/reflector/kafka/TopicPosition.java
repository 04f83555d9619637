package dev.reflector.kafka;

import java.util.Map;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * Up to where a topic was read.
 *
 * @param topic its identity: a topic that was deleted and made again is another one
 * @param offsets the offsets of the next records
 */
record TopicPosition(Uuid topic, Map<TopicPartition, Long> offsets) {

	/** Nothing was read. */
	static final TopicPosition NONE = new TopicPosition(Uuid.ZERO_UUID, Map.of());

	boolean isNone() {
		return this.offsets.isEmpty();
	}

}
