package dev.reflector.console;

import java.util.List;

import dev.reflector.ResourceType;
import dev.reflector.console.ObjectView.Difference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Hides what must not be shown of an object: the values of Secrets, of which only keys
 * and lengths are left, and what the sanitizing functions of the application hide.
 */
final class ObjectMask {

	private static final String LAST_APPLIED = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";

	private static final List<String> SECRET_VALUES = List.of("/data", "/stringData", LAST_APPLIED);

	private final String reflector;

	private final Masking masking;

	private final boolean secret;

	ObjectMask(String reflector, ResourceType type, Masking masking) {
		this.reflector = reflector;
		this.masking = masking;
		this.secret = type.kind().equals("Secret") && type.group().isEmpty();
	}

	Difference mask(Difference difference) {
		return new Difference(difference.path(), mask(difference.path(), difference.before()),
				mask(difference.path(), difference.after()));
	}

	@Nullable JsonNode mask(String path, @Nullable JsonNode node) {
		if (node == null) {
			return null;
		}
		if (node instanceof ObjectNode object) {
			ObjectNode masked = object.objectNode();
			object.properties()
				.forEach((property) -> masked.set(property.getKey(), mask(
						path + "/" + property.getKey().replace("~", "~0").replace("/", "~1"), property.getValue())));
			return masked;
		}
		if (node instanceof ArrayNode array) {
			ArrayNode masked = array.arrayNode();
			for (int i = 0; i < array.size(); i++) {
				masked.add(mask(path + "/" + i, array.get(i)));
			}
			return masked;
		}
		return value(path, node);
	}

	private JsonNode value(String path, JsonNode value) {
		if (value.isNull()) {
			return value;
		}
		if (this.secret && SECRET_VALUES.stream().anyMatch((hidden) -> isWithin(path, hidden))) {
			return StringNode.valueOf("•••••• (" + value.asString().length() + " characters)");
		}
		if (!value.isString()) {
			return value;
		}
		String text = value.asString();
		String masked = this.masking.value(this.reflector, path.substring(1).replace('/', '.'), text);
		return masked.equals(text) ? value : StringNode.valueOf(masked);
	}

	private static boolean isWithin(String path, String hidden) {
		return path.equals(hidden) || path.startsWith(hidden + "/");
	}

}
