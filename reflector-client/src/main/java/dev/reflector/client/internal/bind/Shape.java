package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Describes which parts of a JSON value a Java type uses. Jackson would read the other
 * parts only to check their syntax.
 */
public sealed interface Shape {

	/** The shape of a value that is used as a whole. */
	Shape ALL = new Whole();

	/** A value that is used as a whole. */
	record Whole() implements Shape {

	}

	/**
	 * An array.
	 *
	 * @param each the shape of each element
	 */
	record Elements(Shape each) implements Shape {

	}

	/**
	 * An object that is read as a map.
	 *
	 * @param each the shape of each value
	 */
	record Entries(Shape each) implements Shape {

	}

	/**
	 * An object with some properties that are used. A type may contain itself, so the
	 * shape is created before its properties are set.
	 */
	final class Properties implements Shape {

		private PropertyNames names = new PropertyNames(Set.of());

		private Shape[] shapes = {};

		public void setProperties(Map<String, Shape> properties) {
			this.names = new PropertyNames(properties.keySet());
			this.shapes = properties.values().toArray(Shape[]::new);
		}

		boolean declares(String name) {
			byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
			return find(bytes, 0, bytes.length) != null;
		}

		/**
		 * Finds a property.
		 * @param bytes the array that contains the name
		 * @param from the index at which the name begins
		 * @param to the index after the name
		 * @return the shape of the property, or {@code null} if the property is not used
		 */
		@Nullable public Shape find(byte[] bytes, int from, int to) {
			int index = this.names.find(bytes, from, to);
			return (index >= 0) ? this.shapes[index] : null;
		}

	}

}
