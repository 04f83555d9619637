package dev.reflector.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.reflector.ObjectMeta;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.EmbeddedApiServer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.ser.std.StdSerializer;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Tests components that an application hides from its own JSON. They are published only
 * if nothing indicates that they must stay off the topic.
 */
@ExtendWith(Patience.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaHiddenComponentTests {

	private static final String ALL = "writeOnly,setters.password,masked,spec.secret";

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Vault", "vaults", true)
		.type("example.com/v1", "Widget", "widgets", true)
		.start();

	@AfterEach
	void stopServer() {
		this.server.close();
	}

	private ConfigurableApplicationContext publish(String topic, String... more) {
		List<String> properties = new ArrayList<>(List.of(more));
		properties.add("reflector.publish.kafka.topics.vaults=" + topic);
		properties.add("spring.jackson.default-property-inclusion=non_empty");
		return PublishingApplication.run(List.of(PublishingApplication.class, Vaults.class), this.server,
				Broker.servers(), properties.toArray(String[]::new));
	}

	private FailureAnalysis analysis(String... properties) {
		Throwable failure = catchThrowable(() -> publish(Broker.topic(), properties).close());
		while (!(failure instanceof KafkaTopicException) && failure != null) {
			failure = failure.getCause();
		}
		return Objects.requireNonNull(new KafkaTopicFailureAnalyzer().analyze(Objects.requireNonNull(failure)));
	}

	@Test
	void hiddenComponentsFailTheStart() {
		FailureAnalysis analysis = analysis();
		assertThat(analysis.getDescription())
			.contains("'vaults'", "hides from its own JSON, by an annotation or a serializer: ")
			.contains(ALL.split(","))
			.doesNotContain("text");
		assertThat(analysis.getAction()).contains("reflector.publish.kafka.omit.vaults=");
	}

	@ParameterizedTest
	@LongFormOnly
	@CsvSource(delimiter = '|',
			value = { "omit.vaults=" + ALL + ",nonsense | nonsense",
					"omit.vaults=" + ALL + ",metadata | what mirrors of the topic need: metadata",
					"omit.volts=text | omit.volts", "omit.vaults=masked | writeOnly" })
	void whatIsOmittedHasToBeThere(String property, String problem) {
		assertThat(analysis("reflector.publish.kafka." + property).getDescription()).contains(problem);
	}

	@Test
	@LongFormOnly
	void whatIsOmittedIsNotOnTheTopicAndAllElseIs() {
		String topic = Broker.topic();
		this.server.resources("vaults")
			.apply(Map.of("metadata", Map.of("namespace", "default", "name", "a"), "text", "", "list", List.of(),
					"count", 0, "writeOnly", "geheim", "setters", Map.of("password", "geheim", "user", "u"), "masked",
					"geheim", "spec", Map.of("secret", "geheim", "shown", "s")));
		try (ConfigurableApplicationContext application = publish(topic,
				"reflector.publish.kafka.omit.vaults=" + ALL.replace("setters.password", "password"));
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			await().until(() -> consumer.read().size() == 1);
			assertThat(application.isActive()).isTrue();
			assertThat(consumer.read().get(0).value()).doesNotContain("geheim", "masked", "***")
				.contains("\"text\":\"\"", "\"list\":[]", "\"count\":0", "\"user\":\"u\"", "\"shown\":\"s\"");
			try (SharedInformer<Vault> mirror = mirror(topic)) {
				mirror.start();
				await().until(mirror::hasSynced);
				Vault vault = mirror.lister().stream().findFirst().orElseThrow();
				assertThat(List.of(vault.text(), vault.list(), vault.count())).containsExactly("", List.of(), 0);
				assertThat(vault.writeOnly()).isNull();
				assertThat(vault.masked()).isNull();
				assertThat(Objects.requireNonNull(vault.setters()).password()).isNull();
				assertThat(Objects.requireNonNull(vault.spec()).secret).isNull();
				mirror.stop().toCompletableFuture().join();
			}
		}
	}

	private static SharedInformer<Vault> mirror(String topic) {
		return SharedInformer
			.builder("vaults",
					KafkaListerWatcher
						.builder(
								new DefaultKafkaConsumerFactory<>(
										Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, Broker.servers())),
								topic, Vault.class)
						.build(),
					MetadataAccessor.forType(Vault.class))
			.build();
	}

	record Vault(ObjectMeta metadata, String text, List<String> list, Integer count,
			@Nullable @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String writeOnly,
			@Nullable Setters setters, @Nullable @JsonSerialize(using = Stars.class) String masked,
			@Nullable Spec spec) {

	}

	@JsonIgnoreProperties(value = "password", allowSetters = true)
	record Setters(@Nullable String password, String user) {

	}

	/** The secret can be written, but not read. */
	static class Spec {

		private @Nullable String secret;

		public @Nullable String shown;

		@JsonIgnore
		public @Nullable String getSecret() {
			return this.secret;
		}

		@JsonProperty
		public void setSecret(@Nullable String secret) {
			this.secret = secret;
		}

	}

	/** A serializer that masks. */
	static final class Stars extends StdSerializer<String> {

		Stars() {
			super(String.class);
		}

		@Override
		public void serialize(String value, JsonGenerator out, SerializationContext context) {
			out.writeString("***");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Vaults {

		@Bean
		static ReflectedResourceRegistration<Vault> vaults() {
			return ReflectedResourceRegistration.of(Vault.class, "example.com/v1");
		}

	}

}
