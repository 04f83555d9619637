package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Describes which parts of a JSON value a Java type uses. Jackson would skip the other
 * parts, and check only their syntax.
 */
public sealed interface Shape {

	/** The shape that uses everything. */
	Shape ALL = new Whole();

	/** The whole value. */
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
	 * An object of which some properties are used. A type may contain itself, so the
	 * properties are set after the shape was created.
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
		 * @param bytes contain its name
		 * @param from where the name begins
		 * @param to where it ends
		 * @return the shape of the property, {@code null} when it is not used
		 */
		@Nullable public Shape find(byte[] bytes, int from, int to) {
			int index = this.names.find(bytes, from, to);
			return (index >= 0) ? this.shapes[index] : null;
		}

	}

}
