package dev.reflector.kafka;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.reflector.ObjectMeta;
import dev.reflector.ResourceType;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.client.internal.bind.JsonSnapshotCodec;
import dev.reflector.fixture.Canary;
import dev.reflector.fixture.CanaryLog;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * A random text is in the records of a topic, which another type reads than the one that
 * wrote them. It must be in nothing that is shown: what is skipped is a mark of the
 * console.
 */
@ExtendWith(Patience.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaCanaryTests {

	private final Canary canary = Canary.create();

	@Test
	void whenATypeHasChangedSinceTheTopicWasWritten() {
		String topic = Broker.topic(1, "compact");
		Queue<String> shown = new ConcurrentLinkedQueue<>();
		try (CanaryLog log = new CanaryLog(this.canary);
				KafkaProducer<String, @Nullable String> producer = new KafkaProducer<>(
						Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, Broker.servers()), new StringSerializer(),
						new StringSerializer())) {
			String text = this.canary.text();
			for (String data : List.of("{\"password\":\"" + text + "\"}", "{\"" + text + "\":\"x\"}",
					"\"" + text + "\"", text, "{\"password\":\"" + this.canary.base64() + "\"}")) {
				producer.send(new ProducerRecord<>(topic, "default/a" + data.hashCode(),
						"{\"metadata\":{\"namespace\":\"default\",\"name\":\"a" + data.hashCode()
								+ "\",\"resourceVersion\":\"1\"},\"data\":" + data + "}"));
			}
			producer.flush();
			KafkaListerWatcher<Numbers> source = KafkaListerWatcher
				.builder(
						new DefaultKafkaConsumerFactory<>(
								Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, Broker.servers())),
						topic, Numbers.class)
				.build();
			SharedInformer<Numbers> mirror = SharedInformer
				.builder("numbers", source, MetadataAccessor.forType(Numbers.class))
				.observer(new ReflectorObserver() {

					@Override
					public void skipped(SkippedObject object) {
						shown.add(object.reason());
					}

				})
				.build();
			mirror.start();
			await().until(() -> mirror.status().skipped() == 5 && shown.size() >= 5);
			shown.add(mirror.status().toString());
			mirror.stop().toCompletableFuture().join();
			mirror.close();
			assertThat(log.leaks()).isEmpty();
			assertThat(log.others()).isEmpty();
			assertThat(log.lines("dev.reflector.Reflector")).isNotEmpty();
		}
		assertThat(shown).anyMatch((reason) -> reason.contains("the value at data.* does not fit the Java type"))
			.allMatch((reason) -> this.canary.in(reason) == null);
	}

	@Test
	void whenAnObjectCannotBeWritten() {
		ChangeRecords<Broken> records = new ChangeRecords<>("topic", ResourceType.of("v1", "Broken", "brokens"),
				MetadataAccessor.forType(Broken.class),
				new JsonSnapshotCodec<>(new JsonMapper(), Broken.class, ResourceType.of("v1", "Broken", "brokens")));
		Broken broken = new Broken(ObjectMeta.of("default", "a"), this.canary.text());
		Throwable thrown = catchThrowable(
				() -> records.of(new Change<>(Change.Type.ADDED, MetadataAccessor.forType(Broken.class).key(broken),
						broken, null, "1", true, false, Change.Cause.LIST)));
		assertThat(this.canary.in(thrown)).isNull();
		assertThat(thrown).hasMessage("the Java type at secret failed with java.lang.IllegalStateException")
			.hasNoCause();
	}

	record Numbers(ObjectMeta metadata, @Nullable Map<String, Integer> data) {

	}

	/** Keeps its secret in another form, and fails to return it. */
	static class Broken {

		public ObjectMeta metadata;

		private final StringBuilder kept = new StringBuilder();

		Broken(ObjectMeta metadata, String secret) {
			this.metadata = metadata;
			setSecret(secret);
		}

		@JsonCreator
		Broken(@JsonProperty("metadata") ObjectMeta metadata) {
			this.metadata = metadata;
		}

		public String getSecret() {
			throw new IllegalStateException("cannot show " + this.kept);
		}

		public final void setSecret(String secret) {
			this.kept.append(secret);
		}

	}

}
