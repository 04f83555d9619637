package dev.reflector.client.internal.schema;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

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
 * Reads the OpenAPI document of an API version while it arrives. Keeps only the schemas
 * of the given kinds, and schemas to which other schemas may refer. Limits the size, the
 * depth and the number of schemas, because users of the cluster can install any schema.
 */
final class SchemaReader {

	/** The size in bytes of the largest document that is read. */
	static final int MAX_BODY = 32 * 1024 * 1024;

	private static final int MAX_DEPTH = 200;

	private static final int MAX_SCHEMAS = 200_000;

	private static final int MAX_NAME = 64 * 1024;

	/** The largest number of values of an enumeration that are kept. */
	private static final int MAX_VALUES = 200;

	private static final JsonFactory JSON = JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder()
			.maxNestingDepth(MAX_DEPTH)
			.maxNameLength(MAX_NAME)
			.maxDocumentLength(MAX_BODY)
			.build())
		.build();

	private final JsonParser parser;

	private final JsonWalk json;

	private final String apiVersion;

	private final Set<String> kinds;

	private final Map<String, Schema> roots = new HashMap<>();

	private final Map<String, Schema> shared = new HashMap<>();

	private int count;

	private SchemaReader(JsonParser parser, String apiVersion, Set<String> kinds) {
		this.parser = parser;
		this.json = new JsonWalk(parser);
		this.apiVersion = apiVersion;
		this.kinds = kinds;
	}

	/**
	 * Reads a document.
	 * @param body the document
	 * @param apiVersion the API version that it describes
	 * @param kinds the kinds whose schemas are kept
	 * @return the schemas
	 * @throws MalformedResponseException if the document is no JSON, or exceeds a limit
	 */
	static ServerSchemas read(InputStream body, String apiVersion, Set<String> kinds) {
		try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
			parser.nextToken();
			return new SchemaReader(parser, apiVersion, kinds).document();
		}
		catch (JacksonException ex) {
			// the exception is not kept as the cause, because its message quotes the
			// response
			throw new MalformedResponseException(
					"the OpenAPI document is not JSON, nested too deeply, or larger than " + MAX_BODY + " bytes");
		}
	}

	private ServerSchemas document() {
		this.json.fields((name) -> {
			if (name.equals("components")) {
				this.json.fields((part) -> {
					if (part.equals("schemas")) {
						this.json.fields(this::named);
					}
					else {
						this.parser.skipChildren();
					}
				});
			}
			else {
				this.parser.skipChildren();
			}
		});
		return new ServerSchemas(this.roots, this.shared);
	}

	/**
	 * Reads a named schema. Drops the schema if it belongs to a kind that is not needed.
	 * Such schemas are most of a document, and usually no other schema refers to them.
	 */
	private void named(String name) {
		int before = this.count;
		Parts parts = parts();
		boolean wanted = parts.kinds.stream().anyMatch(this.kinds::contains);
		if (wanted || parts.kinds.isEmpty()) {
			Schema schema = parts.schema();
			this.shared.put(name, schema);
			parts.kinds.forEach((kind) -> this.roots.put(kind, schema));
		}
		else {
			this.count = before;
		}
	}

	private Schema schema() {
		if (!this.parser.hasToken(JsonToken.START_OBJECT)) {
			this.parser.skipChildren();
			return Schema.UNKNOWN;
		}
		return parts().schema();
	}

	private Parts parts() {
		if (++this.count > MAX_SCHEMAS) {
			throw new MalformedResponseException("the OpenAPI document has more than " + MAX_SCHEMAS + " schemas");
		}
		Parts parts = new Parts();
		this.json.fields((name) -> {
			switch (name) {
				case "type" -> parts.type = this.json.text();
				case "format" -> parts.setFormat(this.json.text());
				case "$ref" -> parts.reference = reference(this.json.text());
				case "properties" -> this.json.fields((property) -> parts.properties.put(property, schema()));
				case "additionalProperties" ->
					parts.each = this.parser.hasToken(JsonToken.VALUE_FALSE) ? null : schema();
				case "items" -> parts.items = schema();
				case "allOf" -> this.json.elements(() -> parts.all.add(schema()));
				case "oneOf", "anyOf" -> this.json.elements(() -> parts.addAlternative(schema()));
				case "enum" -> parts.setValues(values());
				case "pattern" -> {
					parts.restricted = true;
					this.parser.skipChildren();
				}
				case "x-kubernetes-int-or-string", "x-kubernetes-embedded-resource" -> parts.unknown |= isTrue();
				case "x-kubernetes-preserve-unknown-fields" -> parts.open |= isTrue();
				case "x-kubernetes-group-version-kind" -> this.json.elements(() -> kind(parts.kinds));
				default -> this.parser.skipChildren();
			}
		});
		return parts;
	}

	/**
	 * Returns the strings of an enumeration. Empty if the enumeration has other values,
	 * or too many values.
	 */
	private List<String> values() {
		List<String> values = new ArrayList<>();
		AtomicBoolean known = new AtomicBoolean(true);
		this.json.elements(() -> {
			if (this.parser.hasToken(JsonToken.VALUE_STRING) && values.size() < MAX_VALUES) {
				values.add(this.parser.getString());
			}
			else if (!this.parser.hasToken(JsonToken.VALUE_NULL)) {
				known.set(false);
			}
			this.parser.skipChildren();
		});
		return known.get() ? values : List.of();
	}

	private void kind(List<String> kinds) {
		Map<String, String> parts = new HashMap<>();
		this.json.fields((name) -> parts.put(name, this.json.text()));
		String group = parts.getOrDefault("group", "");
		String version = parts.getOrDefault("version", "");
		if (this.apiVersion.equals(group.isEmpty() ? version : group + "/" + version)) {
			kinds.add(parts.getOrDefault("kind", ""));
		}
	}

	private static String reference(String pointer) {
		return pointer.substring(pointer.lastIndexOf('/') + 1);
	}

	private boolean isTrue() {
		boolean value = this.parser.hasToken(JsonToken.VALUE_TRUE);
		this.parser.skipChildren();
		return value;
	}

	/** Collects the fields of a schema while they are read. */
	private static final class Parts {

		private final Map<String, Schema> properties = new LinkedHashMap<>();

		private final List<Schema> all = new ArrayList<>();

		private final List<String> kinds = new ArrayList<>();

		private String type = "";

		private @Nullable String reference;

		private @Nullable Schema each;

		private @Nullable Schema items;

		private boolean restricted;

		private String format = "";

		private List<String> values = List.of();

		private boolean open;

		private boolean unknown;

		private void setFormat(String format) {
			this.unknown |= format.equals("int-or-string");
			this.restricted |= !format.isEmpty();
			this.format = format;
		}

		private void setValues(List<String> values) {
			this.restricted = true;
			this.values = values;
		}

		/**
		 * Adds an alternative. The alternatives of custom resources usually have no type,
		 * and only restrict which properties may be used together.
		 */
		private void addAlternative(Schema schema) {
			this.unknown |= schema.unknown() || schema.reference() != null || !schema.type().isEmpty();
			this.restricted |= schema.texts().restricted();
		}

		private Schema schema() {
			return new Schema(this.type, this.reference, this.properties.isEmpty() ? Map.of() : this.properties,
					this.each, this.items, this.all.isEmpty() ? List.of() : this.all,
					this.restricted ? new Schema.Texts(true, this.format, this.values) : Schema.Texts.ALL, this.open,
					this.unknown);
		}

	}

}
