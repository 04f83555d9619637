package dev.reflector.kafka;

import java.nio.file.Path;
import java.util.List;

import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Stops the publisher while the broker is away: with a durable mirror, the next one
 * publishes what was not acknowledged. Runs with {@code -Dtests.full=true} only.
 */
@EnabledIfSystemProperty(named = "tests.full", matches = "true")
@ExtendWith(Patience.class)
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaStopTests {

	private final String topic = Broker.topic();

	@TempDir
	Path folder;

	@Test
	void aStopDuringTheOutageLosesNothingWithADurableMirror() throws Exception {
		String[] properties = { "reflector.publish.kafka.topics.widgets=" + this.topic,
				"reflector.publish.kafka.partitions=3", "reflector.snapshot.enabled=true",
				"reflector.snapshot.jdbc.file=" + this.folder.resolve("reflectors.db"),
				"reflector.events.on-error=stop", "reflector.events.overflow=block",
				"reflector.events.drain-timeout=1s" };
		BrokerProcess broker = BrokerProcess.get();
		try (EmbeddedApiServer server = PublishingApplication.server()) {
			ConfigurableApplicationContext first = PublishingApplication
				.run(List.of(PublishingApplication.class, HastyProducers.class), server, broker.servers(), properties);
			try (PlainConsumer consumer = new PlainConsumer(broker.servers(), this.topic);
					Writes writes = Writes.begin(server.resources("widgets"), 40, 20_000, System.nanoTime())) {
				KafkaPublisher<?> publisher = PublishedWidgets.publisher(first);
				await().until(() -> publisher.status().updated() > 50);
				broker.kill();
				await().until(() -> publisher.lag().toSeconds() > 0);
				first.close();
				assertThat(publisher.status().inFlight()).isPositive();
				broker.start();
				try (ConfigurableApplicationContext second = PublishingApplication.run(server, broker.servers(),
						properties)) {
					int before = writes.count();
					await().until(() -> writes.count() > before + 50);
					writes.end();
					await().untilAsserted(() -> assertThat(writes.behind(consumer)).isEmpty());
					writes.check(consumer);
					assertThat(second.isActive()).isTrue();
				}
			}
		}
	}

	/** The application waits one second for acknowledgements when it ends. */
	@Configuration(proxyBeanMethods = false)
	static class HastyProducers {

		@Bean
		static DefaultKafkaProducerFactoryCustomizer closeTimeout() {
			return (factory) -> factory.setPhysicalCloseTimeout(1);
		}

	}

}
