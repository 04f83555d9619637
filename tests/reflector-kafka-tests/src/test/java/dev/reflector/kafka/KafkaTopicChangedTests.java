package dev.reflector.kafka;

import java.nio.file.Path;
import java.util.Map;

import dev.reflector.Reflector;
import dev.reflector.fixture.LongFormOnly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A topic that is deleted, made again or no longer compacted, while it is published to
 * and mirrored from.
 */
@ExtendWith(Patience.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaTopicChangedTests {

	@Test
	void aMirrorKeepsItsObjectsAndIsDownWhenTheTopicIsDeletedAndMadeAgain() throws Exception {
		try (WidgetTopic topic = new WidgetTopic(1); WidgetMirror mirror = new WidgetMirror(topic)) {
			topic.put("a", "u", 1, 1);
			topic.put("b", "v", 2, 2);
			mirror.await(Map.of("a", 1, "b", 2));
			topic.delete();
			topic.makeAgain(1, "delete");
			// another publisher has changed these objects since, up to the same offsets:
			// the mirror would read a later record if it came before the next check
			topic.put("b", "v", 3, 3);
			topic.put("c", "w", 4, 4);
			assertThat(mirror.awaitDown("TopicChanged").message()).contains(topic.name(), "deleted and made again",
					"cleanup.policy=delete", "keeps the objects", "Reflector.resync()");
			assertThat(mirror.content()).isEqualTo(Map.of("a", 1, "b", 2));
			mirror.informer().relist();
			mirror.awaitDown("TopicChanged");
			assertThat(mirror.changes()).containsExactlyInAnyOrder("ADDED a 1", "ADDED b 2");
		}
	}

	@Test
	@LongFormOnly
	void aMirrorIsDownWhileTheTopicIsNotCompacted() throws Exception {
		try (WidgetTopic topic = new WidgetTopic(1); WidgetMirror mirror = new WidgetMirror(topic)) {
			topic.put("a", "u", 1, 1);
			mirror.await(Map.of("a", 1));
			topic.policy("compact,delete");
			assertThat(mirror.awaitDown("TopicChanged").message()).contains(topic.name(),
					"has cleanup.policy=compact,delete");
			assertThat(mirror.content()).isEqualTo(Map.of("a", 1));
			topic.policy("compact");
			topic.put("a", "u", 2, 2);
			mirror.await(Map.of("a", 2));
			mirror.awaitUp();
		}
	}

	@Test
	@LongFormOnly
	void aPublisherIsDownUntilEverythingIsPublishedAgain() throws Exception {
		try (PublishedWidgets widgets = new PublishedWidgets(); WidgetTopic topic = new WidgetTopic(Broker.topic())) {
			widgets.apply("a", 1);
			try (ConfigurableApplicationContext application = widgets.publish(topic.name(),
					"spring.kafka.properties.metadata.max.age.ms=1000")) {
				await().until(() -> PublishedWidgets.publisher(application).status().added() == 1);
				assertThat(PublishedWidgets.health(application).getStatus()).isEqualTo(Status.UP);
				topic.policy("delete");
				awaitDown(application, "has cleanup.policy=delete");
				topic.policy("compact");
				awaitUp(application);
				topic.delete();
				awaitDown(application, "was deleted");
				topic.makeAgain(1, "compact");
				awaitDown(application, "was deleted and made again");
				// a change of one object is not all of them
				widgets.apply("b", 1);
				await().until(() -> PublishedWidgets.publisher(application).status().added() == 2);
				awaitDown(application, "was deleted and made again");
				assertThat(PublishedWidgets.publisher(application).status().lastError()).isNotNull()
					.satisfies((error) -> assertThat(error.message()).contains(topic.name(), "Reflector.resync()"));
				application.getBean(Reflector.class).resync();
				awaitUp(application);
				try (PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic.name())) {
					await()
						.untilAsserted(() -> assertThat(consumer.content()).containsOnlyKeys("default/a", "default/b"));
				}
			}
		}
	}

	@Test
	@LongFormOnly
	void aDurablePublisherFillsATopicThatIsNewToIt(@TempDir Path folder) {
		String[] durable = { "reflector.snapshot.enabled=true",
				"reflector.snapshot.jdbc.file=" + folder.resolve("reflectors.db"), "reflector.events.on-error=stop" };
		String former = Broker.topic();
		try (PublishedWidgets widgets = new PublishedWidgets();
				WidgetTopic topic = new WidgetTopic(1);
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic.name())) {
			widgets.apply("a", 1);
			widgets.apply("b", 1);
			try (ConfigurableApplicationContext application = widgets.publish(former, durable)) {
				await().until(() -> PublishedWidgets.publisher(application).status().added() == 2);
			}
			// as from a publisher that was killed after its first record
			topic.put("a", "u", 1, 1);
			try (ConfigurableApplicationContext application = widgets.publish(topic.name(), durable)) {
				await().until(() -> PublishedWidgets.publisher(application).status().updated() == 2);
				assertThat(consumer.content()).containsOnlyKeys("default/a", "default/b");
			}
			try (ConfigurableApplicationContext application = widgets.publish(topic.name(), durable)) {
				widgets.apply("c", 1);
				await().until(() -> PublishedWidgets.publisher(application).status().added() == 1);
				assertThat(consumer.read()).hasSize(4);
			}
			try (PlainConsumer old = new PlainConsumer(Broker.servers(), former)) {
				assertThat(old.read()).hasSize(2);
			}
		}
	}

	@Test
	@LongFormOnly
	void reconcileDeletesInThePartitionThatHasTheObject() throws Exception {
		try (PublishedWidgets widgets = new PublishedWidgets(); WidgetTopic topic = new WidgetTopic(1)) {
			for (int i = 0; i < 8; i++) {
				topic.put("gone" + i, "u" + i, 1, 1);
			}
			topic.addPartitions(4);
			widgets.apply("here", 1);
			try (ConfigurableApplicationContext application = widgets.publish(topic.name(),
					"reflector.publish.kafka.reconcile=true")) {
				await().until(() -> PublishedWidgets.publisher(application).status().deleted() == 8);
				try (WidgetMirror mirror = new WidgetMirror(topic)) {
					mirror.await(Map.of("here", 1));
				}
			}
		}
	}

	private static void awaitDown(ConfigurableApplicationContext application, String problem) {
		await().untilAsserted(() -> {
			Health health = PublishedWidgets.health(application);
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails()).hasEntrySatisfying("topicProblem",
					(text) -> assertThat(text.toString()).startsWith(problem));
		});
	}

	private static void awaitUp(ConfigurableApplicationContext application) {
		await().untilAsserted(() -> assertThat(PublishedWidgets.health(application).getStatus()).isEqualTo(Status.UP));
	}

}
