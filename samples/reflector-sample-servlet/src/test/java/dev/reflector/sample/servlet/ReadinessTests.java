package dev.reflector.sample.servlet;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the readiness of the application while its mirror is being filled, and while the
 * application is being closed.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadinessTests {

	private final HttpClient client = HttpClient.newHttpClient();

	private EmbeddedApiServer server;

	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
		create("a");
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	@Test
	void untilTheMirrorIsFullThePortIsOpenAndTheApplicationAliveButNotReady() throws Exception {
		holdLists();
		Door door = new Door();
		CompletableFuture<ConfigurableApplicationContext> start = start(door);
		URI root = door.opened.join();
		patiently().until(() -> get(root, "/actuator/health/liveness").statusCode() == 200);
		assertThat(get(root, "/actuator/health/readiness").statusCode()).isEqualTo(503);
		assertThat(get(root, "/widgets").body()).isEqualTo("[]");
		assertThat(door.synced).containsExactly(false);
		assertThat(start).isNotDone();

		this.server.clearFaults();
		patiently().until(() -> get(root, "/actuator/health/readiness").statusCode() == 200);
		assertThat(get(root, "/actuator/health/liveness").statusCode()).isEqualTo(200);
		assertThat(get(root, "/widgets").body()).isEqualTo("[\"a\"]");
		start.join().close();
	}

	@Test
	void aStrictStartOpensThePortWhenTheMirrorIsFull() throws Exception {
		holdLists();
		Door door = new Door();
		CompletableFuture<ConfigurableApplicationContext> start = start(door, "--reflector.startup.strict=true");
		patiently().until(() -> this.server.requests(ReadinessTests::isForWidgets).size() > 3);
		assertThat(door.opened).isNotDone();
		assertThat(start).isNotDone();

		this.server.clearFaults();
		try (ConfigurableApplicationContext context = start.join()) {
			assertThat(door.synced).containsExactly(true);
			assertThat(get(door.opened.join(), "/widgets").body()).isEqualTo("[\"a\"]");
			assertThat(context.isRunning()).isTrue();
		}
	}

	@Test
	void reflectorsGoOnUntilTheLastRequestHasBeenAnswered() throws Exception {
		Door door = new Door();
		ConfigurableApplicationContext context = start(door).join();
		Reflector<Widget> reflector = reflector(context);
		LongRequest request = context.getBean(LongRequest.class);
		URI root = door.opened.join();
		CompletableFuture<HttpResponse<String>> answer = this.client
			.sendAsync(HttpRequest.newBuilder(root.resolve("/later")).build(), HttpResponse.BodyHandlers.ofString());
		request.begun.await();

		CompletableFuture<Void> close = CompletableFuture.runAsync(context::close);
		patiently().until(() -> isClosed(root));
		// the mirror is not only there, it follows
		create("b");
		patiently().until(() -> request.names().equals(List.of("a", "b")));
		assertThat(reflector.state()).isEqualTo(ReflectorState.WATCHING);
		assertThat(answer).isNotDone();
		assertThat(close).isNotDone();

		request.goOn.countDown();
		assertThat(answer.join().statusCode()).isEqualTo(200);
		assertThat(answer.join().body()).isEqualTo("a,b");
		close.join();
		assertThat(reflector.state()).isEqualTo(ReflectorState.STOPPED);
	}

	/**
	 * Makes lists fail until faults are cleared. Then the next attempt, which comes soon,
	 * succeeds.
	 */
	private void holdLists() {
		this.server.fail(ReadinessTests::isForWidgets, Integer.MAX_VALUE, Fault.status(503));
	}

	private static boolean isForWidgets(RecordedRequest request) {
		return request.isList() || request.isWatch();
	}

	private void create(String name) {
		this.server.resources("widgets").create(Map.of("metadata", Map.of("name", name)));
	}

	private CompletableFuture<ConfigurableApplicationContext> start(Door door, String... arguments) {
		List<String> all = new ArrayList<>(List.of("--reflector.api-server.url=" + this.server.url(),
				"--reflector.startup.timeout=1h", "--reflector.backoff.initial=20ms", "--reflector.backoff.max=60ms"));
		all.addAll(List.of(arguments));
		return CompletableFuture
			.supplyAsync(() -> new SpringApplicationBuilder(ServletApplication.class, LongRequest.class)
				.properties("server.port=0")
				.listeners(door)
				.run(all.toArray(String[]::new)));
	}

	private HttpResponse<String> get(URI root, String path) throws IOException, InterruptedException {
		return this.client.send(HttpRequest.newBuilder(root.resolve(path)).build(),
				HttpResponse.BodyHandlers.ofString());
	}

	private static boolean isClosed(URI root) throws IOException {
		try (Socket socket = new Socket(root.getHost(), root.getPort())) {
			return !socket.isConnected();
		}
		catch (ConnectException ex) {
			return true;
		}
	}

	private static ConditionFactory patiently() {
		return await().atMost(Duration.ofSeconds(60));
	}

	private static Reflector<Widget> reflector(ApplicationContext context) {
		return context.getBeanProvider(new ParameterizedTypeReference<Reflector<Widget>>() {
		}).getObject();
	}

	/** Notes when the port opens, and whether the mirror was full then. */
	static final class Door implements ApplicationListener<WebServerInitializedEvent> {

		private final CompletableFuture<URI> opened = new CompletableFuture<>();

		private final List<Boolean> synced = new ArrayList<>();

		@Override
		public void onApplicationEvent(WebServerInitializedEvent event) {
			this.synced.add(reflector(event.getApplicationContext()).hasSynced());
			this.opened.complete(URI.create("http://127.0.0.1:" + event.getWebServer().getPort()));
		}

	}

	/** A request that takes as long as the test wants, and then reads the mirror. */
	static class LongRequest {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch goOn = new CountDownLatch(1);

		private final Lister<Widget> widgets;

		LongRequest(Lister<Widget> widgets) {
			this.widgets = widgets;
		}

		@Bean
		RouterFunction<ServerResponse> later() {
			return RouterFunctions.route().GET("/later", (request) -> {
				this.begun.countDown();
				this.goOn.await();
				return ServerResponse.ok().build((httpRequest, response) -> send(response));
			}).build();
		}

		/**
		 * Sends the whole answer before the request counts as done: Tomcat may close the
		 * connection of a request that is done before it has sent what is buffered.
		 */
		private @Nullable ModelAndView send(HttpServletResponse response) throws IOException {
			byte[] body = String.join(",", names()).getBytes(StandardCharsets.UTF_8);
			response.setContentLength(body.length);
			response.getOutputStream().write(body);
			response.flushBuffer();
			return null;
		}

		List<String> names() {
			return this.widgets.list()
				.stream()
				.map((widget) -> String.valueOf(widget.metadata().name()))
				.sorted()
				.toList();
		}

	}

}
