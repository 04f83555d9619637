package dev.reflector.console;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import dev.reflector.ResourceType;
import dev.reflector.console.ObjectView.Difference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Hides the parts of an object that must not be shown. For a Secret, only keys, lengths
 * of values and identifying fields are shown. For every object, the fields that the
 * application's sanitizing functions hide are not shown.
 */
final class ObjectMask {

	/**
	 * The fields of a Secret that are shown. They are compared in lower case, because the
	 * application may write the names in another style.
	 */
	private static final Set<String> SHOWN_OF_SECRETS = Set.of("/apiversion", "/kind", "/type", "/immutable",
			"/metadata/name", "/metadata/namespace", "/metadata/uid", "/metadata/resourceversion",
			"/metadata/generation", "/metadata/creationtimestamp", "/metadata/deletiontimestamp");

	private static final Pattern LABEL = Pattern.compile("/metadata/labels/[^/]+");

	private static final Pattern SEPARATORS = Pattern.compile("[-_. ]");

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
		if (this.secret && !isShownOfSecrets(path)) {
			return StringNode.valueOf("•••••• (" + value.asString("").length() + " characters)");
		}
		Object plain = value.isNumber() ? value.numberValue()
				: value.isBoolean() ? value.booleanValue() : value.asString("");
		Object masked = this.masking.value(this.reflector, field(path), plain);
		return masked.equals(plain) ? value : StringNode.valueOf(masked.toString());
	}

	/**
	 * Returns the names in a JSON pointer, without escapes and with dots between them.
	 */
	private static String field(String path) {
		return path.isEmpty() ? "" : path.substring(1).replace('/', '.').replace("~1", "/").replace("~0", "~");
	}

	private static boolean isShownOfSecrets(String path) {
		String plain = SEPARATORS.matcher(path).replaceAll("").toLowerCase(Locale.ROOT);
		return SHOWN_OF_SECRETS.contains(plain) || LABEL.matcher(plain).matches();
	}

}
