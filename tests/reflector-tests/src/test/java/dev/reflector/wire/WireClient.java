package dev.reflector.wire;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.reflector.client.credentials.ApiServer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Plays the script to one server.
 */
final class WireClient {

	private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]+)}");

	private static final int PATIENCE_SECONDS = 60;

	private static final WireAnswer NOT_YET = new WireAnswer("", List.of());

	private final Map<String, String> variables = new HashMap<>();

	private final Map<String, WireAnswer> answers = new LinkedHashMap<>();

	private final Map<String, CompletableFuture<HttpResponse<byte[]>>> underWay = new LinkedHashMap<>();

	private final Map<String, CompletableFuture<WireAnswer>> live = new LinkedHashMap<>();

	private final ApiServer server;

	private final HttpClient http;

	WireClient(ApiServer server) {
		this.server = server;
		HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
		if (server.ssl().bundle() != null) {
			builder.sslContext(server.ssl().bundle().createSslContext());
		}
		this.http = builder.build();
	}

	/**
	 * Plays the script. Requests that only read are asked side by side.
	 * @param script the requests
	 * @return the answers by the names of the requests
	 */
	Map<String, WireAnswer> play(List<WireRequest> script) throws Exception {
		for (WireRequest request : script) {
			if (!request.reads() || needsAnswer(request)) {
				awaitAnswers();
			}
			if (request.frames() > 0) {
				// for its place in the order
				this.answers.put(request.name(), NOT_YET);
				this.live.put(request.name(), open(request));
				continue;
			}
			this.underWay.put(request.name(), send(request));
			if (!request.reads()) {
				awaitAnswers();
			}
		}
		awaitAnswers();
		for (Map.Entry<String, CompletableFuture<WireAnswer>> entry : this.live.entrySet()) {
			this.answers.put(entry.getKey(), entry.getValue().get(PATIENCE_SECONDS, TimeUnit.SECONDS));
		}
		return this.answers;
	}

	/** Returns when the watch is open: its headers have come. */
	private CompletableFuture<WireAnswer> open(WireRequest request) throws Exception {
		HttpResponse<InputStream> response = this.http.send(http(request), BodyHandlers.ofInputStream());
		return CompletableFuture.supplyAsync(() -> {
			try (BufferedReader reader = new BufferedReader(
					new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
				StringBuilder frames = new StringBuilder();
				for (int i = 0; i < request.frames(); i++) {
					frames.append(reader.readLine()).append('\n');
				}
				return WireAnswer.of(response, frames.toString().getBytes(StandardCharsets.UTF_8));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}, (task) -> new Thread(task, request.name()).start());
	}

	private boolean needsAnswer(WireRequest request) {
		return VARIABLE.matcher(request.path())
			.results()
			.anyMatch((result) -> !result.group(1).equals("future") && !this.variables.containsKey(result.group(1)));
	}

	private void awaitAnswers() throws Exception {
		for (Map.Entry<String, CompletableFuture<HttpResponse<byte[]>>> entry : this.underWay.entrySet()) {
			HttpResponse<byte[]> response = entry.getValue().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
			this.answers.put(entry.getKey(), WireAnswer.of(response));
			JsonNode metadata = metadata(response.body());
			remember(entry.getKey() + ".version", metadata.path("resourceVersion").asString(""));
			remember(entry.getKey() + ".token", metadata.path("continue").asString(""));
		}
		this.underWay.clear();
	}

	private void remember(String name, String value) {
		if (!value.isEmpty()) {
			this.variables.put(name, value);
			if (name.endsWith(".version")) {
				this.variables.put("future", String.valueOf(Long.parseLong(value) + 1_000_000));
			}
		}
	}

	private static JsonNode metadata(byte[] body) {
		try {
			return JsonMapper.shared().readTree(body).path("metadata");
		}
		catch (JacksonException ex) {
			return JsonMapper.shared().createObjectNode();
		}
	}

	private CompletableFuture<HttpResponse<byte[]>> send(WireRequest request) {
		return this.http.sendAsync(http(request), BodyHandlers.ofByteArray());
	}

	HttpResponse<byte[]> sendNow(WireRequest request) throws Exception {
		return this.http.send(http(request), BodyHandlers.ofByteArray());
	}

	private HttpRequest http(WireRequest request) {
		String body = resolve(request.body());
		HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(this.server.url() + resolve(request.path())))
			.method(request.method(), body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
		request.headers().forEach(builder::header);
		String token = this.server.token().token();
		if (token != null) {
			builder.header("Authorization", "Bearer " + token);
		}
		return builder.build();
	}

	private String resolve(@Nullable String text) {
		return (text != null)
				? VARIABLE.matcher(text).replaceAll((result) -> Matcher.quoteReplacement(value(result.group(1)))) : "";
	}

	private String value(String name) {
		String value = this.variables.get(name);
		if (value == null) {
			throw new IllegalStateException("No step has given '" + name + "'");
		}
		return value;
	}

}
