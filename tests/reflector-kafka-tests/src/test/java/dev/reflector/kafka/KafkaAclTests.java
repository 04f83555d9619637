package dev.reflector.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.reflector.fixture.LongFormOnly;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Publisher and mirror with the rights that {@code docs/kafka.md} names, and no others.
 */
@LongFormOnly
@ExtendWith(Patience.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaAclTests {

	private final String topic = Broker.topic();

	@Test
	void aTopicThatExistsNeedsWriteAndDescribeOfThePublisherAndReadAndDescribeOfTheMirror() throws Exception {
		BrokerProcess broker = BrokerProcess.get();
		broker.make(this.topic);
		broker.allow("publisher", this.topic, AclOperation.WRITE, AclOperation.DESCRIBE);
		broker.allow("mirror", this.topic, AclOperation.READ, AclOperation.DESCRIBE);
		assertThatWidgetsArrive(broker);
	}

	@Test
	void allRightsOfThePageAreEnoughToMakeTheTopicToReconcileAndToCheckThePolicy() throws Exception {
		BrokerProcess broker = BrokerProcess.get();
		broker.allow("publisher", this.topic, AclOperation.WRITE, AclOperation.DESCRIBE, AclOperation.CREATE,
				AclOperation.READ, AclOperation.DESCRIBE_CONFIGS);
		broker.allow("mirror", this.topic, AclOperation.READ, AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS);
		assertThatWidgetsArrive(broker, "reflector.publish.kafka.reconcile=true");
	}

	@Test
	void whatIsNotAllowedIsSaid() throws Exception {
		BrokerProcess broker = BrokerProcess.get();
		broker.make(this.topic);
		broker.allow("publisher", this.topic, AclOperation.DESCRIBE);
		broker.allow("mirror", this.topic, AclOperation.DESCRIBE);
		try (PublishedWidgets widgets = new PublishedWidgets()) {
			widgets.apply("a", 1);
			try (ConfigurableApplicationContext publisher = publish(widgets, broker);
					WidgetMirror mirror = new WidgetMirror(this.topic, broker.login("mirror"))) {
				await().untilAsserted(
						() -> assertThat(PublishedWidgets.publisher(publisher).status().lastError()).isNotNull()
							.satisfies((error) -> assertThat(error.message()).contains("Not authorized", this.topic)));
				await().untilAsserted(() -> assertThat(mirror.informer().status().lastError()).isNotNull()
					.satisfies((error) -> assertThat(error.message()).contains("Not authorized", this.topic)));
				broker.allow("publisher", this.topic, AclOperation.WRITE);
				broker.allow("mirror", this.topic, AclOperation.READ);
				mirror.await(Map.of("a", 1));
			}
		}
	}

	private void assertThatWidgetsArrive(BrokerProcess broker, String... properties) {
		try (PublishedWidgets widgets = new PublishedWidgets()) {
			widgets.apply("a", 1);
			try (ConfigurableApplicationContext publisher = publish(widgets, broker, properties)) {
				await().until(() -> PublishedWidgets.publisher(publisher).status().added() == 1);
				try (WidgetMirror mirror = new WidgetMirror(this.topic, broker.login("mirror"))) {
					mirror.await(Map.of("a", 1));
					widgets.apply("a", 2);
					mirror.await(Map.of("a", 2));
					mirror.awaitUp();
				}
				assertThat(PublishedWidgets.health(publisher).getStatus()).isEqualTo(Status.UP);
			}
		}
	}

	private ConfigurableApplicationContext publish(PublishedWidgets widgets, BrokerProcess broker,
			String... properties) {
		Map<String, String> login = broker.login("publisher");
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("reflector.publish.kafka.topics.widgets=" + this.topic);
		login.forEach((name, value) -> all.add("spring.kafka.properties." + name + "=" + value));
		return PublishingApplication.run(widgets.server(), login.get("bootstrap.servers"), all.toArray(String[]::new));
	}

}
