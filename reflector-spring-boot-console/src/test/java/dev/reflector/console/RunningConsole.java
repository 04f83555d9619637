package dev.reflector.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import com.example.console.ConsoleTestApplication;
import dev.reflector.test.EmbeddedApiServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application with a console, the server that it mirrors, and a client.
 */
final class RunningConsole implements AutoCloseable {

	static final JsonMapper JSON = JsonMapper.builder().build();

	final EmbeddedApiServer server;

	final ConfigurableApplicationContext context;

	final HttpClient client = HttpClient.newHttpClient();

	private RunningConsole(EmbeddedApiServer server, ConfigurableApplicationContext context) {
		this.server = server;
		this.context = context;
	}

	static RunningConsole start(WebApplicationType web, String... arguments) {
		return start(List.of(ConsoleTestApplication.class), web, (server) -> server, arguments);
	}

	static RunningConsole start(List<Class<?>> sources, WebApplicationType web, UnaryOperator<EmbeddedApiServer> filled,
			String... arguments) {
		EmbeddedApiServer server = filled.apply(EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("v1", "Secret", "secrets", true)
			.start());
		List<String> all = new ArrayList<>(List.of("--reflector.api-server.url=" + server.url(), "--server.port=0",
				"--reflector.console.enabled=true", "--spring.application.name=shop",
				"--spring.reactor.netty.shutdown-quiet-period=0s",
				// Reactor Netty may stop reading a connection that is used again (its
				// issue 4361)
				"--server.netty.max-keep-alive-requests=1",
				"--spring.autoconfigure.exclude=org.springframework.boot.tomcat.autoconfigure.reactive."
						+ "TomcatReactiveWebServerAutoConfiguration"));
		all.addAll(List.of(arguments));
		try {
			return new RunningConsole(server, new SpringApplicationBuilder(sources.toArray(Class<?>[]::new)).web(web)
				.run(all.toArray(String[]::new)));
		}
		catch (RuntimeException ex) {
			server.close();
			throw ex;
		}
	}

	void widget(String namespace, String name, int size) {
		this.server.resources("widgets")
			.apply(Map.of("metadata", Map.of("namespace", namespace, "name", name, "labels", Map.of("app", name)),
					"spec", Map.of("size", size, "password", "secret" + size)));
	}

	URI uri(String path) {
		return URI.create("http://127.0.0.1:" + this.context.getEnvironment().getProperty("local.server.port") + path);
	}

	HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(uri(path));
	}

	HttpResponse<String> send(HttpRequest.Builder request) {
		try {
			return this.client.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new java.io.UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	HttpResponse<String> get(String path) {
		return send(request(path));
	}

	HttpResponse<String> post(String path) {
		return send(request(path).header("X-Reflector-Console", "1").POST(HttpRequest.BodyPublishers.noBody()));
	}

	JsonNode json(String path) {
		HttpResponse<String> response = get(path);
		if (response.statusCode() != 200) {
			throw new AssertionError(path + " answers " + response.statusCode() + ": " + response.body());
		}
		return JSON.readTree(response.body());
	}

	@Override
	public void close() {
		try {
			this.context.close();
		}
		finally {
			this.server.close();
		}
	}

}
