package dev.reflector.sample.servlet;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the application in a servlet container, with either connector.
 */
@Timeout(value = 360, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServletApplicationTests {

	private static final boolean FULL = Boolean.getBoolean("tests.full");

	private static final HttpClient http = HttpClient.newHttpClient();

	private static final int RESTARTS = Integer.getInteger("tests.developer-restarts", 1);

	/** All of them with {@code -Dtests.full=true}. */
	static Stream<String> connectors() {
		return FULL ? Stream.of("reactor", "jdk") : Stream.of("reactor");
	}

	@ParameterizedTest
	@MethodSource("connectors")
	void mirrorsBehindAServletContainer(String connector) throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			server.resources("widgets").create(Map.of("metadata", Map.of("name", "a")));
			try (ConfigurableApplicationContext context = start(WebApplicationType.SERVLET,
					"--reflector.api-server.url=" + server.url(),
					"--spring.http.clients.reactive.connector=" + connector)) {
				assertThat(get(context, "/widgets").body()).isEqualTo("[\"a\"]");
				assertThat(get(context, "/actuator/reflectors/widgets").body()).contains("\"synced\":true",
						"\"size\":1");
				assertThat(get(context, "/actuator/health/readiness").statusCode()).isEqualTo(200);
				assertThat(post(context, "/actuator/reflectors/widgets").statusCode()).isEqualTo(405);
			}
		}
	}

	/** The build does it for tests in full. */
	@Test
	@EnabledIfSystemProperty(named = "tests.full", matches = "true", disabledReason = "runs with -Dtests.full=true")
	void mirrorsWhenProcessedAheadOfTime(@TempDir Path folder) throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			server.resources("widgets").create(Map.of("metadata", Map.of("name", "a")));
			// the developer tools refuse to work in an application like that
			try (ForkedApplication application = ForkedApplication.start(folder.resolve("log"),
					"-Dspring.aot.enabled=true",
					ForkedApplication.classPath((entry) -> !entry.contains("spring-boot-devtools")),
					"--reflector.api-server.url=" + server.url())) {
				URI root = application.awaitStarted(1);
				await().atMost(60, TimeUnit.SECONDS)
					.until(() -> get(root.resolve("/actuator/health/readiness")).statusCode() == 200);
				assertThat(get(root.resolve("/widgets")).body()).isEqualTo("[\"a\"]");
				assertThat(get(root.resolve("/actuator/reflectors/widgets")).body()).contains("\"synced\":true",
						"\"size\":1");
				assertThat(application.log()).contains("Starting AOT-processed ServletApplication");
				application.end();
			}
		}
	}

	@Test
	void mirrorsAnewWhenTheDeveloperToolsRestartIt(@TempDir Path folder) throws Exception {
		Path classes = Files.createDirectory(folder.resolve("classes"));
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start();
				ForkedApplication application = ForkedApplication.start(folder.resolve("log"),
						"-Dspring.devtools.livereload.enabled=false",
						classes + File.pathSeparator + ForkedApplication.classPath((entry) -> true),
						"--reflector.api-server.url=" + server.url(), "--spring.devtools.restart.poll-interval=100ms",
						"--spring.devtools.restart.quiet-period=50ms",
						"--management.endpoints.web.exposure.include=health,threaddump")) {
			List<String> names = new ArrayList<>();
			for (int start = 1; start <= RESTARTS + 1; start++) {
				String name = "w" + start;
				names.add('"' + name + '"');
				server.resources("widgets").create(Map.of("metadata", Map.of("name", name)));
				URI root = application.awaitStarted(start);
				String all = names.toString().replace(" ", "");
				await().atMost(60, TimeUnit.SECONDS)
					.untilAsserted(() -> assertThat(get(root.resolve("/widgets")).body()).isEqualTo(all));
				await().atMost(60, TimeUnit.SECONDS).until(() -> server.activeWatches() == 1);
				await().atMost(60, TimeUnit.SECONDS)
					.untilAsserted(() -> assertThat(get(root.resolve("/actuator/threaddump")).body())
						.containsOnlyOnce("\"threadName\":\"reflector-widgets\""));
				if (start <= RESTARTS) {
					Files.createFile(classes.resolve(name));
				}
			}
			application.end();
			assertThat(application.log()).contains("[  restartedMain]").doesNotContain(" ERROR ");
		}
	}

	@Test
	void thereIsNoReactiveServer() {
		assertThat(ClassUtils.isPresent("org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory", null))
			.isFalse();
		assertThat(
				ClassUtils.isPresent("org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration", null))
			.isFalse();
	}

	@Test
	void switchedOffNothingIsThere() {
		// other tests of this JVM may have some
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Empty.class)
			.web(WebApplicationType.SERVLET)
			.run("--server.port=0", "--reflector.enabled=false")) {
			assertThat(context.getBeanDefinitionNames())
				.noneMatch((name) -> name.toLowerCase(Locale.ROOT).contains("reflector") && !name.contains("Empty"));
			assertThat(Thread.getAllStackTraces().keySet()).filteredOn((thread) -> !before.contains(thread))
				.extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith("reflector-"));
		}
	}

	private static ConfigurableApplicationContext start(WebApplicationType web, String... arguments) {
		return new SpringApplicationBuilder(ServletApplication.class).web(web)
			.properties("server.port=0")
			.run(arguments);
	}

	private static HttpResponse<String> get(ConfigurableApplicationContext context, String path)
			throws IOException, InterruptedException {
		return get(uri(context, path));
	}

	private static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder(uri).build());
	}

	private static HttpResponse<String> post(ConfigurableApplicationContext context, String path)
			throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder(uri(context, path))
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString("{\"action\":\"relist\"}"))
			.build());
	}

	private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
		return http.send(request, HttpResponse.BodyHandlers.ofString());
	}

	private static URI uri(ConfigurableApplicationContext context, String path) {
		return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
	}

	@EnableAutoConfiguration
	static class Empty {

	}

}
