package dev.reflector.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * All publishers of an application. They are made after all beans have been created, and
 * are added to their reflectors before the reflectors start.
 *
 * @since 0.1.0
 */
public final class KafkaPublishers implements SmartInitializingSingleton, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(KafkaPublisher.class);

	private final KafkaPublisherFactory factory;

	/** Guarded by this object. */
	private final List<Consumer<KafkaPublisher<?>>> callbacks = new ArrayList<>();

	private volatile List<KafkaPublisher<?>> publishers = List.of();

	private @Nullable TopicChecks checks;

	KafkaPublishers(KafkaPublisherFactory factory) {
		this.factory = factory;
	}

	/**
	 * Returns the publishers, in the order of the names of their reflectors.
	 * @return the publishers, empty before all beans have been created
	 */
	public List<KafkaPublisher<?>> all() {
		return this.publishers;
	}

	/**
	 * Calls a callback once for each publisher.
	 * @param callback called now for publishers that exist already, and later for the
	 * others
	 */
	synchronized void each(Consumer<KafkaPublisher<?>> callback) {
		this.callbacks.add(callback);
		this.publishers.forEach(callback);
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<String, String> reflectors = this.factory.reflectors();
		this.factory.checkTopics(reflectors.values());
		if (!reflectors.isEmpty()) {
			this.factory.openProducer();
		}
		List<KafkaPublisher<?>> made = new ArrayList<>();
		reflectors.forEach((reflector, topic) -> made.add(this.factory.join(reflector, topic)));
		synchronized (this) {
			this.publishers = List.copyOf(made);
			this.callbacks.forEach(this.publishers::forEach);
		}
		if (!made.isEmpty()) {
			this.checks = new TopicChecks(List.copyOf(made), this.factory.metadataAge());
			this.checks.start();
		}
	}

	/**
	 * Waits until the records of all publishers are acknowledged, but not longer than the
	 * timeout for closing a producer.
	 */
	@Override
	public void destroy() {
		if (this.checks != null) {
			this.checks.close();
		}
		long until = System.nanoTime() + this.factory.closeTimeout().toNanos();
		try {
			for (KafkaPublisher<?> publisher : this.publishers) {
				publisher.awaitAcknowledged(Duration.ofNanos(until - System.nanoTime()));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		for (KafkaPublisher<?> publisher : this.publishers) {
			int left = publisher.status().inFlight();
			if (left > 0) {
				logger.atWarn()
					.addKeyValue("reflector", publisher.reflector())
					.log("Reflector '{}': stopped before Kafka had acknowledged {} records for the topic '{}'",
							publisher.reflector(), left, publisher.topic());
				this.factory.giveUp();
			}
			publisher.close();
		}
		this.factory.close();
	}

}
