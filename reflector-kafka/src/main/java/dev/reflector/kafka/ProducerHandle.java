package dev.reflector.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

import org.springframework.context.ApplicationContext;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.ProducerListener;

/**
 * The producer for all publishers of an application. It has the settings of the
 * application's producer, but keys are text and values are bytes. Settings that could
 * lose records or change their order are replaced.
 */
final class ProducerHandle implements AutoCloseable {

	private static final Map<String, Object> SETTINGS = Map.of(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
			StringSerializer.class, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class,
			ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true, ProducerConfig.ACKS_CONFIG, "all",
			ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, false);

	private final DefaultKafkaProducerFactory<String, byte[]> producers;

	private final KafkaTemplate<String, byte[]> template;

	ProducerHandle(ProducerFactory<?, ?> factory, boolean observed, ApplicationContext context) {
		this.producers = producers(factory);
		this.template = new KafkaTemplate<>(this.producers);
		this.template.setProducerListener(new Quiet());
		this.template.setObservationEnabled(observed);
		this.template.setApplicationContext(context);
	}

	/**
	 * Makes the factory of the producer. It is not a copy of the application's factory,
	 * because a copy might have other serializers, use transactions, or make a producer
	 * for each thread.
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

	static Map<String, Object> settings(ProducerFactory<?, ?> factory) {
		Map<String, Object> settings = new HashMap<>(factory.getConfigurationProperties());
		settings.putAll(SETTINGS);
		settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
		// all records of a key must go to one partition
		settings.remove(ProducerConfig.PARTITIONER_CLASS_CONFIG);
		// no linger time, because the next record of a key waits for the acknowledgement
		settings.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
		return settings;
	}

	/** Makes the producer. Fails if its settings contradict each other. */
	void open() {
		this.template.afterSingletonsInstantiated();
		this.producers.createProducer().close();
	}

	/**
	 * Sends a copy of a record. A producer makes the headers read-only, but the record
	 * may be sent again.
	 */
	CompletableFuture<?> send(ProducerRecord<String, byte[]> record) {
		return this.template.send(new ProducerRecord<>(record.topic(), record.partition(), record.key(), record.value(),
				record.headers()));
	}

	/**
	 * Replaces a producer that has failed permanently: the next record is sent with a new
	 * producer.
	 */
	void reset() {
		this.producers.reset();
	}

	Duration metadataAge() {
		return TopicReader.metadataAge(this.producers.getConfigurationProperties());
	}

	Duration closeTimeout() {
		return this.producers.getPhysicalCloseTimeout();
	}

	/** Makes the producer close at once, without waiting for acknowledgements. */
	void giveUp() {
		this.producers.setPhysicalCloseTimeout(0);
	}

	@Override
	public void close() {
		this.template.destroy();
		this.producers.destroy();
	}

	/**
	 * A listener that logs nothing. The publisher logs failures itself, without the
	 * content of records.
	 */
	private static final class Quiet implements ProducerListener<String, byte[]> {

	}

}
