package dev.reflector.test.internal.fields;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The path from an object to one of its fields.
 *
 * @param elements the steps of the path
 */
public record FieldPath(List<PathElement> elements) {

	/** The object itself. */
	public static final FieldPath ROOT = new FieldPath(List.of());

	public FieldPath {
		elements = List.copyOf(elements);
	}

	/**
	 * Returns the path of a field that is reached through maps only, without lists.
	 * @param names the names of the fields
	 * @return the path
	 */
	public static FieldPath of(String... names) {
		FieldPath path = ROOT;
		for (String name : names) {
			path = path.then(new PathElement.Field(name));
		}
		return path;
	}

	public FieldPath then(PathElement element) {
		List<PathElement> longer = new ArrayList<>(this.elements);
		longer.add(element);
		return new FieldPath(longer);
	}

	@Override
	public String toString() {
		return this.elements.stream().map(PathElement::toString).collect(Collectors.joining());
	}

}
