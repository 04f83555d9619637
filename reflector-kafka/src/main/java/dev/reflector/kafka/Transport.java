package dev.reflector.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.ProducerListener;

/**
 * The producer of all publishers of an application: that of the application, with text as
 * keys, bytes as values, and the settings without which records could be lost or change
 * their order.
 */
final class Transport implements AutoCloseable {

	private static final Map<String, Object> SETTINGS = Map.of(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
			StringSerializer.class, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class,
			ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true, ProducerConfig.ACKS_CONFIG, "all");

	private final KafkaTemplate<String, byte[]> template;

	@SuppressWarnings("unchecked")
	Transport(ProducerFactory<?, ?> factory, boolean observed, @Nullable ApplicationContext context) {
		// the serializers of the settings take the place of the application's
		this.template = new KafkaTemplate<>((ProducerFactory<String, byte[]>) factory, settings(factory));
		this.template.setAllowNonTransactional(true);
		this.template.setProducerListener(new Quiet());
		this.template.setObservationEnabled(observed);
		if (context != null) {
			this.template.setApplicationContext(context);
			this.template.afterSingletonsInstantiated();
		}
	}

	private static Map<String, Object> settings(ProducerFactory<?, ?> factory) {
		Map<String, Object> settings = new HashMap<>(SETTINGS);
		if (!factory.getConfigurationProperties().containsKey(ProducerConfig.LINGER_MS_CONFIG)) {
			// the next record of a key waits for the one before it
			settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
		}
		return settings;
	}

	/**
	 * Sends a record, which may be sent again: a producer closes the headers of its own.
	 */
	CompletableFuture<?> send(ProducerRecord<String, byte[]> record) {
		return this.template.send(new ProducerRecord<>(record.topic(), record.partition(), record.key(), record.value(),
				record.headers()));
	}

	/** Has another producer made, after one that has failed for good. */
	void reset() {
		this.template.getProducerFactory().reset();
	}

	Duration closeTimeout() {
		return this.template.getProducerFactory().getPhysicalCloseTimeout();
	}

	@Override
	public void close() {
		this.template.destroy();
	}

	/** Failures are reported by the publisher, which does not print what is published. */
	private static final class Quiet implements ProducerListener<String, byte[]> {

	}

}
