package dev.reflector.docs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.AppliedResource;
import dev.reflector.write.ApplyOptions;
import dev.reflector.write.ResourceWriter;
import io.micrometer.core.instrument.MeterRegistry;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.awaitility.Awaitility.await;

/**
 * An application that has every part of the library, with a server that has one object.
 * The broker of its publisher does not answer.
 */
final class ReferenceApplication implements AutoCloseable {

	private final EmbeddedApiServer server;

	private final ConfigurableApplicationContext context;

	private ReferenceApplication(EmbeddedApiServer server, ConfigurableApplicationContext context) {
		this.server = server;
		this.context = context;
	}

	static ReferenceApplication start(Path directory) {
		EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.start();
		server.resources("widgets").create(Map.of("metadata", Map.of("name", "a"), "spec", Map.of("size", 1)));
		ConfigurableApplicationContext context = new SpringApplicationBuilder(TestConfiguration.class)
			.bannerMode(Banner.Mode.OFF)
			.properties(Map.ofEntries(Map.entry("server.port", "0"), Map.entry("spring.application.name", "reference"),
					Map.entry("spring.reactor.netty.shutdown-quiet-period", "0s"),
					Map.entry("management.endpoints.web.exposure.include", "*"),
					Map.entry("management.endpoint.reflectors.access", "unrestricted"),
					Map.entry("management.endpoint.health.show-components", "always"),
					Map.entry("reflector.api-server.url", server.url()),
					Map.entry("reflector.api-server.namespace", "default"),
					Map.entry("reflector.leader-election.enabled", "true"),
					Map.entry("reflector.writes.mode", "dry-run"), Map.entry("reflector.sharding.enabled", "true"),
					Map.entry("reflector.sharding.assignment", "dynamic"),
					Map.entry("reflector.snapshot.enabled", "true"),
					Map.entry("reflector.snapshot.accept-loss", "true"),
					Map.entry("reflector.snapshot.jdbc.file", directory.resolve("mirror.db")),
					Map.entry("reflector.publish.kafka.topics.widgets", "widgets"),
					Map.entry("reflector.publish.kafka.start-timeout", "1ms"),
					Map.entry("spring.kafka.bootstrap-servers", "127.0.0.1:1"),
					// nothing waits long for the broker when it stops, nor for who waits
					// for it
					Map.entry("spring.lifecycle.timeout-per-shutdown-phase", "1s"),
					Map.entry("spring.kafka.producer.properties.max.block.ms", "500"),
					Map.entry("reflector.events.drain-timeout", "1s"),
					Map.entry("logging.level.org.apache.kafka", "off")))
			.run();
		return new ReferenceApplication(server, context);
	}

	void awaitMirror() {
		await().atMost(Duration.ofSeconds(60)).until(() -> {
			ReflectorStatus status = this.context.getBean(Reflector.class).status();
			// otherwise there is nothing to compare the mirror with
			return status.size() == 1 && status.state() == ReflectorState.WATCHING;
		});
	}

	/** Meters of writes are made with the first one. */
	MeterRegistry meters() {
		this.context.getBean(ResourceWriter.class)
			.apply(new WidgetSize(AppliedMeta.named("default", "a"), new WidgetSize.Spec(2)),
					ApplyOptions.defaults().withForce());
		return this.context.getBean(MeterRegistry.class);
	}

	/** The answer of an endpoint. */
	JsonNode get(String path) throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder(uri(path)).build());
	}

	/** The answer to an order. */
	JsonNode order(String path, String action) throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder(uri(path))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("{\"action\":\"" + action + "\"}"))
			.build());
	}

	private URI uri(String path) {
		return URI.create("http://localhost:" + this.context.getEnvironment().getProperty("local.server.port")
				+ "/actuator/" + path);
	}

	private static JsonNode send(HttpRequest request) throws IOException, InterruptedException {
		return JsonMapper.shared().readTree(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
	}

	@Override
	public void close() {
		this.context.close();
		this.server.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	static class TestConfiguration {

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Widget")
	record WidgetSize(AppliedMeta metadata, Spec spec) {

		record Spec(Integer size) {

		}

	}

	@ReflectedResource(apiVersion = "example.com/v1")
	record Widget(ObjectMeta metadata, Spec spec) {

		record Spec(int size) {

		}

	}

}
