package dev.reflector.kafka;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The broker is killed under load, and started again after some seconds, or as many as
 * {@code -Dtests.outage=60} says. A mirror of the topic gets over that, too. With
 * {@code -Dtests.full=true}, the broker is also away until the mirror has given up a
 * watch.
 */
@ExtendWith(Patience.class)
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaOutageTests {

	private static final boolean FULL = Boolean.getBoolean("tests.full");

	private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("tests.outage", FULL ? 4 : 2));

	/** Longest pause between two writes, in microseconds. */
	private static final int PAUSE = (System.getProperty("tests.outage") != null) ? 4000 : 20_000;

	private static final int IN_FLIGHT = 20;

	private static final int QUEUE = 50;

	private final String topic = Broker.topic();

	/** With this threshold, a pause of the machine is a failure for a moment. */
	private static void awaitUp(Actuator actuator) {
		await().untilAsserted(() -> assertThat(actuator.health().body().path("status").asString()).isEqualTo("UP"));
	}

	private static String[] with(String[] properties, String... more) {
		return Stream.concat(Stream.of(properties), Stream.of(more)).toArray(String[]::new);
	}

	@Test
	void nothingIsLostAndTheOrderOfEachKeyIsKeptAndMemoryIsBounded() throws Exception {
		BrokerProcess broker = BrokerProcess.get();
		try (EmbeddedApiServer server = PublishingApplication.server();
				// small, so that the outage fills all of them
				ConfigurableApplicationContext application = PublishingApplication.run(server, broker.servers(),
						with(Actuator.PROPERTIES, "reflector.publish.kafka.topics.widgets=" + this.topic,
								"reflector.publish.kafka.partitions=3", "reflector.publish.kafka.failing-threshold=1s",
								"reflector.publish.kafka.max-in-flight=" + IN_FLIGHT, "reflector.events.overflow=block",
								"reflector.events.queue-capacity=" + QUEUE,
								// a record is given up now and then, and sent again by
								// the
								// publisher
								"spring.kafka.producer.properties.delivery.timeout.ms=1000",
								"spring.kafka.producer.properties.request.timeout.ms=500",
								"spring.kafka.producer.properties.linger.ms=0",
								"spring.kafka.producer.properties.max.block.ms=1000"));
				ConfigurableApplicationContext mirror = MirrorApplication.run(broker.servers(), this.topic);
				PlainConsumer consumer = new PlainConsumer(broker.servers(), this.topic);
				Writes writes = Writes.begin(server.resources("widgets"), 40, PAUSE, System.nanoTime())) {
			KafkaPublisher<?> publisher = application.getBean(KafkaPublishers.class).all().get(0);
			Reflector<?> reflector = application.getBean(Reflector.class);
			Actuator actuator = new Actuator(application);
			await().until(() -> publisher.status().updated() > 50);
			awaitUp(actuator);
			Reflector<?> follower = mirror.getBean(Reflector.class);
			long errors = follower.status().counts().errors();
			broker.kill();
			await().until(() -> publisher.lag().toSeconds() > 0);
			await().until(() -> reflector.status().queueDepth() >= QUEUE);
			long until = System.nanoTime() + OUTAGE.toNanos();
			while (System.nanoTime() < until) {
				assertThat(publisher.status().inFlight()).isLessThanOrEqualTo(IN_FLIGHT);
				TimeUnit.MILLISECONDS.sleep(50);
			}
			if (FULL) {
				await().until(() -> follower.status().counts().errors() > errors);
			}
			assertThat(publisher.lag()).isGreaterThanOrEqualTo(OUTAGE.minusSeconds(1));
			// what is sent again has failed before
			await().untilAsserted(() -> assertThat(publisher.status().retried()).isPositive());
			Actuator.Answer health = actuator.health();
			assertThat(health.code()).isEqualTo(503);
			assertThat(health.body().path("status").asString()).isEqualTo("DOWN");
			assertThat(health.body().path("details").propertyNames()).contains("waitingSince", "lastError");
			broker.start();
			int before = writes.count();
			await().until(() -> writes.count() > before + 50);
			writes.end();
			await().untilAsserted(() -> assertThat(writes.behind(consumer)).isEmpty());
			writes.check(consumer);
			MirrorApplication.awaitEqual(application, mirror);
			await().untilAsserted(() -> assertThat(publisher.status().inFlight()).isZero());
			awaitUp(actuator);
			// the end of the mirror takes the event loops of all applications with it
			SpringApplication.exit(application);
		}
	}

}
