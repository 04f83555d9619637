package dev.reflector.kafka;

import java.util.Map;

import org.apache.kafka.common.TopicPartition;

/**
 * The position up to which a topic was read.
 *
 * @param offsets the offsets of the next records
 */
record TopicPosition(Map<TopicPartition, Long> offsets) {

	/** The position before anything was read. */
	static final TopicPosition NONE = new TopicPosition(Map.of());

	boolean isNone() {
		return this.offsets.isEmpty();
	}

}
