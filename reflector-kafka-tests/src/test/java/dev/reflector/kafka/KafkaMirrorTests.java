package dev.reflector.kafka;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.ConsumerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A mirror of the topic that another application fills, while the broker is killed and
 * the topic is cleaned up. {@code -Dtests.objects=50000} sets their number.
 */
@ExtendWith(Patience.class)
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaMirrorTests {

	private static final int OBJECTS = Integer.getInteger("tests.objects",
			Boolean.getBoolean("tests.full") ? 2_000 : 500);

	@TempDir
	Path folder;

	@Test
	void equalsTheMirrorOfThePublisherThroughARestartOfTheBrokerAndACleanUp() throws Exception {
		try (EmbeddedApiServer server = PublishingApplication.server();
				BrokerProcess broker = new BrokerProcess(this.folder, "log.cleaner.backoff.ms=200",
						// the heap of the broker is small
						"log.cleaner.dedupe.buffer.size=16777216", "log.retention.check.interval.ms=500");
				Admin admin = broker.admin()) {
			admin.createTopics(List.of(new NewTopic("widgets", 3, (short) 1)
				.configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT,
						TopicConfig.SEGMENT_MS_CONFIG, "1000", TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.01",
						TopicConfig.DELETE_RETENTION_MS_CONFIG, "1000"))))
				.all()
				.get();
			ResourceCollection widgets = server.resources("widgets");
			for (int i = 0; i < OBJECTS; i++) {
				apply(widgets, "kept-" + i, 1);
			}
			try (ConfigurableApplicationContext publisher = PublishingApplication.run(server, broker.servers(),
					"reflector.publish.kafka.topics.widgets=widgets");
					ConfigurableApplicationContext mirror = mirror(broker.servers());
					Writes writes = Writes.begin(widgets, 100, 4000, System.nanoTime())) {
				await().until(() -> mirror.getBean(Lister.class).size() >= OBJECTS);
				broker.kill();
				int before = writes.count();
				await().until(() -> writes.count() > before + 50);
				broker.start();
				int after = writes.count();
				await().until(() -> writes.count() > after + 50);
				writes.end();
				awaitEqual(publisher, mirror);
				// a key that is gone from the topic, tombstone included
				for (int i = 0; i < 100; i++) {
					widgets.delete("default", "kept-" + i);
				}
				awaitEqual(publisher, mirror);
				awaitCleanedUp(broker, widgets);
				awaitEqual(publisher, mirror);
				mirror.getBean(Reflector.class).relist();
				apply(widgets, "last", 1);
				awaitEqual(publisher, mirror);
				assertThat(mirror.getBean(Lister.class).size()).isEqualTo(widgets.size());
				try (ConfigurableApplicationContext late = mirror(broker.servers())) {
					awaitEqual(publisher, late);
				}
			}
		}
	}

	private static void apply(ResourceCollection widgets, String name, int size) {
		widgets.apply(Map.of("metadata", Map.of("namespace", "default", "name", name), "spec", Map.of("size", size)));
	}

	/** Writes to the topic until the cleaner has removed the tombstones. */
	private static void awaitCleanedUp(BrokerProcess broker, ResourceCollection widgets) {
		int[] rounds = { 0 };
		await().pollInterval(Duration.ofSeconds(1)).until(() -> {
			for (int i = 0; i < 20; i++) {
				apply(widgets, "round-" + i, rounds[0]);
			}
			rounds[0]++;
			try (PlainConsumer consumer = new PlainConsumer(broker.servers(), "widgets")) {
				return consumer.byKey().keySet().stream().noneMatch((key) -> key.matches("default/kept-\\d{1,2}"));
			}
		});
	}

	private static void awaitEqual(ConfigurableApplicationContext publisher, ConfigurableApplicationContext mirror) {
		await().untilAsserted(() -> assertThat(content(mirror)).isEqualTo(content(publisher)));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> content(ConfigurableApplicationContext application) {
		Lister<Widget> lister = application.getBean(Lister.class);
		return lister.stream()
			.collect(Collectors.toMap((widget) -> widget.metadata().name(), Widget::toString, (one, other) -> one,
					TreeMap::new));
	}

	private static ConfigurableApplicationContext mirror(String servers) {
		return new SpringApplicationBuilder(MirrorApplication.class).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.run("--spring.kafka.bootstrap-servers=" + servers, "--spring.main.banner-mode=off",
					"--spring.kafka.consumer.group-id=not-used");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	static class MirrorApplication {

		@Bean
		ListerWatcher<Widget> widgets(ConsumerFactory<?, ?> consumers) {
			return KafkaListerWatcher.builder(consumers, "widgets", Widget.class).build();
		}

	}

}
