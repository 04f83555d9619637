package dev.reflector.kafka;

import org.apache.kafka.clients.admin.NewTopic;

/**
 * The broker of the tests, for those in other packages.
 */
public final class BrokerAccess {

	private BrokerAccess() {
	}

	/**
	 * Returns the address of the broker.
	 * @return the address
	 */
	public static String servers() {
		return Broker.servers();
	}

	/**
	 * Makes a topic.
	 * @param topic the topic
	 */
	public static void addTopic(NewTopic topic) {
		Broker.make(topic);
	}

}
