package dev.reflector.test.comparison;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.test.EmbeddedApiServer;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Sends writes to one server, one after the other.
 */
final class WritePlayer {

	static final String GADGETS = "/apis/t.example.com/v1/namespaces/default/gadgets";

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]+)}");

	private final Map<String, String> variables = new HashMap<>();

	private final String url;

	private final HttpClient http;

	private WritePlayer(String url, HttpClient http) {
		this.url = url;
		this.http = http;
	}

	static WritePlayer to(EmbeddedApiServer server) {
		return new WritePlayer(server.url().toString(),
				HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
	}

	/**
	 * Returns a player for the server of a kubeconfig, where the type of the script is
	 * deleted and created again.
	 * @param kubeconfig the file
	 * @param definition the CRD
	 * @return the player
	 */
	static WritePlayer toReal(Path kubeconfig, String definition) {
		ApiServer server = Kubeconfig.load(kubeconfig, null);
		HttpClient.Builder http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
		if (server.ssl().bundle() != null) {
			http.sslContext(server.ssl().bundle().createSslContext());
		}
		WritePlayer player = new WritePlayer(server.url().toString(), http.build());
		Map<String, String> json = Map.of("Content-Type", "application/json");
		player.removeFinalizers();
		player.request("DELETE", DEFINITIONS + "/gadgets.t.example.com", Map.of(), "");
		await().atMost(Duration.ofMinutes(1))
			.until(() -> player.request("GET", DEFINITIONS + "/gadgets.t.example.com", Map.of(), "")
				.statusCode() == 404);
		assertThat(player.request("POST", DEFINITIONS, json, definition).statusCode()).isEqualTo(201);
		await().atMost(Duration.ofMinutes(1))
			.until(() -> player.request("GET", GADGETS, Map.of(), "").statusCode() == 200);
		// the server has the schema for merging a little later
		await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
		return player;
	}

	/** Objects of an earlier run keep the type from being deleted. */
	private void removeFinalizers() {
		WriteAnswer.parse(request("GET", GADGETS, Map.of(), "").body()).path("items").forEach((object) -> {
			String path = GADGETS + "/" + object.at("/metadata/name").asString();
			request("PATCH", path, Map.of("Content-Type", "application/merge-patch+json"),
					"{\"metadata\":{\"finalizers\":null}}");
		});
	}

	/**
	 * Plays a script.
	 * @param script the requests
	 * @return the answers by the names of the requests
	 */
	Map<String, String> play(List<ScriptedWrite> script) {
		Map<String, String> answers = new LinkedHashMap<>();
		for (ScriptedWrite write : script) {
			answers.put(write.name(), play(write).toString());
		}
		return answers;
	}

	WriteAnswer play(ScriptedWrite write) {
		HttpResponse<String> response = request(write.method(), GADGETS + write.path(), write.headers(),
				resolve(write.body()));
		JsonNode metadata = WriteAnswer.parse(response.body()).path("metadata");
		this.variables.put(write.name() + ".version", metadata.path("resourceVersion").asString(""));
		this.variables.put(write.name() + ".uid", metadata.path("uid").asString(""));
		return WriteAnswer.of(response.statusCode(), response.headers().allValues("Warning"), response.body());
	}

	private HttpResponse<String> request(String method, String path, Map<String, String> headers, String body) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.url + path))
			.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
		headers.forEach(request::header);
		try {
			return this.http.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String resolve(String text) {
		return VARIABLE.matcher(text).replaceAll((result) -> Matcher.quoteReplacement(value(result.group(1))));
	}

	private String value(String name) {
		if (name.chars().allMatch(Character::isDigit)) {
			return "y".repeat(Integer.parseInt(name));
		}
		String value = this.variables.get(name);
		if (value == null) {
			throw new IllegalStateException("No step has given '" + name + "'");
		}
		return value;
	}

}
