package dev.reflector.kafka;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * A broker in this JVM, for all tests that do not disturb it.
 */
final class Broker {

	private static final int ATTEMPTS = 3;

	private static final AtomicInteger NAMES = new AtomicInteger();

	private static @Nullable EmbeddedKafkaKraftBroker broker;

	private Broker() {
	}

	static synchronized EmbeddedKafkaKraftBroker get() {
		EmbeddedKafkaKraftBroker present = broker;
		if (present == null) {
			present = start();
			broker = present;
			Runtime.getRuntime().addShutdownHook(new Thread(present::destroy));
		}
		return present;
	}

	/** On a busy machine, the start of a broker may take too long. */
	private static EmbeddedKafkaKraftBroker start() {
		for (int attempt = 1;; attempt++) {
			EmbeddedKafkaKraftBroker started = new EmbeddedKafkaKraftBroker(1, 1);
			started.adminTimeout(60);
			started.brokerProperty("auto.create.topics.enable", "false");
			started.brokerProperty("log.cleaner.backoff.ms", "200");
			try {
				started.afterPropertiesSet();
				return started;
			}
			catch (RuntimeException ex) {
				started.destroy();
				if (attempt == ATTEMPTS) {
					throw ex;
				}
			}
		}
	}

	static String servers() {
		return get().getBrokersAsString();
	}

	static Admin admin() {
		return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers()));
	}

	/** A name that no other test uses. */
	static String topic() {
		return "topic-" + NAMES.incrementAndGet();
	}

	/** Makes a topic. */
	static String topic(int partitions, String policy) {
		String name = topic();
		make(name, partitions, policy);
		return name;
	}

	static void make(String topic, int partitions, String policy) {
		get().addTopics(
				new NewTopic(topic, partitions, (short) 1).configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, policy)));
	}

}
