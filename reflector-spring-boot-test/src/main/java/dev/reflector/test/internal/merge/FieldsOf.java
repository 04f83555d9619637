package dev.reflector.test.internal.merge;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.reflector.test.internal.fields.FieldPath;
import dev.reflector.test.internal.fields.FieldSet;
import dev.reflector.test.internal.fields.PathElement;
import dev.reflector.test.internal.schema.MergeSchema;
import dev.reflector.test.internal.schema.MergeSchema.ListSchema;
import dev.reflector.test.internal.schema.MergeSchema.MapSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Finds the fields that an object contains. A manager that has applied the object owns
 * these fields.
 */
final class FieldsOf {

	private final FieldSet fields = new FieldSet();

	private FieldsOf() {
	}

	static FieldSet object(MergeSchema schema, @Nullable JsonNode object) {
		FieldsOf finder = new FieldsOf();
		if (object != null) {
			finder.visit(FieldPath.ROOT, schema, object);
		}
		return finder.fields;
	}

	private void visit(FieldPath path, MergeSchema schema, JsonNode value) {
		MergeSchema narrowed = schema.narrowed(value);
		MapSchema map = narrowed.map();
		ListSchema list = narrowed.list();
		if (map != null) {
			visitMap(path, map, value);
		}
		else if (narrowed.scalar() != null) {
			this.fields.add(path);
		}
		else if (list != null) {
			visitList(path, list, value);
		}
	}

	private void visitMap(FieldPath path, MapSchema map, JsonNode value) {
		if (map.atomic()) {
			this.fields.add(path);
			return;
		}
		for (Map.Entry<String, JsonNode> entry : value.properties()) {
			FieldPath below = path.then(new PathElement.Field(entry.getKey()));
			MergeSchema field = map.field(entry.getKey());
			if (field != null) {
				visit(below, field, entry.getValue());
			}
			if (entry.getValue().isNull() || isEmptyMap(entry.getValue()) || !map.names(entry.getKey())) {
				this.fields.add(below);
			}
		}
	}

	private static boolean isEmptyMap(JsonNode value) {
		return value.isObject() && value.isEmpty();
	}

	private void visitList(FieldPath path, ListSchema list, JsonNode value) {
		if (list.atomic()) {
			this.fields.add(path);
			return;
		}
		Set<PathElement> seen = new TreeSet<>();
		Set<PathElement> twice = new TreeSet<>();
		for (JsonNode element : value) {
			PathElement step = Elements.identify(list, element);
			if (!seen.add(step)) {
				twice.add(step);
			}
		}
		for (JsonNode element : value) {
			PathElement step = Elements.identify(list, element);
			FieldPath below = path.then(step);
			this.fields.add(below);
			if (!twice.contains(step)) {
				visit(below, list.element(), element);
			}
		}
	}

}
