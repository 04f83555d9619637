package dev.reflector.kafka;

import java.util.List;
import java.util.Map;

import dev.reflector.Reflector;
import dev.reflector.fixture.LongFormOnly;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the records that an application publishes, with Kafka's own consumer.
 */
@ExtendWith(Patience.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaPublisherTests {

	private final PublishedWidgets widgets = new PublishedWidgets();

	@AfterEach
	void stopServer() {
		this.widgets.close();
	}

	@Test
	void eachChangeIsARecordWithTheKeyOfTheObjectAndATombstoneForADeletion() {
		String topic = Broker.topic();
		this.widgets.apply("a", 1);
		try (ConfigurableApplicationContext application = this.widgets.publish(topic);
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			await().until(() -> consumer.read().size() == 1);
			this.widgets.apply("a", 2);
			String uid = this.widgets.collection().get("default", "a").orElseThrow().at("/metadata/uid").asString();
			this.widgets.collection().delete("default", "a");
			await().until(() -> consumer.read().size() == 3);
			List<PlainConsumer.Entry> entries = consumer.read();
			assertThat(entries).extracting(PlainConsumer.Entry::key).containsOnly("default/a");
			assertThat(entries).extracting((entry) -> entry.header("reflector_type"))
				.containsExactly("ADDED", "UPDATED", "DELETED");
			assertThat(entries).extracting((entry) -> entry.header("reflector_cause"))
				.containsExactly("LIST", "WATCH", "WATCH");
			assertThat(entries).extracting(PlainConsumer.Entry::version).isSorted().doesNotHaveDuplicates();
			assertThat(entries.get(2).version()).isEqualTo(Long.parseLong(this.widgets.server().resourceVersion()));
			assertThat(entries).allSatisfy((entry) -> {
				assertThat(entry.header("reflector_uid")).isEqualTo(uid);
				assertThat(entry.header("reflector_apiVersion")).isEqualTo("example.com/v1");
				assertThat(entry.header("reflector_kind")).isEqualTo("Widget");
			});
			assertThat(entries.get(1).value()).contains("\"size\":2", "\"name\":\"a\"");
			assertThat(entries.get(2).value()).isNull();
			// a consumer may have a record before its acknowledgement has arrived
			await().untilAsserted(() -> {
				PublisherStatus status = PublishedWidgets.publisher(application).status();
				assertThat(status.inFlight()).isZero();
				assertThat(List.of(status.added(), status.updated(), status.deleted())).containsExactly(1L, 1L, 1L);
			});
		}
	}

	@Test
	void aResyncPublishesEverythingAgain() throws Exception {
		String topic = Broker.topic();
		this.widgets.apply("a", 1);
		try (ConfigurableApplicationContext application = this.widgets.publish(topic)) {
			try (PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
				await().until(() -> consumer.read().size() == 1);
				application.getBean(Reflector.class).resync();
				await().until(() -> consumer.read().size() == 2);
				assertThat(consumer.read().get(1).header("reflector_cause")).isEqualTo("RESYNC");
			}
			// a topic that the publisher has made is replaced before the first check
			try (WidgetTopic other = new WidgetTopic(topic)) {
				other.delete();
				other.makeAgain(1, "compact");
			}
			PublishedWidgets.publisher(application).checkTopic();
			assertThat(PublishedWidgets.publisher(application).topicProblem()).startsWith("was deleted and made again");
		}
	}

	/** As around a checkpoint. */
	@Test
	@LongFormOnly
	void aContextThatIsStoppedAndStartedPublishesWhatHasChanged() {
		String topic = Broker.topic();
		this.widgets.apply("a", 1);
		this.widgets.apply("b", 1);
		try (ConfigurableApplicationContext application = this.widgets.publish(topic);
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			await().until(() -> consumer.read().size() == 2);
			application.stop();
			this.widgets.collection().delete("default", "a");
			this.widgets.apply("c", 1);
			application.start();
			await().until(() -> consumer.read().size() == 4);
			assertThat(consumer.content()).containsOnlyKeys("default/b", "default/c");
			this.widgets.apply("b", 2);
			await().until(() -> consumer.read().size() == 5);
		}
	}

	@Test
	void withReconcileWhatIsGoneIsDeletedFromTheTopicAndNothingElse() {
		String topic = Broker.topic();
		this.widgets.apply("gone", 1);
		this.widgets.apply("here", 1);
		this.widgets.apply("unreadable", 1);
		try (ConfigurableApplicationContext application = this.widgets.publish(topic);
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			assertThat(application.isActive()).isTrue();
			await().until(() -> consumer.content().size() == 3);
		}
		this.widgets.collection().delete("default", "gone");
		try (ConfigurableApplicationContext application = this.widgets.publish(topic);
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			assertThat(application.isActive()).isTrue();
			await().until(() -> consumer.read().size() == 5);
			assertThat(consumer.content()).containsOnlyKeys("default/gone", "default/here", "default/unreadable");
		}
		this.widgets.collection()
			.apply(Map.of("metadata", Map.of("namespace", "default", "name", "unreadable"), "spec",
					Map.of("size", "x")));
		try (WidgetTopic later = new WidgetTopic(topic)) {
			// as from a publisher whose API server was ahead of the one that is read now
			later.put("ahead", "u", Integer.parseInt(this.widgets.server().resourceVersion()) + 1, 1);
		}
		try (ConfigurableApplicationContext application = this.widgets.publish(topic,
				"reflector.publish.kafka.reconcile=true");
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			await().until(() -> !consumer.content().containsKey("default/gone"));
			this.widgets.apply("ahead", 2);
			// the publisher handles this change after the comparison
			this.widgets.apply("last", 1);
			await().until(() -> consumer.content().containsKey("default/last")
					&& PublishedWidgets.publisher(application).status().inFlight() == 0);
			assertThat(consumer.content()).containsOnlyKeys("default/ahead", "default/here", "default/last",
					"default/unreadable");
			List<PlainConsumer.Entry> deletions = consumer.read()
				.stream()
				.filter((entry) -> entry.value() == null)
				.toList();
			assertThat(deletions).extracting(PlainConsumer.Entry::key).containsExactly("default/gone");
			assertThat(deletions.get(0).header("reflector_cause")).isEqualTo("RECONCILED");
		}
	}

}
