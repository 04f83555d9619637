package dev.reflector.models.stored;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.ReflectorStatus;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.event.ResourceEvent;
import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.EmbeddedApiServer;
import io.kubernetes.client.openapi.models.V1Pod;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * After a restart, a mirror has the objects that the server has sent, whatever the
 * application has its own JSON look like, and one object does not stop the others. Each
 * test starts two applications.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class RestartedContentTests {

	private static final List<String> SETTINGS = List.of("spring.jackson.default-property-inclusion=non_empty",
			"spring.jackson.serialization.wrap-root-value=true",
			"spring.jackson.serialization.write-single-elem-arrays-unwrapped=true",
			"spring.jackson.json.write.write-numbers-as-strings=true",
			"spring.jackson.datatype.datetime.write-dates-as-timestamps=true",
			"spring.jackson.datatype.datetime.write-date-timestamps-as-nanoseconds=false");

	@TempDir
	private Path directory;

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Sample", "samples", true)
		.type("example.com/v1", "Credentials", "credentials", true)
		.type("v1", "Pod", "pods", true)
		.start();

	@AfterEach
	void stopServer() {
		this.server.close();
	}

	private ConfigurableApplicationContext run(Class<?> application, String... more) {
		List<String> arguments = new ArrayList<>(List.of("--reflector.api-server.url=" + this.server.url(),
				"--reflector.snapshot.enabled=true", "--reflector.events.on-error=stop",
				"--reflector.snapshot.jdbc.file=" + this.directory.resolve("mirror.db"),
				"--spring.main.banner-mode=off", "--spring.reactor.netty.shutdown-quiet-period=0s",
				"--spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName()));
		for (String property : more) {
			arguments.add("--" + property);
		}
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.run(arguments.toArray(String[]::new));
	}

	private static void awaitStored(ConfigurableApplicationContext application) {
		application.getBeanProvider(SharedInformer.class).stream().forEach((informer) -> {
			Awaitility.await().until(informer::hasSynced);
			Awaitility.await().until(() -> {
				ReflectorStatus.Durability snapshot = Objects.requireNonNull(informer.durability());
				return snapshot.behindSince() == null && snapshot.commitTook() != null;
			});
		});
	}

	private static List<Object> mirrored(ConfigurableApplicationContext application, Class<?>... types) {
		List<Object> objects = new ArrayList<>();
		for (Class<?> type : types) {
			application.<Lister<?>>getBeanProvider(ResolvableType.forClassWithGenerics(Lister.class, type))
				.getObject()
				.stream()
				.sorted((one, other) -> one.toString().compareTo(other.toString()))
				.forEach(objects::add);
		}
		return objects;
	}

	private void create(String plural, String json) {
		this.server.resources(plural).create(json.replace('\'', '"'));
	}

	/** Both with {@code -Dtests.full=true}. */
	static Stream<Boolean> slots() {
		return Stream.of(true, false).limit(LongForm.atMost(1));
	}

	@ParameterizedTest
	@LongFormOnly
	@MethodSource("slots")
	void objectsAreAsTheServerHasSentThem(boolean slots) {
		create("samples", "{'metadata':{'name':'a'},'list':[],'text':'','replicas':0,'any':{'port':8080},'one':['x'],"
				+ "'at':'2026-01-31T12:00:00.123456789Z','map':{'k':null}}");
		create("credentials", "{'metadata':{'name':'a'},'data':{'password':'geheim'}}");
		List<String> settings = new ArrayList<>(SETTINGS);
		if (slots) {
			settings.addAll(List.of("reflector.sharding.enabled=true", "reflector.sharding.count=1",
					"reflector.sharding.index=0", "reflector.sharding.leases.enabled=false"));
		}
		String[] properties = settings.toArray(String[]::new);
		List<Object> before;
		try (ConfigurableApplicationContext first = run(Declared.class, properties)) {
			awaitStored(first);
			before = mirrored(first, Sample.class, Credentials.class);
		}
		try (ConfigurableApplicationContext second = run(Declared.class, properties)) {
			second.getBeanProvider(SharedInformer.class)
				.stream()
				.forEach((informer) -> Awaitility.await().until(informer::hasSynced));
			List<Object> after = mirrored(second, Sample.class, Credentials.class);
			assertThat(before).hasSize(2);
			assertThat(SameComponents.difference(before, after)).isNull();
			assertThat(second.getBean(Heard.class).events).isEmpty();
		}
	}

	@Test
	@LongFormOnly
	void deletionsAreDeliveredBesidePodsOfTheOfficialClient() {
		create("pods", "{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c','livenessProbe':"
				+ "{'httpGet':{'port':8080}},'resources':{'limits':{'cpu':'500m'}}}]}}");
		create("pods", "{'metadata':{'name':'b'},'spec':{'containers':[{'name':'c'}]}}");
		List<Object> before;
		try (ConfigurableApplicationContext first = run(Official.class)) {
			awaitStored(first);
			before = mirrored(first, V1Pod.class);
		}
		this.server.resources("pods").delete("default", "b");
		try (ConfigurableApplicationContext second = run(Official.class)) {
			Heard heard = second.getBean(Heard.class);
			Awaitility.await().untilAsserted(() -> assertThat(heard.events).containsExactly("DELETED b"));
			assertThat(SameComponents.difference(before.subList(0, 1), mirrored(second, V1Pod.class))).isNull();
		}
	}

	@Test
	void whatCannotBeWrittenFailsTheStart(CapturedOutput output) {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> run(Unwritable.class).close());
		assertThat(output).contains("APPLICATION FAILED TO START", "'reflector.snapshot.enabled'",
				Shapes.ReadOnlyByApplication.class.getName(), "'spec.hours'", "there is no serializer for it",
				"@JsonSerialize", "a field or a getter");
	}

	@Test
	@LongFormOnly
	void suspendFunctionsOfKotlinAreNamed(CapturedOutput output) {
		run(Suspending.class).close();
		assertThat(output).contains("The listener " + SuspendingListener.class.getName() + ".changed returns before "
				+ "its work is done: it is a suspend function, which returns at its first suspension");
	}

	record Sample(ObjectMeta metadata, List<String> list, String text, Integer replicas, Object any, List<String> one,
			Instant at, Map<String, @Nullable String> map) {

	}

	record Credentials(ObjectMeta metadata,
			@JsonProperty(access = JsonProperty.Access.WRITE_ONLY) Map<String, String> data) {

		@Override
		public String toString() {
			return "credentials";
		}

	}

	/** Records the delivered events. */
	static class Heard {

		private final List<String> events = new CopyOnWriteArrayList<>();

		@EventListener
		void on(ResourceEvent<?> event) {
			this.events.add(event.getClass().getSimpleName().replaceAll("Resource|Event", "").toUpperCase() + " "
					+ event.key().name());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Declared {

		@Bean
		static ReflectedResourceRegistration<Sample> samples() {
			return ReflectedResourceRegistration.of(Sample.class, "example.com/v1");
		}

		@Bean
		static ReflectedResourceRegistration<Credentials> credentials() {
			return ReflectedResourceRegistration.of(Credentials.class, "example.com/v1").withName("credentials");
		}

		@Bean
		Heard heard() {
			return new Heard();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Official {

		@Bean
		static ReflectedResourceRegistration<V1Pod> pods() {
			return ReflectedResourceRegistration.of(V1Pod.class, "v1", "Pod");
		}

		@Bean
		Heard heard() {
			return new Heard();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Suspending {

		@Bean
		static ReflectedResourceRegistration<Sample> samples() {
			return ReflectedResourceRegistration.of(Sample.class, "example.com/v1");
		}

		@Bean
		SuspendingListener listener() {
			return new SuspendingListener();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Unwritable {

		@Bean
		static ReflectedResourceRegistration<Shapes.ReadOnlyByApplication> unwritable() {
			return ReflectedResourceRegistration.of(Shapes.ReadOnlyByApplication.class, "example.com/v1", "Sample");
		}

	}

}
