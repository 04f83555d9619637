package dev.reflector.test.internal.merge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.fields.PathElement;
import dev.reflector.test.internal.schema.MergeSchema;
import dev.reflector.test.internal.schema.MergeSchema.ListSchema;
import dev.reflector.test.internal.schema.MergeSchema.MapSchema;
import dev.reflector.test.internal.schema.MergeSchema.Scalar;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Merges an applied object into the current object. Applied values replace current
 * values, and nothing is removed.
 */
final class Merging {

	private Merging() {
	}

	/**
	 * Merges two values.
	 * @param schema the schema of the values
	 * @param live the current value, or {@code null} for none
	 * @param applied the applied value, or {@code null} for none
	 * @return the merged value, or {@code null} for none
	 */
	static @Nullable JsonNode merge(MergeSchema schema, @Nullable JsonNode live, @Nullable JsonNode applied) {
		MergeSchema narrowed = schema.narrowed((applied != null) ? applied : live);
		MapSchema map = narrowed.map();
		Scalar scalar = narrowed.scalar();
		ListSchema list = narrowed.list();
		if (map != null) {
			return (map.atomic() || (isEmptyMap(live) && isEmptyMap(applied))) ? latter(live, applied)
					: mergeMaps(map, live, applied);
		}
		if (scalar != null || list == null) {
			return latter(live, applied);
		}
		return (list.atomic() || (Elements.of(live).isEmpty() && Elements.of(applied).isEmpty()))
				? latter(live, applied) : mergeLists(list, live, applied);
	}

	private static @Nullable JsonNode latter(@Nullable JsonNode live, @Nullable JsonNode applied) {
		return (applied != null) ? applied : live;
	}

	private static @Nullable JsonNode mergeMaps(MapSchema map, @Nullable JsonNode live, @Nullable JsonNode applied) {
		ObjectNode result = Json.object();
		Set<String> names = new LinkedHashSet<>(names(live));
		names.addAll(names(applied));
		for (String name : names) {
			MergeSchema field = map.field(name);
			JsonNode merged = merge((field != null) ? field : MergeSchema.DEDUCED, field(live, name),
					field(applied, name));
			if (merged != null) {
				result.set(name, merged);
			}
		}
		return result.isEmpty() ? null : result;
	}

	/**
	 * Merges two lists. Applied elements are in the order of the applied list. The other
	 * elements of the current list keep their places between the applied elements.
	 */
	private static @Nullable JsonNode mergeLists(ListSchema list, @Nullable JsonNode live, @Nullable JsonNode applied) {
		List<JsonNode> liveElements = Elements.of(live);
		List<PathElement> left = liveElements.stream().map((element) -> Elements.identify(list, element)).toList();
		List<PathElement> right = Elements.of(applied)
			.stream()
			.map((element) -> Elements.identify(list, element))
			.toList();
		Map<PathElement, List<JsonNode>> observedLeft = byIdentity(list, live);
		Map<PathElement, List<JsonNode>> observedRight = byIdentity(list, applied);
		List<PathElement> shared = new ArrayList<>(right.stream().filter(observedLeft::containsKey).toList());
		Set<PathElement> merged = new TreeSet<>();
		ArrayNode result = Json.MAPPER.createArrayNode();
		int i = 0;
		int j = 0;
		while (i < left.size() || j < right.size()) {
			if (i < left.size() && j < right.size()) {
				PathElement step = left.get(i);
				if (step.compareTo(right.get(j)) == 0) {
					merged.add(step);
					add(result, merge(list.element(), single(observedLeft, step), single(observedRight, step)));
					i++;
					j++;
					if (!shared.isEmpty()) {
						shared.remove(0);
					}
					continue;
				}
				if (observedRight.containsKey(step) && !shared.isEmpty() && shared.get(0).compareTo(step) != 0) {
					// the element is in both lists, and will be added when the applied
					// list reaches it
					i++;
					continue;
				}
			}
			if (i < left.size()) {
				PathElement step = left.get(i);
				if (!observedRight.containsKey(step)) {
					add(result, merge(list.element(), liveElements.get(i), null));
					i++;
					continue;
				}
				if (merged.contains(step)) {
					i++;
				}
			}
			if (j < right.size()) {
				PathElement step = right.get(j);
				merged.add(step);
				add(result, merge(list.element(), single(observedLeft, step), single(observedRight, step)));
				j++;
				if (!shared.isEmpty() && shared.get(0).compareTo(step) == 0) {
					shared.remove(0);
				}
			}
		}
		return result.isEmpty() ? null : result;
	}

	private static void add(ArrayNode list, @Nullable JsonNode element) {
		if (element != null) {
			list.add(element);
		}
	}

	/**
	 * Returns the only occurrence of an element, or {@code null} if the element does not
	 * occur or occurs several times, because repeated elements are not merged.
	 */
	private static @Nullable JsonNode single(Map<PathElement, List<JsonNode>> elements, PathElement step) {
		List<JsonNode> found = elements.getOrDefault(step, List.of());
		return (found.size() == 1) ? found.get(0) : null;
	}

	static Map<PathElement, List<JsonNode>> byIdentity(ListSchema list, @Nullable JsonNode value) {
		Map<PathElement, List<JsonNode>> elements = new TreeMap<>();
		for (JsonNode element : Elements.of(value)) {
			elements.computeIfAbsent(Elements.identify(list, element), (step) -> new ArrayList<>()).add(element);
		}
		return elements;
	}

	static boolean isEmptyMap(@Nullable JsonNode value) {
		return names(value).isEmpty();
	}

	static Collection<String> names(@Nullable JsonNode value) {
		return (value instanceof ObjectNode map) ? map.propertyNames() : List.of();
	}

	static @Nullable JsonNode field(@Nullable JsonNode value, String name) {
		return (value instanceof ObjectNode map) ? map.get(name) : null;
	}

}
