package dev.reflector.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;

import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An API server with widgets, and applications that publish them to the broker of all
 * tests.
 */
final class PublishedWidgets implements AutoCloseable {

	private final EmbeddedApiServer server = PublishingApplication.server();

	private final ResourceCollection widgets = this.server.resources("widgets");

	EmbeddedApiServer server() {
		return this.server;
	}

	ResourceCollection collection() {
		return this.widgets;
	}

	/** Creates or changes a widget. */
	void apply(String name, int size) {
		this.widgets
			.apply(Map.of("metadata", Map.of("namespace", "default", "name", name), "spec", Map.of("size", size)));
	}

	/** Creates or changes a widget to one that takes as much room as its label. */
	void apply(String name, String label) {
		this.widgets
			.apply(Map.of("metadata", Map.of("namespace", "default", "name", name, "labels", Map.of("label", label))));
	}

	/** Runs an application. */
	ConfigurableApplicationContext run(String... properties) {
		return PublishingApplication.run(this.server, Broker.servers(), properties);
	}

	/** Runs an application that publishes to a topic. */
	ConfigurableApplicationContext publish(String topic, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("reflector.publish.kafka.topics.widgets=" + topic);
		return run(all.toArray(String[]::new));
	}

	/** The publisher of an application. */
	static KafkaPublisher<?> publisher(ConfigurableApplicationContext application) {
		return application.getBean(KafkaPublishers.class).all().get(0);
	}

	/** The health of the publisher. */
	static Health health(ConfigurableApplicationContext application) {
		CompositeHealthContributor all = application.getBean("reflectorKafkaHealthContributor",
				CompositeHealthContributor.class);
		HealthIndicator indicator = (HealthIndicator) Objects.requireNonNull(all.getContributor("widgets"));
		return Objects.requireNonNull(indicator.health());
	}

	@Override
	public void close() {
		this.server.close();
	}

}
