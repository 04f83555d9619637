package dev.reflector.test.internal.merge;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.reflector.test.internal.fields.FieldPath;
import dev.reflector.test.internal.fields.FieldSet;
import dev.reflector.test.internal.fields.PathElement;
import dev.reflector.test.internal.fields.Values;
import dev.reflector.test.internal.schema.MergeSchema;
import dev.reflector.test.internal.schema.MergeSchema.ListSchema;
import dev.reflector.test.internal.schema.MergeSchema.MapSchema;
import dev.reflector.test.internal.schema.MergeSchema.Scalar;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The fields in which two objects differ.
 *
 * @param removed fields that only the first object has
 * @param modified fields that both objects have, with different values
 * @param added fields that only the second object has
 */
record Comparison(FieldSet removed, FieldSet modified, FieldSet added) {

	static Comparison of(MergeSchema schema, @Nullable JsonNode before, @Nullable JsonNode after) {
		Comparison comparison = new Comparison(new FieldSet(), new FieldSet(), new FieldSet());
		comparison.compare(FieldPath.ROOT, schema, before, after);
		return comparison;
	}

	/**
	 * Returns a copy of this comparison without the given fields and everything below
	 * these fields.
	 * @param ignored the fields
	 * @return a new comparison
	 */
	Comparison without(FieldSet ignored) {
		return new Comparison(this.removed.without(ignored), this.modified.without(ignored),
				this.added.without(ignored));
	}

	private void compare(FieldPath path, MergeSchema schema, @Nullable JsonNode before, @Nullable JsonNode after) {
		MergeSchema left = schema.narrowed(before);
		MergeSchema right = schema.narrowed(after);
		boolean leaf;
		if (after == null) {
			leaf = visit(path, left, before, null);
		}
		else if (before == null || left.equals(right)) {
			leaf = visit(path, right, before, after);
		}
		else {
			// the two values are of different kinds
			visit(path, left, before, after);
			leaf = visit(path, right, before, after);
		}
		if (!leaf) {
			if (before == null) {
				this.added.add(path);
			}
			else if (after == null) {
				this.removed.add(path);
			}
		}
	}

	/**
	 * Compares two values of the same kind. Returns {@code true} if they were compared as
	 * a whole, {@code false} if they were compared field by field.
	 */
	private boolean visit(FieldPath path, MergeSchema narrowed, @Nullable JsonNode before, @Nullable JsonNode after) {
		MapSchema map = narrowed.map();
		Scalar scalar = narrowed.scalar();
		ListSchema list = narrowed.list();
		if (map != null) {
			if (map.atomic() || (Merging.isEmptyMap(before) && Merging.isEmptyMap(after))) {
				return leaf(path, before, after);
			}
			visitMap(path, map, before, after);
		}
		else if (scalar != null) {
			if (scalar.fits(before) || scalar.fits(after)) {
				return leaf(path, before, after);
			}
		}
		else if (list != null) {
			if (list.atomic() || (Elements.of(before).isEmpty() && Elements.of(after).isEmpty())) {
				return leaf(path, before, after);
			}
			visitList(path, list, before, after);
		}
		return false;
	}

	private boolean leaf(FieldPath path, @Nullable JsonNode before, @Nullable JsonNode after) {
		if (before == null) {
			this.added.add(path);
		}
		else if (after == null) {
			this.removed.add(path);
		}
		else if (!Values.equal(before, after)) {
			this.modified.add(path);
		}
		return true;
	}

	private void visitMap(FieldPath path, MapSchema map, @Nullable JsonNode before, @Nullable JsonNode after) {
		Set<String> names = new LinkedHashSet<>(Merging.names(before));
		names.addAll(Merging.names(after));
		for (String name : names) {
			MergeSchema field = map.field(name);
			if (field != null) {
				compare(path.then(new PathElement.Field(name)), field, Merging.field(before, name),
						Merging.field(after, name));
			}
		}
	}

	private void visitList(FieldPath path, ListSchema list, @Nullable JsonNode before, @Nullable JsonNode after) {
		Map<PathElement, List<JsonNode>> left = Merging.byIdentity(list, before);
		Map<PathElement, List<JsonNode>> right = Merging.byIdentity(list, after);
		Set<PathElement> steps = new TreeSet<>(left.keySet());
		steps.addAll(right.keySet());
		for (PathElement step : steps) {
			visitElement(path.then(step), list.element(), left.getOrDefault(step, List.of()),
					right.getOrDefault(step, List.of()));
		}
	}

	/**
	 * Compares the occurrences of an element in two lists. If the element occurs several
	 * times in a list, its occurrences are compared as a whole.
	 */
	private void visitElement(FieldPath path, MergeSchema element, List<JsonNode> left, List<JsonNode> right) {
		if (left.size() <= 1 && right.size() <= 1) {
			compare(path, element, first(left), first(right));
		}
		else if (left.size() > 1 && right.size() > 1) {
			if (!sameLists(left, right)) {
				this.modified.add(path);
			}
		}
		else if (left.size() > 1) {
			if (!right.isEmpty()) {
				compare(path, element, null, right.get(0));
			}
			this.removed.add(path);
		}
		else {
			if (!left.isEmpty()) {
				compare(path, element, left.get(0), null);
			}
			this.added.add(path);
		}
	}

	private static @Nullable JsonNode first(List<JsonNode> elements) {
		return elements.isEmpty() ? null : elements.get(0);
	}

	private static boolean sameLists(List<JsonNode> left, List<JsonNode> right) {
		if (left.size() != right.size()) {
			return false;
		}
		for (int i = 0; i < left.size(); i++) {
			if (!Values.equal(left.get(i), right.get(i))) {
				return false;
			}
		}
		return true;
	}

}
