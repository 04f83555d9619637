package dev.reflector.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.ReflectorStatus;
import dev.reflector.actuate.health.ReflectorHealthIndicator;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.MetadataAccessor;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.awaitility.Awaitility;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mirror of a topic with widgets, which looks at the topic every second.
 */
final class WidgetMirror implements AutoCloseable {

	private final SharedInformer<Widget> informer;

	private final List<Change<Widget>> changes = new CopyOnWriteArrayList<>();

	private final ReflectorHealthIndicator health;

	WidgetMirror(WidgetTopic topic) {
		this(topic.name(), Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, Broker.servers()));
	}

	/**
	 * A mirror of a topic.
	 * @param topic name of the topic
	 * @param client where the broker is, and how to log in
	 */
	WidgetMirror(String topic, Map<String, String> client) {
		Map<String, Object> consumer = new HashMap<>(client);
		consumer.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 1000);
		this.informer = SharedInformer
			.builder("widgets",
					KafkaListerWatcher.builder(new DefaultKafkaConsumerFactory<>(consumer), topic, Widget.class)
						.build(),
					MetadataAccessor.forType(Widget.class))
			.options(ReflectorOptions.builder().minWatchTimeout(Duration.ofSeconds(1)).build())
			.build();
		this.informer.addEventHandler(this.changes::add);
		this.health = new ReflectorHealthIndicator(this.informer, Duration.ZERO, Duration.ZERO, 0, Duration.ZERO,
				new SystemTimeSource(), () -> null);
		this.informer.start();
	}

	SharedInformer<Widget> informer() {
		return this.informer;
	}

	/** Types, names and sizes of the changes so far. */
	List<String> changes() {
		return this.changes.stream()
			.map((change) -> change.type() + " " + change.key().name() + " "
					+ Objects.requireNonNull(change.object().spec()).size())
			.toList();
	}

	/** Sizes by name. */
	Map<String, Integer> content() {
		Map<String, Integer> content = new TreeMap<>();
		this.informer.lister()
			.stream()
			.forEach((widget) -> content.put(widget.metadata().name(), Objects.requireNonNull(widget.spec()).size()));
		return content;
	}

	void await(Map<String, Integer> expected) {
		Awaitility.await().until(this.informer::hasSynced);
		Awaitility.await().untilAsserted(() -> assertThat(content()).isEqualTo(expected));
	}

	/** Lists again, and waits until that is done and the changes are delivered. */
	void relist() {
		long lists = this.informer.status().counts().lists();
		this.informer.relist();
		Awaitility.await().until(() -> this.informer.status().counts().lists() > lists);
	}

	/** Waits until it is down for a reason. */
	ReflectorStatus.LastError awaitDown(String reason) {
		Awaitility.await().untilAsserted(() -> {
			Health present = Objects.requireNonNull(this.health.health());
			assertThat(present.getStatus()).isEqualTo(Status.DOWN);
			assertThat(this.informer.status().lastError()).isNotNull()
				.extracting(ReflectorStatus.LastError::reason)
				.isEqualTo(reason);
		});
		return Objects.requireNonNull(this.informer.status().lastError());
	}

	void awaitUp() {
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(Objects.requireNonNull(this.health.health()).getStatus()).isEqualTo(Status.UP));
	}

	@Override
	public void close() {
		this.informer.stop().toCompletableFuture().join();
		this.informer.close();
	}

}
