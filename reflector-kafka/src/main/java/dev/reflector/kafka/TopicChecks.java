package dev.reflector.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the topics of publishers on a separate thread, as often as the producer
 * refreshes its metadata. The checks are needed because a producer does not notice that a
 * topic was deleted and made again.
 */
final class TopicChecks implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(KafkaPublisher.class);

	private final List<KafkaPublisher<?>> publishers;

	private final Duration period;

	private final Thread thread = new Thread(this::run, "reflector-kafka-topics");

	TopicChecks(List<KafkaPublisher<?>> publishers, Duration period) {
		this.publishers = publishers;
		this.period = period;
		this.thread.setDaemon(true);
	}

	void start() {
		this.thread.start();
	}

	private void run() {
		try {
			while (true) {
				TimeUnit.NANOSECONDS.sleep(this.period.toNanos());
				for (KafkaPublisher<?> publisher : this.publishers) {
					check(publisher);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void check(KafkaPublisher<?> publisher) throws InterruptedException {
		try {
			publisher.checkTopic();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The Kafka topic '{}' could not be checked", publisher.topic(), ex);
		}
	}

	@Override
	public void close() {
		this.thread.interrupt();
	}

}
