package dev.reflector.test.internal.schema;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.schema.ResourceSchema.StatusRule;
import tools.jackson.databind.node.ObjectNode;

/**
 * The schemas of the types of a server.
 */
public final class Schemas {

	private static final MergeSchema FREE = OpenApiSchema
		.ofObject(Json.object().put("type", "object").put("x-kubernetes-preserve-unknown-fields", true));

	private final Map<String, ObjectNode> definitions;

	private final Set<String> withStatus;

	private final Map<ServedType, ResourceSchema> schemas = new ConcurrentHashMap<>();

	/**
	 * Creates the schemas from definitions.
	 * @param definitions the schemas of CRDs, by API version and kind
	 * @param withStatus API versions and kinds of the CRDs that have a subresource for
	 * the status
	 */
	public Schemas(Map<String, ObjectNode> definitions, Set<String> withStatus) {
		this.definitions = definitions;
		this.withStatus = withStatus;
	}

	public ResourceSchema of(ServedType type) {
		return this.schemas.computeIfAbsent(type, this::create);
	}

	private ResourceSchema create(ServedType type) {
		String name = type.apiVersion() + "/" + type.kind();
		ObjectNode definition = this.definitions.get(name);
		if (definition != null) {
			return new ResourceSchema(OpenApiSchema.ofObject(definition), Coercion.of(definition),
					this.withStatus.contains(name) ? StatusRule.SUBRESOURCE : StatusRule.FIELD, true);
		}
		ResourceSchema builtIn = BuiltInSchemas.find(type);
		return (builtIn != null) ? builtIn : new ResourceSchema(FREE, null, StatusRule.EITHER, true);
	}

}
