package dev.reflector.modulith;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.kafka.BrokerAccess;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.KafkaNull;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.support.EventExternalizationTransport;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;
import org.springframework.modulith.events.support.OutboxEventExternalizer;
import org.springframework.modulith.events.support.OutboxEventExternalizerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a listener of a reflector that publishes events of the application in a
 * transaction. Spring Modulith externalizes the events, in both of its modes. A deletion
 * becomes a tombstone. These tests bring a transport that sends what the one in
 * Modulith's module for Kafka would send.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ModulithTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Widget", "widgets", true)
		.start();

	private final ResourceCollection widgets = this.server.resources("widgets");

	@BeforeAll
	static void makeTopics() {
		for (String topic : List.of("module-listener", "outbox")) {
			BrokerAccess.addTopic(new NewTopic(topic, 1, (short) 1));
		}
	}

	@AfterEach
	void stopServer() {
		this.server.close();
	}

	private ConfigurableApplicationContext run(String mode) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			// all that other tests of the module leave out
			.run("--spring.autoconfigure.exclude=", "--reflector.api-server.url=" + this.server.url(),
					"--spring.main.banner-mode=off", "--spring.kafka.bootstrap-servers=" + BrokerAccess.servers(),
					"--spring.modulith.events.externalization.mode=" + mode, "--topic=" + mode,
					"--spring.modulith.events.jdbc.schema-initialization.enabled=true",
					"--spring.datasource.url=jdbc:h2:mem:" + mode);
	}

	private void changeWidgets() {
		this.widgets.create(Map.of("metadata", Map.of("name", "a"), "spec", Map.of("size", 1)));
		this.widgets.mergePatch("default", "a", Map.of("spec", Map.of("size", 2)));
		this.widgets.delete("default", "a");
	}

	/** The records of a topic, such as {@code default/a=2}. */
	private static List<String> records(String topic) {
		try (KafkaConsumer<String, @Nullable String> consumer = new KafkaConsumer<>(
				Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, BrokerAccess.servers(),
						ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
				new StringDeserializer(), new StringDeserializer())) {
			List<TopicPartition> partition = List.of(new TopicPartition(topic, 0));
			consumer.assign(partition);
			consumer.seekToBeginning(partition);
			long end = consumer.endOffsets(partition).values().iterator().next();
			List<String> records = new ArrayList<>();
			while (consumer.position(partition.get(0)) < end) {
				for (ConsumerRecord<String, @Nullable String> record : consumer.poll(Duration.ofMillis(200))) {
					records.add(record.key() + "=" + record.value());
				}
			}
			return records;
		}
	}

	@Test
	void whatAListenerPublishesInATransactionIsExternalizedAfterItsCommit() {
		try (ConfigurableApplicationContext application = run("module-listener")) {
			changeWidgets();
			await().atMost(PATIENCE).until(() -> records("module-listener").size() == 3);
			// Modulith externalizes on several threads
			assertThat(records("module-listener")).containsExactlyInAnyOrder("default/a=1", "default/a=2",
					"default/a=null");
			EventPublicationRegistry registry = application.getBean(EventPublicationRegistry.class);
			await().atMost(PATIENCE).until(() -> registry.findIncompletePublications().isEmpty());
			assertThat(application.getBeanProvider(OutboxEventExternalizerFactory.class).getIfAvailable()).isNull();
		}
	}

	@Test
	void inTheModeOutboxWhatAnOutboxHasKeptIsExternalizedInItsOrder() {
		try (ConfigurableApplicationContext application = run("outbox")) {
			assertThat(application.getBeanProvider(EventExternalizerModuleListener.class).getIfAvailable()).isNull();
			changeWidgets();
			Outbox outbox = application.getBean(Outbox.class);
			await().atMost(PATIENCE).until(() -> outbox.kept.size() == 3);
			assertThat(records("outbox")).isEmpty();
			outbox.forward();
			assertThat(records("outbox")).containsExactly("default/a=1", "default/a=2", "default/a=null");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	static class Application {

		private static final String MODE = "spring.modulith.events.externalization.mode";

		@Bean
		WidgetEvents widgetEvents(ApplicationEventPublisher publisher) {
			return new WidgetEvents(publisher);
		}

		@Bean
		static EventExternalizationConfiguration externalization(@Value("${topic}") String topic) {
			return EventExternalizationConfiguration.externalizing()
				.selectByType(WidgetChanged.class)
				.mapping(WidgetChanged.class, Application::message)
				.routeAll((event) -> RoutingTarget.forTarget(topic).withoutKey())
				.build();
		}

		private static Message<?> message(WidgetChanged event) {
			Object payload = event.deleted() ? KafkaNull.INSTANCE : Integer.toString(event.size());
			return MessageBuilder.withPayload(payload).setHeader(KafkaHeaders.KEY, event.key()).build();
		}

		private static EventExternalizationTransport transport(KafkaOperations<?, ?> kafka) {
			return (payload,
					target) -> kafka.send(MessageBuilder.fromMessage((Message<?>) payload)
						.setHeader(KafkaHeaders.TOPIC, target.getTarget())
						.build());
		}

		@Bean
		@ConditionalOnProperty(name = MODE, havingValue = "module-listener")
		EventExternalizerModuleListener moduleListener(EventExternalizationConfiguration configuration,
				KafkaOperations<?, ?> kafka) {
			return new EventExternalizerModuleListener(configuration, transport(kafka));
		}

		@Bean
		@ConditionalOnProperty(name = MODE, havingValue = "outbox")
		Outbox outbox(ObjectProvider<OutboxEventExternalizerFactory> factory, KafkaOperations<?, ?> kafka) {
			return new Outbox(factory.getObject().forTransport(transport(kafka)));
		}

	}

	/** Keeps events as an outbox does, and forwards them on demand. */
	static final class Outbox {

		private final List<WidgetChanged> kept = new CopyOnWriteArrayList<>();

		private final OutboxEventExternalizer externalizer;

		Outbox(OutboxEventExternalizer externalizer) {
			this.externalizer = externalizer;
		}

		@EventListener
		void on(WidgetChanged event) {
			this.kept.add(event);
		}

		void forward() {
			this.kept.forEach(this.externalizer::externalizeBlocking);
		}

	}

}
