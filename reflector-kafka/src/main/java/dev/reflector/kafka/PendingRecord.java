package dev.reflector.kafka;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.reflector.cache.handler.Change;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A record that is not acknowledged. Its fields belong to the {@link PendingRecords} that
 * has it.
 */
final class PendingRecord {

	final ProducerRecord<String, byte[]> record;

	final Change.Type type;

	final Supplier<PendingRecords.Due> due;

	final long since;

	final CompletableFuture<Void> done = new CompletableFuture<>();

	/** Whether it was sent before. */
	boolean sent;

	PendingRecord(ProducerRecord<String, byte[]> record, Change.Type type, Supplier<PendingRecords.Due> due,
			long since) {
		this.record = record;
		this.type = type;
		this.due = due;
		this.since = since;
	}

	/** How many bytes its value has. */
	int bytes() {
		byte[] value = this.record.value();
		return (value != null) ? value.length : 0;
	}

}
