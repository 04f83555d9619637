package dev.reflector.kafka;

import java.nio.charset.StandardCharsets;

import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.source.ResourceAccessor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * Makes Kafka records from changes. The key of a record is text, the value is the object
 * as JSON, or {@code null} for a deletion, and the headers contain the other facts of the
 * change.
 *
 * @param <T> the type of the objects
 */
final class ChangeRecords<T> {

	private final String topic;

	private final ResourceType type;

	private final ResourceAccessor<T> accessor;

	private final SnapshotCodec<T> codec;

	ChangeRecords(String topic, ResourceType type, ResourceAccessor<T> accessor, SnapshotCodec<T> codec) {
		this.topic = topic;
		this.type = type;
		this.accessor = accessor;
		this.codec = codec;
	}

	String topic() {
		return this.topic;
	}

	static String key(ResourceKey key) {
		return key.namespace().isEmpty() ? key.name() : key.namespace() + "/" + key.name();
	}

	ProducerRecord<String, byte[]> of(Change<T> change) {
		boolean deleted = change.type() == Change.Type.DELETED;
		ProducerRecord<String, byte[]> record = new ProducerRecord<>(this.topic, key(change.key()),
				deleted ? null : this.codec.write(change.object()));
		headers(record.headers(), change.type(), change.cause().name());
		put(record.headers(), PublishedHeaders.RESOURCE_VERSION, change.resourceVersion());
		put(record.headers(), PublishedHeaders.UID, change.uid(this.accessor));
		return record;
	}

	/**
	 * Returns the record for the deletion of an object of which only the key is known.
	 * The partition must be given, because Kafka may select another partition for the key
	 * after partitions were added.
	 */
	ProducerRecord<String, byte[]> gone(String key, int partition) {
		ProducerRecord<String, byte[]> record = new ProducerRecord<>(this.topic, partition, key, null);
		headers(record.headers(), Change.Type.DELETED, "RECONCILED");
		return record;
	}

	private void headers(Headers headers, Change.Type type, String cause) {
		put(headers, PublishedHeaders.TYPE, type.name());
		put(headers, PublishedHeaders.CAUSE, cause);
		put(headers, PublishedHeaders.API_VERSION, this.type.apiVersion());
		put(headers, PublishedHeaders.KIND, this.type.kind());
	}

	private static void put(Headers headers, String name, String value) {
		if (!value.isEmpty()) {
			headers.add(name, value.getBytes(StandardCharsets.UTF_8));
		}
	}

}
