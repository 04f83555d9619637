package dev.reflector.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a mirror of a topic that another application fills, while the topic is cleaned
 * up. With {@code -Dtests.full=true} or a number of objects,
 * {@code -Dtests.objects=50000}, the broker is also killed and started again.
 */
@ExtendWith(Patience.class)
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaMirrorTests {

	private static final boolean MANY = System.getProperty("tests.objects") != null;

	private static final int OBJECTS = Integer.getInteger("tests.objects", 500);

	private final String topic = Broker.topic();

	@Test
	void equalsTheMirrorOfThePublisherThroughARestartOfTheBrokerAndACleanUp() throws Exception {
		BrokerProcess broker = (MANY || Boolean.getBoolean("tests.full")) ? BrokerProcess.get() : null;
		String servers = (broker != null) ? broker.servers() : Broker.servers();
		makeTopic(servers);
		try (EmbeddedApiServer server = PublishingApplication.server()) {
			ResourceCollection widgets = server.resources("widgets");
			for (int i = 0; i < OBJECTS; i++) {
				apply(widgets, "kept-" + i, 1);
			}
			long began = System.nanoTime();
			try (ConfigurableApplicationContext publisher = PublishingApplication.run(server, servers,
					"reflector.publish.kafka.topics.widgets=" + this.topic);
					ConfigurableApplicationContext mirror = MirrorApplication.run(servers, this.topic);
					Writes writes = Writes.begin(widgets, 100, MANY ? 4000 : 20_000, System.nanoTime())) {
				await().until(() -> mirror.getBean(Lister.class).size() >= OBJECTS);
				System.out.printf("%d objects mirrored %d ms after the start of both, %d MB in use%n", OBJECTS,
						Duration.ofNanos(System.nanoTime() - began).toMillis(), megabytesInUse());
				if (broker != null) {
					broker.kill();
					awaitMore(writes);
					broker.start();
				}
				awaitMore(writes);
				writes.end();
				awaitAll(widgets, publisher);
				MirrorApplication.awaitEqual(publisher, mirror);
				// a key that is gone from the topic, tombstone included
				for (int i = 0; i < 100; i++) {
					widgets.delete("default", "kept-" + i);
				}
				awaitAll(widgets, publisher);
				MirrorApplication.awaitEqual(publisher, mirror);
				awaitCleanedUp(servers, widgets);
				MirrorApplication.awaitEqual(publisher, mirror);
				mirror.getBean(Reflector.class).relist();
				apply(widgets, "last", 1);
				awaitAll(widgets, publisher);
				MirrorApplication.awaitEqual(publisher, mirror);
				assertThat(mirror.getBean(Lister.class).size()).isEqualTo(widgets.size());
				began = System.nanoTime();
				try (ConfigurableApplicationContext late = MirrorApplication.run(servers, this.topic)) {
					MirrorApplication.awaitEqual(publisher, late);
					System.out.printf("a late mirror was equal %d ms after its start%n",
							Duration.ofNanos(System.nanoTime() - began).toMillis());
					// the end of a mirror takes the event loops of all applications with
					// it
					SpringApplication.exit(publisher);
				}
			}
		}
	}

	private void makeTopic(String servers) throws Exception {
		try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers))) {
			admin.createTopics(List.of(new NewTopic(this.topic, 3, (short) 1)
				.configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT,
						TopicConfig.SEGMENT_MS_CONFIG, "1000", TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.01",
						TopicConfig.DELETE_RETENTION_MS_CONFIG, "1000"))))
				.all()
				.get();
		}
	}

	/** Returns the memory that publisher, mirror and API server use together. */
	private static long megabytesInUse() {
		System.gc();
		Runtime runtime = Runtime.getRuntime();
		return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
	}

	/**
	 * Waits for the server's state, since publisher and mirror may be equal and both
	 * behind.
	 */
	private static void awaitAll(ResourceCollection widgets, ConfigurableApplicationContext publisher) {
		await().until(() -> publisher.getBean(Lister.class).size() == widgets.size());
	}

	private static void awaitMore(Writes writes) {
		int before = writes.count();
		await().until(() -> writes.count() > before + 50);
	}

	private static void apply(ResourceCollection widgets, String name, int size) {
		widgets.apply(Map.of("metadata", Map.of("namespace", "default", "name", name), "spec", Map.of("size", size)));
	}

	/** Writes to the topic until the cleaner has removed the tombstones. */
	private void awaitCleanedUp(String servers, ResourceCollection widgets) {
		int[] rounds = { 0 };
		await().pollInterval(Duration.ofMillis(500)).until(() -> {
			for (int i = 0; i < 20; i++) {
				apply(widgets, "round-" + i, rounds[0]);
			}
			rounds[0]++;
			try (PlainConsumer consumer = new PlainConsumer(servers, this.topic)) {
				return consumer.byKey().keySet().stream().noneMatch((key) -> key.matches("default/kept-\\d{1,2}"));
			}
		});
	}

}
