package dev.reflector.test.internal.fields;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

import dev.reflector.test.internal.api.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A set of fields of an object. Adding a field adds neither its parent field nor the
 * fields below it.
 */
public final class FieldSet {

	private static final String SELF = ".";

	private final TreeSet<PathElement> members = new TreeSet<>();

	private final TreeMap<PathElement, FieldSet> children = new TreeMap<>();

	/**
	 * Returns a set of these fields.
	 * @param paths the fields
	 * @return a new set
	 */
	public static FieldSet of(FieldPath... paths) {
		FieldSet set = new FieldSet();
		for (FieldPath path : paths) {
			set.add(path);
		}
		return set;
	}

	/**
	 * Reads a set from the JSON form FieldsV1.
	 * @param fields the set in the form FieldsV1
	 * @return a new set
	 */
	public static FieldSet parse(JsonNode fields) {
		return Objects.requireNonNullElseGet(read(fields), FieldSet::new);
	}

	/**
	 * Reads the members below a field. Returns {@code null} if the form contains only the
	 * field itself.
	 */
	private static @Nullable FieldSet read(JsonNode fields) {
		FieldSet set = new FieldSet();
		fields.forEachEntry((name, below) -> {
			PathElement element = SELF.equals(name) ? null : PathElement.parse(name);
			if (element != null) {
				FieldSet child = read(below);
				if (child == null || below.has(SELF)) {
					set.members.add(element);
				}
				if (child != null) {
					set.children.put(element, child);
				}
			}
		});
		return set.isEmpty() ? null : set;
	}

	/**
	 * Adds a field. The path {@link FieldPath#ROOT} is ignored, because the object itself
	 * is not a field.
	 * @param path the field
	 */
	public void add(FieldPath path) {
		List<PathElement> elements = path.elements();
		if (elements.isEmpty()) {
			return;
		}
		FieldSet set = this;
		for (PathElement element : elements.subList(0, elements.size() - 1)) {
			set = set.children.computeIfAbsent(element, (unknown) -> new FieldSet());
		}
		set.members.add(elements.get(elements.size() - 1));
	}

	public boolean isEmpty() {
		return this.members.isEmpty() && this.children.values().stream().allMatch(FieldSet::isEmpty);
	}

	public boolean has(PathElement member) {
		return this.members.contains(member);
	}

	public boolean has(FieldPath path) {
		List<PathElement> elements = path.elements();
		FieldSet set = this;
		for (PathElement element : elements.subList(0, Math.max(0, elements.size() - 1))) {
			set = set.below(element);
		}
		return !elements.isEmpty() && set.has(elements.get(elements.size() - 1));
	}

	/**
	 * Returns the members below a field, as a set whose paths begin at this field.
	 * @param element the field
	 * @return the members below the field; the caller must not change this set
	 */
	public FieldSet below(PathElement element) {
		FieldSet child = this.children.get(element);
		return (child != null) ? child : new FieldSet();
	}

	public FieldSet union(FieldSet other) {
		FieldSet result = new FieldSet();
		result.members.addAll(this.members);
		result.members.addAll(other.members);
		this.children.forEach((element, child) -> result.children.put(element, child.union(other.below(element))));
		other.children.forEach(
				(element, child) -> result.children.computeIfAbsent(element, (missing) -> child.union(new FieldSet())));
		return result;
	}

	public FieldSet intersection(FieldSet other) {
		FieldSet result = new FieldSet();
		result.members.addAll(this.members);
		result.members.retainAll(other.members);
		this.children
			.forEach((element, child) -> result.putUnlessEmpty(element, child.intersection(other.below(element))));
		return result;
	}

	/**
	 * Returns a copy of this set without the members of another set. Members of this set
	 * below a removed member stay.
	 * @param other the other set
	 * @return a new set
	 */
	public FieldSet difference(FieldSet other) {
		FieldSet result = new FieldSet();
		result.members.addAll(this.members);
		result.members.removeAll(other.members);
		this.children
			.forEach((element, child) -> result.putUnlessEmpty(element, child.difference(other.below(element))));
		return result;
	}

	/**
	 * Returns a copy of this set without the members of another set, and without all
	 * members below those members.
	 * @param other the other set
	 * @return a new set
	 */
	public FieldSet without(FieldSet other) {
		FieldSet result = new FieldSet();
		result.members.addAll(this.members);
		result.members.removeAll(other.members);
		this.children.forEach((element, child) -> {
			if (!other.has(element)) {
				result.putUnlessEmpty(element, child.without(other.below(element)));
			}
		});
		return result;
	}

	/**
	 * Returns a copy of this set with further members, at any depth.
	 * @param more decides which members to add at one level
	 * @return a new set
	 */
	public FieldSet with(Addition more) {
		FieldSet result = new FieldSet();
		result.members.addAll(this.members);
		this.children.forEach((element, child) -> {
			if (more.adds(element)) {
				result.members.add(element);
			}
			result.children.put(element, child.with(more.below(element)));
		});
		return result;
	}

	private void putUnlessEmpty(PathElement element, FieldSet child) {
		if (!child.isEmpty()) {
			this.children.put(element, child);
		}
	}

	/**
	 * Returns the members. The members of one level come before the members below them.
	 * @return the paths of the members in this order
	 */
	public List<FieldPath> paths() {
		List<FieldPath> paths = new ArrayList<>();
		collect(FieldPath.ROOT, paths::add);
		return paths;
	}

	/**
	 * Returns the members below which there are no other members.
	 * @return a new set
	 */
	public FieldSet leaves() {
		FieldSet result = new FieldSet();
		this.children.forEach((element, child) -> result.putUnlessEmpty(element, child.leaves()));
		this.members.stream().filter((member) -> below(member).isEmpty()).forEach(result.members::add);
		return result;
	}

	private void collect(FieldPath prefix, Consumer<FieldPath> collector) {
		this.members.forEach((member) -> collector.accept(prefix.then(member)));
		this.children.forEach((element, child) -> child.collect(prefix.then(element), collector));
	}

	/**
	 * Writes this set in the form FieldsV1.
	 * @return a new tree
	 */
	public ObjectNode fieldsV1() {
		return write(false);
	}

	private ObjectNode write(boolean self) {
		ObjectNode fields = Json.object();
		if (self) {
			fields.putObject(SELF);
		}
		TreeMap<PathElement, @Nullable FieldSet> entries = new TreeMap<>();
		this.members.forEach((member) -> entries.put(member, null));
		entries.putAll(this.children);
		for (Map.Entry<PathElement, @Nullable FieldSet> entry : entries.entrySet()) {
			FieldSet child = entry.getValue();
			fields.set(entry.getKey().serialized(), (child != null && !child.isEmpty())
					? child.write(this.members.contains(entry.getKey())) : Json.object());
		}
		return fields;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof FieldSet set && paths().equals(set.paths());
	}

	@Override
	public int hashCode() {
		return paths().hashCode();
	}

	@Override
	public String toString() {
		return paths().toString();
	}

	/**
	 * Decides which fields become members because there are members below them.
	 */
	public interface Addition {

		boolean adds(PathElement element);

		Addition below(PathElement element);

	}

}
