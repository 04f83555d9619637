package dev.reflector.test.internal.merge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.reflector.test.internal.fields.PathElement;
import dev.reflector.test.internal.schema.MergeSchema;
import dev.reflector.test.internal.schema.MergeSchema.ListSchema;
import dev.reflector.test.internal.schema.MergeSchema.MapSchema;
import dev.reflector.test.internal.schema.MergeSchema.Scalar;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks whether an object can be merged by its schema: every field is of the right kind,
 * no field is unknown, and the elements of lists that are sets or maps are distinct.
 */
final class SchemaCheck {

	private final boolean duplicatesAllowed;

	private final List<String> errors = new ArrayList<>();

	private SchemaCheck(boolean duplicatesAllowed) {
		this.duplicatesAllowed = duplicatesAllowed;
	}

	/**
	 * Checks an object.
	 * @param schema the schema of the object
	 * @param object the object
	 * @param duplicatesAllowed whether a set or a map may have an element twice
	 * @return the errors, in the words of real servers, or {@code null} if there are none
	 */
	static @Nullable String errors(MergeSchema schema, JsonNode object, boolean duplicatesAllowed) {
		SchemaCheck check = new SchemaCheck(duplicatesAllowed);
		check.visit("", schema, object);
		if (check.errors.isEmpty()) {
			return null;
		}
		return (check.errors.size() == 1) ? check.errors.get(0)
				: "errors:\n" + check.errors.stream().map((error) -> "  " + error).collect(Collectors.joining("\n"));
	}

	private void visit(String path, MergeSchema schema, JsonNode value) {
		MergeSchema narrowed = schema.narrowed(value);
		MapSchema map = narrowed.map();
		Scalar scalar = narrowed.scalar();
		ListSchema list = narrowed.list();
		if (map != null) {
			visitMap(path, map, value);
		}
		else if (scalar != null) {
			visitScalar(path, scalar, value);
		}
		else if (list != null) {
			visitList(path, list, value);
		}
	}

	private void visitScalar(String path, Scalar scalar, JsonNode value) {
		if (!scalar.fits(value)) {
			add(path, switch (scalar) {
				case NUMBER -> "expected numeric (int or float), got " + goType(value);
				case STRING -> "expected string, got &value.valueUnstructured{Value:" + goText(value) + "}";
				case BOOLEAN -> "expected boolean, got &{" + goText(value) + "}";
				case ANY -> "expected any scalar, got &{" + goText(value) + "}";
			});
		}
	}

	private static String goType(JsonNode value) {
		return value.isString() ? "string"
				: value.isBoolean() ? "bool" : value.isArray() ? "[]interface {}" : "map[string]interface {}";
	}

	private static String goText(JsonNode value) {
		if (value.isObject()) {
			return value.propertyStream()
				.map((field) -> field.getKey() + ":" + goText(field.getValue()))
				.collect(Collectors.joining(" ", "map[", "]"));
		}
		if (value.isArray()) {
			return value.valueStream().map(SchemaCheck::goText).collect(Collectors.joining(" ", "[", "]"));
		}
		return value.isString() ? value.stringValue() : value.toString();
	}

	private void visitMap(String path, MapSchema map, JsonNode value) {
		if (value.isNull()) {
			return;
		}
		if (!value.isObject()) {
			add(path, "expected map, got &{" + goText(value) + "}");
			return;
		}
		for (Map.Entry<String, JsonNode> entry : value.properties()) {
			MergeSchema field = map.field(entry.getKey());
			String below = path + "." + entry.getKey();
			if (field == null) {
				// as in real servers, the rest of the map is not checked
				add(below, "field not declared in schema");
				return;
			}
			visit(below, field, entry.getValue());
		}
	}

	private void visitList(String path, ListSchema list, JsonNode value) {
		if (value.isNull()) {
			return;
		}
		if (!value.isArray()) {
			add(path, "expected list, got &{" + goText(value) + "}");
			return;
		}
		Set<PathElement> seen = new TreeSet<>();
		int place = 0;
		for (JsonNode element : value) {
			PathElement step;
			try {
				step = list.atomic() ? new PathElement.Index(place) : Elements.identify(list, element);
			}
			catch (IllegalArgumentException ex) {
				add(path, "element " + place + ": " + ex.getMessage());
				return;
			}
			if (!seen.add(step) && !this.duplicatesAllowed) {
				add(path, "duplicate entries for key " + step);
			}
			visit(path + step, list.element(), element);
			place++;
		}
	}

	private void add(String path, String error) {
		this.errors.add(path.isEmpty() ? error : path + ": " + error);
	}

}
