package dev.reflector.test.internal.discovery;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The OpenAPI descriptions that {@code kubectl apply} needs for its default validation.
 * They describe every served type. In the description of a type without a known schema,
 * any field is allowed. The descriptions declare support for {@code fieldValidation}, so
 * {@code kubectl} leaves the validation to the server.
 */
public final class OpenApi {

	private static final String PREFIX = "/openapi/v3";

	/**
	 * An empty Swagger document, in the form in which {@code kubectl} requests it:
	 * protobuf.
	 */
	private static final byte[] V2_PROTOBUF = { 0x0a, 3, '2', '.', '0' };

	private static final String METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

	/** The schema of the metadata of every object. */
	private static final String METADATA_SCHEMA = """
			{"type": "object", "properties": {
			 "name": {"type": "string"}, "generateName": {"type": "string"}, "namespace": {"type": "string"},
			 "selfLink": {"type": "string"}, "uid": {"type": "string"}, "resourceVersion": {"type": "string"},
			 "generation": {"type": "integer", "format": "int64"},
			 "creationTimestamp": {"type": "string", "format": "date-time"},
			 "deletionTimestamp": {"type": "string", "format": "date-time"},
			 "deletionGracePeriodSeconds": {"type": "integer", "format": "int64"},
			 "labels": {"type": "object", "additionalProperties": {"type": "string"}},
			 "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
			 "finalizers": {"type": "array", "items": {"type": "string"}},
			 "ownerReferences": {"type": "array", "items": {"type": "object", "properties": {
			  "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "name": {"type": "string"},
			  "uid": {"type": "string"}, "controller": {"type": "boolean"}, "blockOwnerDeletion": {"type": "boolean"}}}},
			 "managedFields": {"type": "array", "items": {"type": "object", "properties": {
			  "manager": {"type": "string"}, "operation": {"type": "string"}, "apiVersion": {"type": "string"},
			  "time": {"type": "string", "format": "date-time"}, "fieldsType": {"type": "string"},
			  "fieldsV1": {"type": "object"}, "subresource": {"type": "string"}}}}}}""";

	private final Supplier<List<ServedType>> types;

	private final Map<String, ObjectNode> known;

	/**
	 * Creates the descriptions of types.
	 * @param types supplies the types
	 * @param known the known schemas, by API version and kind
	 */
	public OpenApi(Supplier<List<ServedType>> types, Map<String, ObjectNode> known) {
		this.types = types;
		this.known = known;
	}

	public byte[] v2Protobuf() {
		return V2_PROTOBUF.clone();
	}

	public ObjectNode v2() {
		ObjectNode document = Json.object().put("swagger", "2.0");
		document.putObject("info").put("title", "Kubernetes").put("version", "v1.36.0");
		document.putObject("paths");
		document.putObject("definitions");
		return document;
	}

	/**
	 * Answers a request for a description in OpenAPI version 3.
	 * @param path the path
	 * @return the answer, or {@code null} if the path is unknown
	 */
	public @Nullable ObjectNode v3(String path) {
		if (PREFIX.equals(path)) {
			ObjectNode document = Json.object();
			ObjectNode paths = document.putObject("paths");
			this.types.get()
				.forEach((type) -> paths.putObject(root(type))
					.put("serverRelativeURL", PREFIX + "/" + root(type) + "?hash=1"));
			return document;
		}
		List<ServedType> described = this.types.get()
			.stream()
			.filter((type) -> (PREFIX + "/" + root(type)).equals(path))
			.toList();
		return described.isEmpty() ? null : describe(described);
	}

	private static String root(ServedType type) {
		return (type.group().isEmpty() ? "api/" : "apis/") + type.apiVersion();
	}

	private ObjectNode describe(List<ServedType> types) {
		ObjectNode document = Json.object().put("openapi", "3.0.0");
		document.putObject("info").put("title", "Kubernetes").put("version", "v1.36.0");
		ObjectNode paths = document.putObject("paths");
		ObjectNode schemas = document.putObject("components").putObject("schemas");
		for (ServedType type : types) {
			String path = "/" + root(type) + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural()
					+ "/{name}";
			describePatch(paths.putObject(path).putObject("patch"), type);
			ObjectNode schema = schemas.putObject(schemaName(type)).put("type", "object");
			ObjectNode known = this.known.get(type.apiVersion() + "/" + type.kind());
			if (known != null) {
				schema.setAll(known.deepCopy());
				describeMetadata(schema, schemas);
			}
			else {
				schema.put("x-kubernetes-preserve-unknown-fields", true);
			}
			fillGroupVersionKind(schema.putArray("x-kubernetes-group-version-kind").addObject(), type);
		}
		return document;
	}

	/**
	 * Replaces the description of the metadata in the schema of a CRD, as a real server
	 * does.
	 */
	private static void describeMetadata(ObjectNode schema, ObjectNode schemas) {
		if (schema.get("properties") instanceof ObjectNode properties) {
			schemas.set(METADATA, Json.of(METADATA_SCHEMA));
			properties.putObject("metadata")
				.putArray("allOf")
				.addObject()
				.put("$ref", "#/components/schemas/" + METADATA);
		}
	}

	private static void describePatch(ObjectNode patch, ServedType type) {
		ObjectNode parameter = patch.putArray("parameters").addObject();
		parameter.put("name", "fieldValidation").put("in", "query").putObject("schema").put("type", "string");
		// the description does not offer strategic merge, because this schema has no
		// merge keys. For built-in types, kubectl then uses its own table of merge keys
		patch.putObject("requestBody")
			.putObject("content")
			.putObject("application/merge-patch+json")
			.putObject("schema")
			.put("type", "object");
		patch.putObject("responses").putObject("200").put("description", "OK");
		fillGroupVersionKind(patch.putObject("x-kubernetes-group-version-kind"), type);
		patch.put("x-kubernetes-action", "patch");
	}

	private static void fillGroupVersionKind(ObjectNode node, ServedType type) {
		node.put("group", type.group()).put("version", type.version()).put("kind", type.kind());
	}

	private static String schemaName(ServedType type) {
		return (type.group().isEmpty() ? "core" : type.group()) + "." + type.version() + "." + type.kind();
	}

}
