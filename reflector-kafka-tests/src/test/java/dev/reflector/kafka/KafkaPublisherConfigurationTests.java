package dev.reflector.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.reflector.ReflectorStatus;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * The settings of publishers, what is said about wrong ones, and what operators see.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaPublisherConfigurationTests {

	private final EmbeddedApiServer server = PublishingApplication.server();

	private final ResourceCollection widgets = this.server.resources("widgets");

	@BeforeAll
	static void bePatient() {
		Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
	}

	@AfterAll
	static void reset() {
		Awaitility.reset();
	}

	@AfterEach
	void stopServer() {
		this.server.close();
	}

	private ConfigurableApplicationContext run(String... properties) {
		return PublishingApplication.run(this.server, Broker.servers(), properties);
	}

	private FailureAnalysis analysis(String... properties) {
		Throwable failure = catchThrowable(() -> run(properties).close());
		assertThat(failure).isNotNull();
		while (!(failure instanceof KafkaTopicException) && failure.getCause() != null) {
			failure = failure.getCause();
		}
		return Objects.requireNonNull(new KafkaTopicFailureAnalyzer().analyze(failure));
	}

	private void apply(String name, String label) {
		this.widgets
			.apply(Map.of("metadata", Map.of("namespace", "default", "name", name, "labels", Map.of("label", label))));
	}

	@Test
	void withoutTopicsThereIsNothing() {
		try (ConfigurableApplicationContext application = run()) {
			assertThat(application.getBeanProvider(KafkaPublishers.class).getIfAvailable()).isNull();
			assertThat(application.containsBean("reflectorKafkaHealthContributor")).isFalse();
			assertThat(application.containsBean("reflectorKafkaMetrics")).isFalse();
			assertThat(application.containsBean("reflectorKafkaEndpoint")).isFalse();
		}
		try (ConfigurableApplicationContext application = run("reflector.enabled=false",
				"reflector.publish.kafka.topics.widgets=widgets")) {
			assertThat(application.getBeanProvider(KafkaPublishers.class).getIfAvailable()).isNull();
		}
	}

	@Test
	void anUnknownReflectorFailsTheStart() {
		FailureAnalysis analysis = analysis("reflector.publish.kafka.topics.gadgets=gadgets");
		assertThat(analysis.getDescription()).contains("topics.gadgets", "There are: widgets");
		assertThat(analysis.getAction()).contains("Correct the name");
	}

	@Test
	void aNameMayBeSpelledAsInAnEnvironmentVariable() {
		String topic = Broker.topic();
		try (ConfigurableApplicationContext application = run("reflector.publish.kafka.topics.WID_GETS=" + topic)) {
			assertThat(application.getBean(KafkaPublishers.class).all()).extracting(KafkaPublisher::reflector)
				.containsExactly("widgets");
		}
	}

	@Test
	void oneTopicForTwoReflectorsFailsTheStart() {
		FailureAnalysis analysis = analysis("reflector.resources.gadgets.api-version=example.com/v1",
				"reflector.resources.gadgets.kind=Widget", "reflector.publish.kafka.topics.widgets=one",
				"reflector.publish.kafka.topics.gadgets=one");
		assertThat(analysis.getDescription()).contains("one Kafka topic, 'one'");
	}

	@Test
	void aMissingTopicFailsTheStartWhenItIsNotToBeMade() {
		FailureAnalysis analysis = analysis("reflector.publish.kafka.topics.widgets=missing",
				"reflector.publish.kafka.create-topics=false");
		assertThat(analysis.getDescription()).contains("'missing' does not exist");
		assertThat(analysis.getAction()).contains("cleanup.policy=compact");
	}

	@Test
	void aTopicThatTheBrokerDoesNotMakeFailsTheStart() {
		FailureAnalysis analysis = analysis("reflector.publish.kafka.topics.widgets=too-many",
				"reflector.publish.kafka.replication-factor=7");
		assertThat(analysis.getDescription()).contains("'too-many' does not exist, and the broker does not make it");
		assertThat(analysis.getAction()).contains("replication-factor");
	}

	@Test
	void withoutAProducerFactoryTheStartFails() {
		FailureAnalysis analysis = analysis("reflector.publish.kafka.topics.widgets=" + Broker.topic(),
				"spring.autoconfigure.exclude=org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration");
		assertThat(analysis.getDescription()).contains("there is no bean of type");
		assertThat(analysis.getAction()).contains("KafkaAutoConfiguration");
	}

	@Test
	void wrongNumbersFailTheStart() {
		assertThat(catchThrowable(
				() -> run("reflector.publish.kafka.topics.widgets=widgets", "reflector.publish.kafka.max-in-flight=0")))
			.hasStackTraceContaining("'reflector.publish.kafka.max-in-flight' must be at least 1");
		assertThat(catchThrowable(() -> run("reflector.publish.kafka.topics.widgets=widgets",
				"reflector.publish.kafka.failing-threshold=-1s")))
			.hasStackTraceContaining("'reflector.publish.kafka.failing-threshold' must not be negative");
		assertThat(catchThrowable(() -> run("reflector.publish.kafka.topics.widgets=widgets",
				"reflector.publish.kafka.start-timeout=0s")))
			.hasStackTraceContaining("'reflector.publish.kafka.start-timeout' must be at least 1ms");
	}

	@Test
	void theTopicIsMadeAsThePropertiesSay() throws Exception {
		String topic = Broker.topic();
		try (ConfigurableApplicationContext application = run("reflector.publish.kafka.topics.widgets=" + topic,
				"reflector.publish.kafka.partitions=5", "reflector.publish.kafka.replication-factor=1");
				Admin admin = Broker.admin()) {
			assertThat(application.isActive()).isTrue();
			assertThat(admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions()).hasSize(5);
			ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
			assertThat(admin.describeConfigs(List.of(resource)).all().get().get(resource).get("cleanup.policy").value())
				.isEqualTo("compact");
		}
	}

	@Test
	void operatorsSeeThePublisher() {
		String topic = Broker.topic();
		apply("a", "1");
		try (ConfigurableApplicationContext application = run("reflector.publish.kafka.topics.widgets=" + topic,
				"management.endpoints.access.default=read-only", "management.endpoints.jmx.exposure.include=*",
				"spring.jmx.enabled=true")) {
			MeterRegistry meters = application.getBean(MeterRegistry.class);
			await().until(() -> meters.get("reflector.kafka.published")
				.tags("reflector", "widgets", "topic", topic, "type", "added")
				.functionCounter()
				.count() == 1);
			assertThat(meters.get("reflector.kafka.published").tag("type", "deleted").functionCounter().count())
				.isZero();
			assertThat(meters.get("reflector.kafka.published").tag("type", "updated").functionCounter().count())
				.isZero();
			assertThat(meters.get("reflector.kafka.in.flight").gauge().value()).isZero();
			assertThat(meters.get("reflector.kafka.lag").timeGauge().value()).isZero();
			assertThat(meters.get("reflector.kafka.retries").functionCounter().count()).isZero();
			assertThat(meters.get("reflector.kafka.refused").functionCounter().count()).isZero();
			assertThat(health(application).getStatus()).isEqualTo(Status.UP);
			assertThat(health(application).getDetails()).containsEntry("topic", topic).containsKey("acknowledgedAt");
			KafkaPublishersEndpoint endpoint = application.getBean(KafkaPublishersEndpoint.class);
			KafkaPublishersEndpoint.Entry entry = endpoint.publishers().publishers().get("widgets");
			assertThat(entry).isNotNull();
			assertThat(entry.topic()).isEqualTo(topic);
			assertThat(entry.published()).isEqualTo(new KafkaPublishersEndpoint.Published(1, 0, 0));
			assertThat(endpoint.publisher("widgets")).isNotNull();
			assertThat(endpoint.publisher("gadgets")).isNull();
		}
	}

	private static Health health(ConfigurableApplicationContext application) {
		CompositeHealthContributor all = application.getBean("reflectorKafkaHealthContributor",
				CompositeHealthContributor.class);
		HealthIndicator indicator = (HealthIndicator) all.getContributor("widgets");
		return Objects.requireNonNull(Objects.requireNonNull(indicator).health());
	}

	@Test
	void anApplicationStartsWithoutABrokerAndItsHealthTells() {
		apply("a", "1");
		try (ConfigurableApplicationContext application = PublishingApplication.run(this.server, "127.0.0.1:1",
				"reflector.publish.kafka.topics.widgets=widgets", "reflector.publish.kafka.start-timeout=500ms",
				"reflector.publish.kafka.failing-threshold=1s", "spring.kafka.producer.properties.max.block.ms=500",
				"reflector.events.drain-timeout=1s")) {
			await().until(() -> health(application).getStatus().equals(Status.DOWN));
			assertThat(health(application).getDetails()).containsKey("lastError");
			assertThat(application.getBean(SharedInformer.class).hasSynced()).isTrue();
		}
	}

	@Test
	void aRecordThatIsTooLargeIsPassedOverWhereListenersMayLoseChanges() {
		String topic = Broker.topic();
		apply("small", "x");
		apply("large", "x".repeat(3000));
		try (ConfigurableApplicationContext application = run("reflector.publish.kafka.topics.widgets=" + topic,
				"spring.kafka.producer.properties.max.request.size=2000");
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			KafkaPublisher<?> publisher = application.getBean(KafkaPublishers.class).all().get(0);
			await().until(() -> publisher.status().refused() == 1);
			await().until(() -> consumer.content().containsKey("default/small"));
			assertThat(consumer.content()).containsOnlyKeys("default/small");
			assertThat(publisher.isStopped()).isFalse();
		}
	}

	@Test
	void aRecordThatIsTooLargeStopsTheDeliveryWhereNothingMayBeLost() {
		String topic = Broker.topic();
		apply("large", "x".repeat(3000));
		try (ConfigurableApplicationContext application = run("reflector.publish.kafka.topics.widgets=" + topic,
				"spring.kafka.producer.properties.max.request.size=2000", "reflector.events.on-error=stop");
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			SharedInformer<?> informer = application.getBean(SharedInformer.class);
			await().until(() -> informer.status().deliveryStopped() != null);
			ReflectorStatus.LastError stopped = informer.status().deliveryStopped();
			assertThat(Objects.requireNonNull(stopped).message()).contains("default/large", topic);
			assertThat(health(application).getStatus()).isEqualTo(Status.DOWN);
			apply("large", "small now");
			apply("other", "x");
			await().until(() -> informer.lister().size() == 2);
			assertThat(consumer.content()).isEmpty();
			informer.resume();
			await().until(() -> consumer.content().size() == 2);
			await().until(() -> health(application).getStatus().equals(Status.UP));
		}
	}

}
