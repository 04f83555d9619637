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
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.ProducerListener;

/**
 * The producer of all publishers of an application: that of the application, with text as
 * keys, bytes as values, and the settings without which records could be lost or change
 * their order.
 */
final class ProducerHandle implements AutoCloseable {

	private static final Map<String, Object> SETTINGS = Map.of(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
			StringSerializer.class, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class,
			ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true, ProducerConfig.ACKS_CONFIG, "all");

	private final DefaultKafkaProducerFactory<String, byte[]> producers;

	private final KafkaTemplate<String, byte[]> template;

	ProducerHandle(ProducerFactory<?, ?> factory, boolean observed, @Nullable ApplicationContext context) {
		this.producers = producers(factory);
		this.template = new KafkaTemplate<>(this.producers);
		this.template.setProducerListener(new Quiet());
		this.template.setObservationEnabled(observed);
		if (context != null) {
			this.template.setApplicationContext(context);
			this.template.afterSingletonsInstantiated();
		}
	}

	/**
	 * Not a copy that the application's factory makes: that one would have serializers of
	 * the application, transactions, or a producer for each thread.
	 */
	@SuppressWarnings("unchecked")
	private static DefaultKafkaProducerFactory<String, byte[]> producers(ProducerFactory<?, ?> factory) {
		DefaultKafkaProducerFactory<String, byte[]> producers = new DefaultKafkaProducerFactory<>(settings(factory),
				new StringSerializer(), new ByteArraySerializer());
		ProducerFactory<String, byte[]> original = (ProducerFactory<String, byte[]>) factory;
		original.getListeners().forEach(producers::addListener);
		original.getPostProcessors().forEach(producers::addPostProcessor);
		producers.setPhysicalCloseTimeout((int) factory.getPhysicalCloseTimeout().toSeconds());
		return producers;
	}

	private static Map<String, Object> settings(ProducerFactory<?, ?> factory) {
		Map<String, Object> settings = new HashMap<>(factory.getConfigurationProperties());
		settings.putAll(SETTINGS);
		settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
		// the next record of a key waits for the one before it
		settings.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
		return settings;
	}

	/** Makes the producer, which fails when its settings contradict each other. */
	void open() {
		this.producers.createProducer().close();
	}

	/**
	 * Sends a record, which may be sent again: a producer closes the headers of its copy.
	 */
	CompletableFuture<?> send(ProducerRecord<String, byte[]> record) {
		return this.template.send(new ProducerRecord<>(record.topic(), record.partition(), record.key(), record.value(),
				record.headers()));
	}

	/** Has another producer made, after one that has failed for good. */
	void reset() {
		this.producers.reset();
	}

	Duration closeTimeout() {
		return this.producers.getPhysicalCloseTimeout();
	}

	/** Has the producer close at once, and not wait for acknowledgements. */
	void giveUp() {
		this.producers.setPhysicalCloseTimeout(0);
	}

	@Override
	public void close() {
		this.template.destroy();
		this.producers.destroy();
	}

	/** Failures are reported by the publisher, which does not print what is published. */
	private static final class Quiet implements ProducerListener<String, byte[]> {

	}

}
