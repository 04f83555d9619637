package dev.reflector.client.internal.bind;

import java.util.Set;

import dev.reflector.GenericResource;
import dev.reflector.ObjectMeta;
import dev.reflector.ResourceType;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads objects that have no Java class. Every object gets the API version and kind of
 * its collection, because the server omits both in lists (W-15), and sends another kind
 * if only metadata was requested (W-59).
 */
public final class GenericResourceDeserializer extends StdDeserializer<GenericResource> {

	/**
	 * The name of the attribute of a reader that says whether only the metadata is read.
	 */
	public static final Object METADATA_ONLY = GenericResourceDeserializer.class.getName() + ".metadataOnly";

	private static final Set<String> TYPE = Set.of("apiVersion", "kind");

	private static final String METADATA = "metadata";

	GenericResourceDeserializer() {
		super(GenericResource.class);
	}

	@Override
	public GenericResource deserialize(JsonParser parser, DeserializationContext context) {
		if (!parser.isExpectedStartObjectToken()) {
			return (GenericResource) context.handleUnexpectedToken(getValueType(context), parser);
		}
		boolean metadataOnly = Boolean.TRUE.equals(context.getAttribute(METADATA_ONLY));
		ObjectNode content = context.getNodeFactory().objectNode();
		if (context.getAttribute(ResourceType.class) instanceof ResourceType type) {
			content.put("apiVersion", type.apiVersion()).put("kind", type.kind());
		}
		for (String name = parser.nextName(); name != null; name = parser.nextName()) {
			parser.nextToken();
			if (TYPE.contains(name) || (metadataOnly && !name.equals(METADATA))) {
				parser.skipChildren();
			}
			else {
				content.set(name, context.readTree(parser));
			}
		}
		JsonNode metadata = content.path(METADATA);
		if (!metadata.isObject()) {
			return context.reportInputMismatch(this, "the object has no metadata");
		}
		return new GenericResource(context.readTreeAsValue(metadata, ObjectMeta.class), content);
	}

}
