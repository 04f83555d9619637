package dev.reflector.kafka;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.reflector.cache.handler.Change;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A record that is not acknowledged yet. Only its {@link PendingRecords} uses the fields.
 */
final class PendingRecord {

	final ProducerRecord<String, byte[]> record;

	final Change.Type type;

	final Supplier<PendingRecords.Due> due;

	final long since;

	final CompletableFuture<Void> done = new CompletableFuture<>();

	/** Whether the record was sent before. */
	boolean sent;

	PendingRecord(ProducerRecord<String, byte[]> record, Change.Type type, Supplier<PendingRecords.Due> due,
			long since) {
		this.record = record;
		this.type = type;
		this.due = due;
		this.since = since;
	}

	/** Returns the number of bytes of the value. */
	int bytes() {
		byte[] value = this.record.value();
		return (value != null) ? value.length : 0;
	}

}
