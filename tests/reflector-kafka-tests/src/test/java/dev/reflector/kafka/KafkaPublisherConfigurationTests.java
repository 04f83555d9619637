package dev.reflector.kafka;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectorStatus;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.sharding.ShardField;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * The settings of publishers, what is said about wrong ones, and what operators see.
 */
@ExtendWith(Patience.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaPublisherConfigurationTests {

	private final PublishedWidgets widgets = new PublishedWidgets();

	@AfterEach
	void stopServer() {
		this.widgets.close();
	}

	private FailureAnalysis analysis(String... properties) {
		return analysis(Broker.servers(), properties);
	}

	private FailureAnalysis analysis(String servers, String[] properties) {
		Throwable failure = catchThrowable(
				() -> PublishingApplication.run(this.widgets.server(), servers, properties).close());
		assertThat(failure).isNotNull();
		while (!(failure instanceof KafkaTopicException) && failure.getCause() != null) {
			failure = failure.getCause();
		}
		return Objects.requireNonNull(new KafkaTopicFailureAnalyzer().analyze(failure));
	}

	@Test
	void withoutTopicsThereIsNothing() {
		try (ConfigurableApplicationContext application = this.widgets.run()) {
			assertThat(application.getBeanProvider(KafkaPublishers.class).getIfAvailable()).isNull();
			assertThat(application.containsBean("reflectorKafkaHealthContributor")).isFalse();
			assertThat(application.containsBean("reflectorKafkaMetrics")).isFalse();
			assertThat(application.containsBean("reflectorKafkaEndpoint")).isFalse();
		}
		try (ConfigurableApplicationContext application = this.widgets.run("reflector.enabled=false",
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
		assertThat(analysis.getDescription()).contains("'too-many' does not exist, and the broker does not create it");
		assertThat(analysis.getAction()).contains("replication-factor");
	}

	@Test
	void withoutAProducerFactoryTheStartFails() {
		FailureAnalysis analysis = analysis("reflector.publish.kafka.topics.widgets=" + Broker.topic(),
				"spring.autoconfigure.exclude=${unrelated},org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration");
		assertThat(analysis.getDescription()).contains("'reflector.publish.kafka.topics'",
				"there is no bean of type org.springframework.kafka.core.ProducerFactory");
		assertThat(analysis.getAction()).contains("KafkaAutoConfiguration");
	}

	@Test
	void aBrokerWhoseNameIsNotKnownFailsTheStart() {
		FailureAnalysis analysis = analysis("broker.invalid:9092",
				new String[] { "reflector.publish.kafka.topics.widgets=widgets" });
		assertThat(analysis.getDescription()).contains("Kafka's client cannot be made", "bootstrap.servers");
		assertThat(analysis.getAction()).contains("'spring.kafka'");
	}

	@Test
	@EnabledIfSystemProperty(named = "tests.full", matches = "true", disabledReason = "runs with -Dtests.full=true")
	void aStoreOfKeysThatIsNotThereFailsTheStart() {
		FailureAnalysis analysis = analysis("reflector.publish.kafka.topics.widgets=widgets",
				"spring.kafka.security.protocol=SSL", "spring.kafka.ssl.key-store-location=file:/nonexistent.p12",
				"spring.kafka.ssl.key-store-password=p");
		assertThat(analysis.getDescription()).contains("Kafka's client cannot be made", "/nonexistent.p12");
	}

	@Test
	void aProducerThatCannotBeIdempotentFailsTheStart() {
		FailureAnalysis analysis = analysis("reflector.publish.kafka.topics.widgets=" + Broker.topic(),
				"spring.kafka.producer.retries=0");
		assertThat(analysis.getDescription()).contains("Kafka's producer cannot be created", "retries");
		assertThat(analysis.getAction()).contains("'retries' of more than 0");
	}

	@Test
	void wrongNumbersFailTheStart() {
		assertThat(catchThrowable(() -> this.widgets.run("reflector.publish.kafka.topics.widgets=widgets",
				"reflector.publish.kafka.max-in-flight=0")))
			.hasStackTraceContaining("'reflector.publish.kafka.max-in-flight' must be at least 1");
	}

	@ParameterizedTest
	@EnumSource(ShardField.class)
	@LongFormOnly
	@ExtendWith(OutputCaptureExtension.class)
	void onlySharesByUidAreWarnedOf(ShardField field, CapturedOutput output) {
		this.widgets
			.publish(Broker.topic(), "reflector.sharding.enabled=true", "reflector.sharding.assignment=fixed",
					"reflector.sharding.leases.enabled=false", "reflector.sharding.count=2",
					"reflector.sharding.index=0", "reflector.sharding.field=" + field.name())
			.close();
		String warning = "Reflector 'widgets': replicas divide its objects by uid";
		if (field == ShardField.UID) {
			assertThat(output).contains(warning);
		}
		else {
			assertThat(output).doesNotContain(warning);
		}
	}

	@Test
	void operatorsSeeThePublisher() {
		String topic = Broker.topic();
		this.widgets.apply("a", "1");
		try (ConfigurableApplicationContext application = this.widgets.publish(topic,
				"management.endpoints.access.default=read-only", "management.endpoints.jmx.exposure.include=*",
				"spring.jmx.enabled=true")) {
			MeterRegistry meters = application.getBean(MeterRegistry.class);
			await().until(() -> meters.get("reflector.kafka.published")
				.tags("reflector", "widgets", "topic", topic, "type", "added")
				.functionCounter()
				.count() == 1);
			// a record counts as published a moment before it is in flight no more
			await().until(() -> PublishedWidgets.publisher(application).status().inFlight() == 0);
			assertThat(meters.get("reflector.kafka.published").tag("type", "deleted").functionCounter().count())
				.isZero();
			assertThat(meters.get("reflector.kafka.published").tag("type", "updated").functionCounter().count())
				.isZero();
			assertThat(meters.get("reflector.kafka.in.flight").gauge().value()).isZero();
			assertThat(meters.get("reflector.kafka.lag").timeGauge().value()).isZero();
			assertThat(meters.get("reflector.kafka.retries").functionCounter().count()).isZero();
			assertThat(meters.get("reflector.kafka.refused").functionCounter().count()).isZero();
			assertThat(PublishedWidgets.health(application).getStatus()).isEqualTo(Status.UP);
			assertThat(PublishedWidgets.health(application).getDetails()).containsEntry("topic", topic)
				.containsKey("acknowledgedAt");
			KafkaPublishersEndpoint endpoint = application.getBean(KafkaPublishersEndpoint.class);
			KafkaPublishersEndpoint.Entry entry = endpoint.publishers().publishers().get("widgets");
			assertThat(entry).isNotNull();
			assertThat(entry.topic()).isEqualTo(topic);
			assertThat(entry.published()).isEqualTo(new KafkaPublishersEndpoint.Published(1, 0, 0));
			assertThat(endpoint.publisher("widgets")).isNotNull();
			assertThat(endpoint.publisher("gadgets")).isNull();
		}
	}

	@Test
	void anApplicationStartsWithoutABrokerAndItsHealthTells() {
		this.widgets.apply("a", "1");
		try (ConfigurableApplicationContext application = PublishingApplication.run(this.widgets.server(),
				"127.0.0.1:1", "reflector.publish.kafka.topics.widgets=widgets",
				"reflector.publish.kafka.start-timeout=500ms", "reflector.publish.kafka.failing-threshold=1s",
				"spring.kafka.producer.properties.max.block.ms=500", "reflector.events.drain-timeout=1s")) {
			await().untilAsserted(() -> {
				Health health = PublishedWidgets.health(application);
				assertThat(health.getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.getDetails()).containsKey("lastError");
			});
			await().until(() -> application.getBean(SharedInformer.class).hasSynced());
		}
	}

	@Test
	void aRecordThatIsTooLargeIsPassedOverWhereListenersMayLoseChanges() {
		String topic = Broker.topic();
		this.widgets.apply("small", "x");
		this.widgets.apply("large", "x".repeat(3000));
		try (ConfigurableApplicationContext application = this.widgets.publish(topic,
				"spring.kafka.producer.properties.max.request.size=2000");
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			KafkaPublisher<?> publisher = PublishedWidgets.publisher(application);
			await().until(() -> publisher.status().refused() == 1);
			await().until(() -> consumer.content().containsKey("default/small"));
			assertThat(consumer.content()).containsOnlyKeys("default/small");
			assertThat(publisher.isStopped()).isFalse();
		}
	}

	@Test
	@LongFormOnly
	void anObjectThatCannotBeWrittenIsPassedOverAndHoldsUpNoOther() {
		String topic = Broker.topic();
		this.widgets.apply("a", Unwritable.SIZE);
		this.widgets.apply("b", 2);
		try (ConfigurableApplicationContext application = PublishingApplication.run(
				List.of(PublishingApplication.class, Unwritable.Config.class), this.widgets.server(), Broker.servers(),
				"reflector.publish.kafka.topics.unwritable=" + topic, "reflector.events.on-error=stop");
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			KafkaPublisher<?> publisher = PublishedWidgets.publisher(application);
			await().until(() -> publisher.status().refused() == 1 && consumer.content().size() == 1);
			this.widgets.apply("c", 3);
			await().until(() -> consumer.content().size() == 2);
			assertThat(consumer.content()).containsOnlyKeys("default/b", "default/c");
			assertThat(publisher.isStopped()).isFalse();
			this.widgets.apply("a", 1);
			await().until(() -> consumer.content().size() == 3);
		}
	}

	/** A type whose objects cannot be written if they have a certain size. */
	record Unwritable(ObjectMeta metadata, Spec spec) {

		static final int SIZE = 13;

		/** Keeps its size in another form, and fails to return some sizes. */
		static class Spec {

			private final StringBuilder kept = new StringBuilder();

			public int getSize() {
				int size = this.kept.length();
				if (size == SIZE) {
					throw new IllegalStateException("the size of an unlucky one");
				}
				return size;
			}

			public void setSize(int size) {
				this.kept.setLength(size);
			}

		}

		@Configuration(proxyBeanMethods = false)
		static class Config {

			@Bean
			static ReflectedResourceRegistration<Unwritable> unwritable() {
				return ReflectedResourceRegistration.of(Unwritable.class, "example.com/v1", "Widget")
					.withPlural("widgets")
					.withName("unwritable");
			}

		}

	}

	@Test
	void aRecordThatIsTooLargeStopsTheDeliveryWhereNothingMayBeLost() {
		String topic = Broker.topic();
		this.widgets.apply("large", "x".repeat(3000));
		try (ConfigurableApplicationContext application = this.widgets.publish(topic,
				"spring.kafka.producer.properties.max.request.size=2000", "reflector.events.on-error=stop");
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			SharedInformer<?> informer = application.getBean(SharedInformer.class);
			await().until(() -> informer.status().deliveryStopped() != null);
			ReflectorStatus.LastError stopped = informer.status().deliveryStopped();
			assertThat(Objects.requireNonNull(stopped).message()).contains("default/large", topic);
			assertThat(PublishedWidgets.health(application).getStatus()).isEqualTo(Status.DOWN);
			this.widgets.apply("large", "small now");
			this.widgets.apply("other", "x");
			await().until(() -> informer.lister().size() == 2);
			assertThat(consumer.content()).isEmpty();
			informer.resume();
			await().until(() -> consumer.content().size() == 2);
			await().until(() -> PublishedWidgets.health(application).getStatus().equals(Status.UP));
		}
	}

	@Test
	void aRecordThatTheBrokerRefusesStopsTheDeliveryWithTheNextChange() throws Exception {
		String topic = Broker.topic();
		try (Admin admin = Broker.admin()) {
			admin
				.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(Map
					.of(TopicConfig.CLEANUP_POLICY_CONFIG, "compact", TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "2000"))))
				.all()
				.get();
		}
		this.widgets.apply("large", "x".repeat(3000));
		try (ConfigurableApplicationContext application = this.widgets.publish(topic, "reflector.events.on-error=stop");
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			SharedInformer<?> informer = application.getBean(SharedInformer.class);
			KafkaPublisher<?> publisher = PublishedWidgets.publisher(application);
			await().until(publisher::isStopped);
			assertThat(PublishedWidgets.health(application).getStatus()).isEqualTo(Status.DOWN);
			// the answer may also come before the call for the change has returned, which
			// ends the delivery at once
			await().until(() -> publisher.completed().toCompletableFuture().isCompletedExceptionally()
					|| informer.status().deliveryStopped() != null);
			this.widgets.apply("other", "x");
			await().until(() -> informer.status().deliveryStopped() != null);
			assertThat(Objects.requireNonNull(informer.status().deliveryStopped()).message()).contains("default/large");
			assertThat(consumer.content()).isEmpty();
			this.widgets.apply("large", "small now");
			await().until(() -> informer.lister().size() == 2);
			informer.resume();
			await().until(() -> consumer.content().size() == 2);
		}
	}

}
