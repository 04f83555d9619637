package dev.reflector.test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.SSLContext;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client that knows nothing of the server's code.
 */
final class TestClient {

	private static final JsonMapper MAPPER = new JsonMapper();

	private final HttpClient http;

	private final EmbeddedApiServer server;

	TestClient(EmbeddedApiServer server) {
		this.server = server;
		this.http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
	}

	TestClient(EmbeddedApiServer server, SSLContext tls) {
		this.server = server;
		this.http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(tls).build();
	}

	Answer get(String path) {
		return send("GET", path, null, "");
	}

	/**
	 * Sends a GET over its own connection.
	 * @param url where
	 * @return the answer
	 */
	static Answer read(String url) {
		try {
			HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
			return new Answer(http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	Answer post(String path, String body) {
		return send("POST", path, "application/json", body);
	}

	Answer put(String path, String body) {
		return send("PUT", path, "application/json", body);
	}

	Answer patch(String path, String kind, String body) {
		return send("PATCH", path, "application/" + kind + "+json", body);
	}

	Answer delete(String path) {
		return send("DELETE", path, null, "");
	}

	Answer send(String method, String path, @Nullable String contentType, String body) {
		HttpRequest.Builder request = request(path).method(method, HttpRequest.BodyPublishers.ofString(body));
		if (contentType != null) {
			request.header("Content-Type", contentType);
		}
		return send(request.build());
	}

	Answer send(HttpRequest request) {
		try {
			return new Answer(this.http.send(request, BodyHandlers.ofString()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.server.url() + path.replace(" ", "%20")));
	}

	Stream watch(String path) {
		return watch(request(path + (path.contains("?") ? "&" : "?") + "watch=true").build());
	}

	Stream watch(HttpRequest request) {
		try {
			return new Stream(this.http.send(request, BodyHandlers.ofInputStream()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A whole answer.
	 *
	 * @param http the answer
	 */
	record Answer(HttpResponse<String> http) {

		int status() {
			return this.http.statusCode();
		}

		String text() {
			return this.http.body();
		}

		JsonNode json() {
			return MAPPER.readTree(this.http.body());
		}

		String at(String pointer) {
			return json().at(pointer).asString("");
		}

		String header(String name) {
			return this.http.headers().firstValue(name).orElse("");
		}

		List<String> names() {
			return json().path("items").valueStream().map((item) -> item.at("/metadata/name").asString()).toList();
		}

		String resourceVersion() {
			return at("/metadata/resourceVersion");
		}

	}

	/**
	 * A watch. Reading waits, for as long as the test may take.
	 */
	static final class Stream implements AutoCloseable {

		private final HttpResponse<java.io.InputStream> http;

		private final BufferedReader reader;

		private Stream(HttpResponse<java.io.InputStream> http) {
			this.http = http;
			this.reader = new BufferedReader(new InputStreamReader(http.body(), StandardCharsets.UTF_8));
		}

		int status() {
			return this.http.statusCode();
		}

		@Nullable JsonNode nextOrEnd() {
			String line = lineOrEnd();
			return (line != null) ? MAPPER.readTree(line) : null;
		}

		@Nullable String lineOrEnd() {
			try {
				return this.reader.readLine();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		JsonNode next() {
			JsonNode frame = nextOrEnd();
			if (frame == null) {
				throw new AssertionError("The watch has ended");
			}
			return frame;
		}

		/**
		 * The next frame in short.
		 * @return type, name and version
		 */
		String event() {
			return describe(next());
		}

		List<String> events(int count) {
			List<String> events = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				events.add(event());
			}
			return events;
		}

		private static String describe(JsonNode frame) {
			return frame.path("type").asString("") + " " + frame.at("/object/metadata/name").asString("") + "@"
					+ frame.at("/object/metadata/resourceVersion").asString("");
		}

		@Override
		public void close() {
			try {
				this.reader.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
