package dev.reflector.canary;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.fixture.Canary;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.AppliedResource;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;

/**
 * An application that mirrors Secrets in several types, and everything that it shows of
 * them but its log.
 */
final class CanaryApplication implements AutoCloseable {

	final ConfigurableApplicationContext context;

	private CanaryApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Starts one.
	 * @param web whether it serves the console
	 * @param initializer prepares the context
	 * @param types the types of its Secrets, by the names of their reflectors
	 * @param properties its properties
	 * @return the application
	 */
	static CanaryApplication start(boolean web, ApplicationContextInitializer<?> initializer,
			Map<String, Class<?>> types, List<String> properties) {
		List<String> all = new ArrayList<>(properties);
		all.addAll(List.of("spring.reactor.netty.shutdown-quiet-period=0s", "reflector.startup.wait-for-sync=false",
				"reflector.backoff.initial=20ms", "reflector.backoff.max=20ms", "server.port=0",
				"server.address=127.0.0.1", "spring.main.banner-mode=off",
				"management.prometheus.metrics.export.enabled=false",
				"management.endpoints.jmx.exposure.include=reflectors", "spring.jmx.enabled=true"));
		if (!web) {
			all.add(UnrelatedAutoConfigurations.EXCLUDED);
		}
		return new CanaryApplication(new SpringApplicationBuilder(Listeners.class)
			.web(web ? WebApplicationType.REACTIVE : WebApplicationType.NONE)
			.initializers(initializer,
					(context) -> types
						.forEach((name, type) -> register((GenericApplicationContext) context, name, type)))
			.run(all.stream().map((property) -> "--" + property).toArray(String[]::new)));
	}

	private static <T> void register(GenericApplicationContext context, String name, Class<T> type) {
		context.registerBean(name + "-registration", ReflectedResourceRegistration.class,
				() -> ReflectedResourceRegistration.of(type, "v1", "Secret").withName(name));
	}

	Reflector<?> reflector(String name) {
		return reflectors().filter((reflector) -> reflector.name().equals(name)).findFirst().orElseThrow();
	}

	Stream<Reflector<?>> reflectors() {
		return this.context.getBeansOfType(Reflector.class)
			.values()
			.stream()
			.map((reflector) -> (Reflector<?>) reflector);
	}

	/** Returns the texts that the application shows now, each with its source. */
	List<String> shown() throws Exception {
		List<String> shown = new ArrayList<>();
		ReflectorsEndpoint endpoint = this.context.getBean(ReflectorsEndpoint.class);
		shown.add(JsonMapper.shared().writeValueAsString(endpoint.reflectors()));
		for (Reflector<?> reflector : reflectors().toList()) {
			shown.add(reflector + " " + reflector.status() + " " + reflector.durability());
			shown.add(String.valueOf(reflector.verify().toCompletableFuture().get(60, TimeUnit.SECONDS)));
			shown.add(JsonMapper.shared().writeValueAsString(endpoint.act(reflector.name(), "verify")));
		}
		this.context.getBeansOfType(HealthIndicator.class)
			.forEach((name, health) -> shown.add(name + " " + health.health(true).getDetails()));
		this.context.getBeansOfType(MeterRegistry.class)
			.values()
			.forEach((registry) -> registry.forEachMeter((meter) -> shown.add(meter.getId().toString())));
		for (String name : this.context.getBeanDefinitionNames()) {
			Object bean = this.context.getBean(name);
			if (bean.getClass().getName().startsWith("dev.reflector")) {
				shown.add(name + " " + bean);
			}
		}
		shown.addAll(this.context.getBean(Listeners.class).events);
		return shown;
	}

	/** An answer over HTTP. */
	String get(String path) throws Exception {
		String port = this.context.getEnvironment().getProperty("local.server.port");
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
					BodyHandlers.ofString())
			.body();
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** Returns the places of the canary in the shown texts. */
	static List<String> leaks(Canary canary, List<String> shown) {
		return shown.stream().map(canary::in).filter((found) -> found != null).toList();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Listeners {

		final Queue<String> events = new ConcurrentLinkedQueue<>();

		@EventListener
		void on(Object event) {
			if (event.getClass().getName().startsWith("dev.reflector")) {
				this.events.add(event.toString());
			}
		}

	}

	/** A Secret with its texts. */
	record Texts(ObjectMeta metadata, @Nullable Map<String, String> data) {

	}

	/** The applied Secret. */
	@AppliedResource(apiVersion = "v1", kind = "Secret", manager = "canary")
	record Applied(AppliedMeta metadata, Map<String, String> data) {

	}

	/** The values are no numbers. */
	record Numbers(ObjectMeta metadata, @Nullable Map<String, Integer> data) {

	}

	/** The keys are no numbers. */
	record Keys(ObjectMeta metadata, @Nullable Map<Integer, String> data) {

	}

	/** The values are none of these. */
	record Choices(ObjectMeta metadata, @Nullable Map<String, TimeUnit> data) {

	}

	/** Refuses its values, and quotes them. */
	record Refusing(ObjectMeta metadata, @Nullable Map<String, String> data) {

		Refusing {
			if (data != null) {
				throw new IllegalArgumentException("not " + data);
			}
		}

	}

	/** Has metadata only without values, and quotes them. */
	record Quoting(ObjectMeta metadata, @Nullable Map<String, String> data) {

		@Override
		public ObjectMeta metadata() {
			if (this.data != null) {
				throw new IllegalArgumentException("not " + this.data);
			}
			return this.metadata;
		}

	}

	/** A class with properties that it does not declare. */
	static final class Open {

		public ObjectMeta metadata;

		public Parts data;

		static final class Parts {

			@JsonAnySetter
			void set(String name, int value) {
				throw new IllegalArgumentException(name + " has " + value);
			}

		}

	}

}
