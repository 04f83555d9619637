package dev.reflector.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An answer without what differs from server to server and from run to run.
 *
 * @param head status and headers
 * @param body lines of the body
 */
record WireAnswer(String head, List<String> body) {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final Pattern VERSIONS = Pattern.compile("((?:resource version: |current: )|\\()\\d+\\b");

	private static final Pattern UIDS = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

	/**
	 * Messages that differ between servers: errors of parsers, and lists of accepted
	 * types.
	 */
	private static final Pattern WORDING = Pattern.compile("(.*media types are accepted|.*accepted media types).*"
			+ "|(?:the object provided is unrecognized|error decoding patch|couldn't get version/kind|"
			+ "invalid continue token|unable to parse requirement|found '.*', expected).*");

	private static final Pattern AGE = Pattern.compile("\\d+[smh]");

	private static final int LONG = 300;

	static WireAnswer of(HttpResponse<byte[]> response) {
		return of(response, response.body());
	}

	static WireAnswer of(HttpResponse<?> response, byte[] body) {
		HttpHeaders headers = response.headers();
		StringBuilder head = new StringBuilder().append(response.statusCode());
		for (String name : List.of("Content-Type", "Content-Encoding", "Retry-After", "Cache-Control", "Vary",
				"X-Content-Type-Options")) {
			headers.firstValue(name).ifPresent((value) -> head.append(" | ").append(name).append(": ").append(value));
		}
		byte[] bytes = headers.firstValue("Content-Encoding").isPresent() ? unzip(body) : body;
		return new WireAnswer(head.toString(), lines(new String(bytes, StandardCharsets.UTF_8)));
	}

	private static byte[] unzip(byte[] bytes) {
		try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
			return in.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> lines(String text) {
		JsonNode whole = parse(text);
		if (whole != null) {
			return List.of(normal(whole, "").toString());
		}
		List<String> lines = new ArrayList<>();
		for (String line : text.strip().split("\n")) {
			JsonNode frame = parse(line);
			lines.add((frame != null) ? normal(frame, "").toString() : line);
		}
		return List.copyOf(lines);
	}

	private static @Nullable JsonNode parse(String text) {
		try {
			JsonNode node = MAPPER.readTree(text);
			return node.isObject() ? node : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private static JsonNode normal(JsonNode node, String name) {
		if (node instanceof ObjectNode object) {
			Map<String, JsonNode> fields = new TreeMap<>();
			object.forEachEntry((field, value) -> fields.put(field, normal(value, field)));
			// managed fields are for server-side apply
			fields.remove("managedFields");
			// says which of several servers stores what
			fields.remove("storageVersionHash");
			ObjectNode sorted = JsonNodeFactory.instance.objectNode();
			fields.forEach(sorted::set);
			return sorted;
		}
		if (node instanceof ArrayNode array) {
			ArrayNode normal = JsonNodeFactory.instance.arrayNode();
			array.forEach((element) -> normal.add(normal(element, name)));
			return normal;
		}
		return node.isString() ? JsonNodeFactory.instance.stringNode(normal(name, node.asString())) : node;
	}

	private static String normal(String name, String text) {
		return switch (name) {
			case "resourceVersion", "continue", "uid", "creationTimestamp", "deletionTimestamp" ->
				text.isEmpty() ? "" : "<" + name + ">";
			case "cells" -> AGE.matcher(text).replaceAll("<age>");
			case "message" -> message(text);
			default -> (text.length() > LONG) ? "<" + text.length() + " characters>" : text;
		};
	}

	private static String message(String text) {
		String shorter = WORDING.matcher(text).replaceAll("$1<...>");
		return VERSIONS.matcher(UIDS.matcher(shorter).replaceAll("<uid>")).replaceAll("$1<version>");
	}

	@Override
	public String toString() {
		return (this.head + "\n" + String.join("\n", this.body)).stripTrailing() + "\n";
	}

}
