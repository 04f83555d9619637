package dev.reflector.kafka;

import java.util.Map;

import org.apache.kafka.common.TopicPartition;

/**
 * Up to where a topic was read.
 *
 * @param offsets the offsets of the next records
 */
record TopicPosition(Map<TopicPartition, Long> offsets) {

	/** Nothing was read. */
	static final TopicPosition NONE = new TopicPosition(Map.of());

	boolean isNone() {
		return this.offsets.isEmpty();
	}

}
