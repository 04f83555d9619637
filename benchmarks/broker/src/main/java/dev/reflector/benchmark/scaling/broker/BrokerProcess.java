package dev.reflector.benchmark.scaling.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * A Kafka broker with one compacted topic. Says where it is, and ends with its standard
 * input.
 */
public final class BrokerProcess {

	static final String TOPIC = "workloads";

	private static final int PARTITIONS = 3;

	private BrokerProcess() {
	}

	/**
	 * Runs a broker.
	 * @param args none
	 * @throws IOException when the standard input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
		System.setOut(System.err);
		EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
		broker.afterPropertiesSet();
		broker.addTopics(new NewTopic(TOPIC, PARTITIONS, (short) 1)
			.configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT)));
		answers.println("servers=" + broker.getBrokersAsString());
		answers.println("end");
		InputStream input = System.in;
		while (input.read() >= 0) {
			// nothing is asked
		}
		Runtime.getRuntime().halt(0);
	}

}
