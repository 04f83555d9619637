package dev.reflector.kafka;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Topics of the broker, for all tests that do not disturb it. There is one broker for all
 * tests: {@link BrokerProcess}.
 */
final class Broker {

	private static final AtomicInteger NAMES = new AtomicInteger();

	private Broker() {
	}

	static String servers() {
		try {
			return BrokerProcess.get().servers();
		}
		catch (Exception ex) {
			throw new IllegalStateException("There is no broker", ex);
		}
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
		make(new NewTopic(topic, partitions, (short) 1).configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, policy)));
	}

	static void make(NewTopic topic) {
		try (Admin admin = admin()) {
			admin.createTopics(List.of(topic)).all().toCompletionStage().toCompletableFuture().join();
		}
	}

}
