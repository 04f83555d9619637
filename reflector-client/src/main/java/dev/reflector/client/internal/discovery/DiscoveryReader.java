package dev.reflector.client.internal.discovery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.reflector.client.internal.exchange.JsonWalk;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads responses to discovery, and keeps only the needed fields. Limits the size, depth
 * and number of types, and skips invalid names, because users of the cluster can install
 * any number of types.
 */
final class DiscoveryReader {

	/** The size in bytes of the largest body that is read. */
	static final int MAX_BODY = 16 * 1024 * 1024;

	private static final int MAX_DEPTH = 32;

	private static final int MAX_TEXT = 64 * 1024;

	private static final int MAX_TYPES = 50_000;

	/**
	 * The pattern of the names of types. It excludes subresources, whose names contain a
	 * slash.
	 */
	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,252}");

	/** The pattern of an API version, with or without its group. */
	private static final Pattern VERSION = Pattern
		.compile("([a-z0-9][a-z0-9.-]{0,252}/)?[A-Za-z0-9][A-Za-z0-9.-]{0,62}");

	private static final JsonFactory JSON = JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder()
			.maxNestingDepth(MAX_DEPTH)
			.maxStringLength(MAX_TEXT)
			.maxNameLength(MAX_TEXT)
			.maxDocumentLength(MAX_BODY)
			.build())
		.build();

	private final JsonParser parser;

	private final JsonWalk json;

	private final Map<String, List<DiscoveredType>> versions = new HashMap<>();

	private final List<String> groupVersions = new ArrayList<>();

	private final List<String> apiVersions = new ArrayList<>();

	private @Nullable List<DiscoveredType> resources;

	/**
	 * Whether {@code resources} is null or missing in JSON. Go writes an empty list as
	 * null.
	 */
	private boolean nothing = true;

	private String kind = "";

	private boolean versionInfo;

	private int count;

	private DiscoveryReader(JsonParser parser) {
		this.parser = parser;
		this.json = new JsonWalk(parser);
	}

	/**
	 * Reads a response.
	 * @param body the body
	 * @return the response
	 * @throws MalformedResponseException if the body is no JSON, or exceeds a limit
	 */
	static DiscoveryAnswer read(byte[] body) {
		try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
			parser.nextToken();
			return new DiscoveryReader(parser).answer();
		}
		catch (JacksonException ex) {
			// the exception is not kept as the cause, because its message quotes the
			// response
			throw new MalformedResponseException("the response to API discovery is not JSON, or nested too deeply");
		}
	}

	private DiscoveryAnswer answer() {
		this.json.fields((name) -> {
			switch (name) {
				case "kind" -> this.kind = this.json.text();
				case "items" -> this.json.elements(this::group);
				case "versions" -> this.json.elements(() -> version("version", this.groupVersions));
				case "groups" -> this.json.elements(() -> this.json.fields((field) -> {
					if (field.equals("versions")) {
						this.json.elements(() -> version("groupVersion", this.apiVersions));
					}
					else {
						this.parser.skipChildren();
					}
				}));
				case "resources" -> {
					List<DiscoveredType> types = new ArrayList<>();
					this.nothing = this.parser.hasToken(JsonToken.VALUE_NULL);
					this.resources = this.json.elements(() -> type(types)) ? types : null;
				}
				case "gitVersion" -> this.versionInfo = !this.json.text().isEmpty();
				default -> this.parser.skipChildren();
			}
		});
		if (this.resources == null && this.nothing && this.kind.equals("APIResourceList")) {
			this.resources = List.of();
		}
		this.versions.keySet().stream().filter(VERSION.asMatchPredicate()).forEach(this.apiVersions::add);
		boolean aggregated = this.kind.equals("APIGroupDiscoveryList");
		return new DiscoveryAnswer(aggregated ? Map.copyOf(this.versions) : null,
				(this.resources != null) ? List.copyOf(this.resources) : null, List.copyOf(this.groupVersions),
				List.copyOf(this.apiVersions), this.versionInfo);
	}

	private void version(String field, List<String> versions) {
		this.json.fields((name) -> {
			String version = name.equals(field) ? this.json.text() : "";
			if (VERSION.matcher(version).matches()) {
				if (++this.count > MAX_TYPES) {
					throw new MalformedResponseException(
							"the answer to API discovery has more than " + MAX_TYPES + " versions");
				}
				versions.add(version);
			}
			else {
				this.parser.skipChildren();
			}
		});
	}

	private void group() {
		GroupParts group = new GroupParts();
		this.json.fields((name) -> {
			switch (name) {
				case "metadata" -> this.json.fields((field) -> {
					if (field.equals("name")) {
						group.name = this.json.text();
					}
					else {
						this.parser.skipChildren();
					}
				});
				case "versions" -> this.json.elements(() -> version(group));
				default -> this.parser.skipChildren();
			}
		});
		// the name may come after the versions; the core group has an empty name
		group.versions.forEach((version, types) -> this.versions
			.put(group.name.isEmpty() ? version : group.name + "/" + version, List.copyOf(types)));
	}

	private void version(GroupParts group) {
		List<DiscoveredType> types = new ArrayList<>();
		String[] facts = { "", "" };
		this.json.fields((name) -> {
			switch (name) {
				case "version" -> facts[0] = this.json.text();
				case "freshness" -> facts[1] = this.json.text();
				case "resources" -> this.json.elements(() -> type(types));
				default -> this.parser.skipChildren();
			}
		});
		if (!facts[0].isEmpty() && !facts[1].equals("Stale")) {
			group.versions.put(facts[0], types);
		}
	}

	/**
	 * Reads a type of an {@code APIResourceList} or {@code APIGroupDiscoveryList}. The
	 * two forms of a type have only the key {@code verbs} in common.
	 */
	private void type(List<DiscoveredType> types) {
		if (++this.count > MAX_TYPES) {
			throw new MalformedResponseException("the answer to API discovery has more than " + MAX_TYPES + " types");
		}
		TypeParts type = new TypeParts();
		this.json.fields((name) -> {
			switch (name) {
				case "name", "resource" -> type.plural = this.json.text();
				case "kind" -> type.kind = this.json.text();
				case "responseKind" -> this.json.fields((field) -> {
					if (field.equals("kind")) {
						type.kind = this.json.text();
					}
					else {
						this.parser.skipChildren();
					}
				});
				case "namespaced" -> {
					type.namespaced = !this.parser.hasToken(JsonToken.VALUE_FALSE);
					this.parser.skipChildren();
				}
				case "scope" -> type.namespaced = !this.json.text().equals("Cluster");
				case "verbs" -> {
					List<String> verbs = new ArrayList<>();
					if (this.json.elements(() -> verbs.add(this.json.text()))) {
						type.listable = verbs.contains("list");
						type.watchable = verbs.contains("watch");
					}
				}
				default -> this.parser.skipChildren();
			}
		});
		if (NAME.matcher(type.plural).matches()) {
			types.add(new DiscoveredType(type.kind, type.plural, type.namespaced, type.listable, type.watchable));
		}
	}

	/** Collects the fields of a group while they are read. */
	private static final class GroupParts {

		private final Map<String, List<DiscoveredType>> versions = new HashMap<>();

		private String name = "";

	}

	/**
	 * Collects the fields of a type while they are read. The defaults are the usual
	 * values.
	 */
	private static final class TypeParts {

		private String plural = "";

		private String kind = "";

		private boolean namespaced = true;

		private boolean listable = true;

		private boolean watchable = true;

	}

}
