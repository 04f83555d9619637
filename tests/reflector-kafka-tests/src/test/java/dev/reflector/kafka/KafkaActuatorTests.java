package dev.reflector.kafka;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests what operators see of publishers over HTTP.
 */
@ExtendWith(Patience.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaActuatorTests {

	private final PublishedWidgets widgets = new PublishedWidgets();

	@AfterEach
	void stopServer() {
		this.widgets.close();
	}

	@Test
	void endpointAndHealthAreServed() {
		String topic = Broker.topic();
		this.widgets.apply("a", 1);
		try (ConfigurableApplicationContext application = this.widgets.publish(topic, Actuator.PROPERTIES)) {
			Actuator actuator = new Actuator(application);
			awaitPublished(application);
			Actuator.Answer all = actuator.get("reflectorkafka");
			assertThat(all.code()).isEqualTo(200);
			JsonNode entry = all.body().at("/publishers/widgets");
			assertThat(entry.propertyNames()).containsExactly("topic", "stopped", "inFlight", "lag", "acknowledgedAt",
					"published", "retried", "refused");
			assertThat(entry.path("topic").asString()).isEqualTo(topic);
			assertThat(entry.path("published").toString()).isEqualTo("{\"added\":1,\"updated\":0,\"deleted\":0}");
			assertThat(entry.path("lag").asString()).isEqualTo("PT0S");
			Actuator.Answer one = actuator.get("reflectorkafka/widgets");
			assertThat(one.code()).isEqualTo(200);
			assertThat(one.body()).isEqualTo(entry);
			assertThat(actuator.get("reflectorkafka/gadgets").code()).isEqualTo(404);
			Actuator.Answer health = actuator.health();
			assertThat(health.code()).isEqualTo(200);
			assertThat(health.body().path("status").asString()).isEqualTo("UP");
			assertThat(health.body().path("details").propertyNames()).containsExactly("topic", "inFlight",
					"acknowledgedAt");
			assertThat(actuator.get("health/reflectorKafka").body().at("/components/widgets/status").asString())
				.isEqualTo("UP");
		}
	}

	/** A record counts as published a moment before it is in flight no more. */
	private static void awaitPublished(ConfigurableApplicationContext application) {
		await().untilAsserted(() -> {
			PublisherStatus status = PublishedWidgets.publisher(application).status();
			assertThat(status.added()).isEqualTo(1);
			assertThat(status.inFlight()).isZero();
		});
	}

	@Test
	void healthWithoutDetailsTellsTheStatusAlone() {
		this.widgets.apply("a", "x".repeat(3000));
		try (ConfigurableApplicationContext application = this.widgets.publish(Broker.topic(),
				"spring.main.web-application-type=reactive", "server.port=0", Actuator.ONE_REQUEST,
				"spring.kafka.producer.properties.max.request.size=2000", "reflector.events.on-error=stop",
				"management.endpoint.health.show-components=always")) {
			Actuator actuator = new Actuator(application);
			await().until(() -> PublishedWidgets.publisher(application).isStopped());
			Actuator.Answer health = actuator.health();
			assertThat(health.code()).isEqualTo(503);
			assertThat(health.text()).isEqualTo("{\"status\":\"DOWN\"}");
			// it is not exposed by default
			assertThat(actuator.get("reflectorkafka").code()).isEqualTo(404);
		}
	}

}
