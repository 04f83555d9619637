package dev.reflector.autoconfigure.internal.diagnosis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.reflector.ObjectMeta;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.cache.source.ListerWatcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TypeSchemaCheckTests {

	private static final String MISSPELT = Misspelt.class.getName()
			+ " does not fit the server's schema of example.com/v1 Widget: "
			+ "'spec.replicsa' is not in the schema (did you mean 'replicas'?); "
			+ "'spec.size' is a string in the schema, which cannot be read into int";

	private final List<String> asked = new CopyOnWriteArrayList<>();

	private int status = 200;

	private volatile int listStatus = 200;

	private HttpServer server;

	private ApplicationContextRunner runner;

	@BeforeEach
	void serve() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/apis/example.com/v1/widgets", this::answer);
		this.server.createContext("/openapi/", this::describe);
		this.server.start();
		this.runner = ReflectorContextRunners.withoutTypes()
			.withUserConfiguration(Types.class)
			.withPropertyValues("reflector.api-server.url=http://localhost:" + this.server.getAddress().getPort(),
					"reflector.watch.initial-list=list");
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	@Test
	void aTypeThatDoesNotFitIsAWarning(CapturedOutput output) {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			await().untilAsserted(() -> assertThat(output).contains("Reflector 'misspelt': " + MISSPELT));
			assertThat(output).doesNotContain(Right.class.getName() + " does not fit");
			// the check needs only one of the reflectors to be in step
			await().untilAsserted(() -> assertThat(health(context, "misspelt").getStatus()).isEqualTo(Status.UP));
			context.getBeansOfType(ApplicationRunner.class).values().forEach(TypeSchemaCheckTests::run);
		});
		assertThat(this.asked).as("one request for all types").containsExactly("/openapi/v3/apis/example.com/v1");
	}

	@Test
	void aStrictStartFails() {
		this.runner.withPropertyValues("reflector.schema-check=fail", "reflector.startup.strict=true")
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(ReflectorConfigurationException.class)
				.rootCause()
				.hasMessage("'reflector.schema-check' is 'fail', and " + MISSPELT + "."));
	}

	@Test
	void aStartThatWaitsFails() {
		this.runner.withPropertyValues("reflector.schema-check=fail")
			.run((context) -> assertThatExceptionOfType(ReflectorConfigurationException.class)
				.isThrownBy(() -> context.getBean(TypeSchemaCheck.class).run(new DefaultApplicationArguments()))
				.withMessageContaining(MISSPELT));
	}

	@Test
	void aStartThatDoesNotWaitIsDown() {
		this.runner.withPropertyValues("reflector.schema-check=fail", "reflector.startup.wait-for-sync=false")
			.run((context) -> {
				// each reflector is in step at its own time, and the check needs only one
				await().untilAsserted(() -> {
					Health misspelt = health(context, "misspelt");
					assertThat(misspelt.getStatus()).isEqualTo(Status.DOWN);
					assertThat(misspelt.getDetails()).containsEntry("reason", MISSPELT).containsEntry("synced", true);
				});
				await().untilAsserted(() -> assertThat(health(context, "right").getStatus()).isEqualTo(Status.UP));
				run(context.getBean(TypeSchemaCheck.class));
			});
	}

	@Test
	void aTypeThatIsListedAfterTheTimeoutIsCompared(CapturedOutput output) {
		this.listStatus = 503;
		this.runner
			.withPropertyValues("reflector.schema-check=fail", "reflector.startup.timeout=1ms",
					"reflector.backoff.initial=10ms", "reflector.backoff.max=10ms")
			.run((context) -> {
				run(context.getBean(TypeSchemaCheck.class));
				assertThat(output).doesNotContain("does not fit");
				this.listStatus = 200;
				await().untilAsserted(() -> assertThat(output).contains("Reflector 'misspelt': " + MISSPELT));
			});
	}

	@Test
	void aRestartedContextComparesAgain() {
		this.runner.run((context) -> {
			await().until(() -> this.asked.size() == 1);
			context.getSourceApplicationContext().stop();
			context.getSourceApplicationContext().start();
			await().until(() -> this.asked.size() == 2);
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403, 404, 406, 500, 501 })
	void aServerThatTellsNoSchemaKeepsNothingFromStarting(int status, CapturedOutput output) {
		this.status = status;
		this.runner.withPropertyValues("reflector.schema-check=fail", "reflector.startup.strict=true")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(this.asked).isNotEmpty();
				assertThat(output).doesNotContain("WARN").doesNotContain("schema");
			});
	}

	@Test
	void nothingIsAskedWhenItIsOff() {
		this.runner.withPropertyValues("reflector.schema-check=off", "reflector.startup.strict=true").run((context) -> {
			assertThat(context).hasNotFailed();
			run(context.getBean(TypeSchemaCheck.class));
		});
		assertThat(this.asked).isEmpty();
	}

	@Test
	void typesFromAnotherSourceAreNotCompared() {
		this.runner.withUserConfiguration(Elsewhere.class)
			.withPropertyValues("reflector.schema-check=fail", "reflector.startup.strict=true",
					"reflector.resources.right.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.asked).isEmpty();
	}

	@Test
	void treesAreNotCompared() {
		ReflectorContextRunners.withoutTypes()
			.withPropertyValues("reflector.api-server.url=http://localhost:" + this.server.getAddress().getPort(),
					"reflector.watch.initial-list=list", "reflector.schema-check=fail", "reflector.startup.strict=true",
					"reflector.resources.trees.api-version=example.com/v1", "reflector.resources.trees.kind=Widget",
					"reflector.resources.trees.plural=widgets")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.asked).isEmpty();
	}

	private static void run(ApplicationRunner runner) {
		try {
			runner.run(new DefaultApplicationArguments());
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Health health(ApplicationContext context, String reflector) {
		CompositeHealthContributor all = context.getBean("reflectorsHealthContributor",
				CompositeHealthContributor.class);
		return ((HealthIndicator) all.getContributor(reflector)).health();
	}

	private void answer(HttpExchange exchange) throws IOException {
		exchange.getResponseHeaders().set("Content-Type", "application/json");
		if (exchange.getRequestURI().getQuery().contains("watch=")) {
			// sends nothing, and stays open until the server stops
			exchange.sendResponseHeaders(200, 0);
			exchange.getResponseBody().flush();
			return;
		}
		send(exchange, this.listStatus, (this.listStatus != 200) ? "{}"
				: """
						{"kind": "WidgetList", "apiVersion": "example.com/v1", "metadata": {"resourceVersion": "1"}, "items": []}""");
	}

	private void describe(HttpExchange exchange) throws IOException {
		this.asked.add(exchange.getRequestURI().toString());
		exchange.getResponseHeaders().set("Content-Type", "application/json");
		send(exchange, this.status, (this.status != 200) ? "{}" : """
				{"components": {"schemas": {"com.example.v1.Widget": {
				  "properties": {"spec": {"type": "object", "properties": {
				    "replicas": {"type": "integer"}, "size": {"type": "string"}}}},
				  "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Widget"}]
				}}}}""");
	}

	private static void send(HttpExchange exchange, int status, String text) throws IOException {
		byte[] body = text.getBytes(UTF_8);
		exchange.sendResponseHeaders(status, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	record Misspelt(ObjectMeta metadata, Spec spec) {

		record Spec(Integer replicsa, int size) {

		}

	}

	record Right(ObjectMeta metadata, Spec spec) {

		record Spec(Integer replicas, String size) {

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Types {

		@Bean
		static ReflectedResourceRegistration<Misspelt> misspelt() {
			return ReflectedResourceRegistration.of(Misspelt.class, "example.com/v1", "Widget")
				.withPlural("widgets")
				.withName("misspelt");
		}

		@Bean
		static ReflectedResourceRegistration<Right> right() {
			return ReflectedResourceRegistration.of(Right.class, "example.com/v1", "Widget")
				.withPlural("widgets")
				.withName("right");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Elsewhere {

		@Bean
		ListerWatcher<Misspelt> elsewhere() {
			return new InMemoryListerWatcher<>(List.of());
		}

	}

}
