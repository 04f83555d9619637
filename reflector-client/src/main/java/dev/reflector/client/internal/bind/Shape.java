package dev.reflector.client.internal.bind;

import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * How much of a JSON value a Java type takes. Says so only where Jackson would throw the
 * rest away without looking at more than its syntax.
 */
public sealed interface Shape {

	/** Everything. */
	Shape ALL = new Whole();

	/** A value that is kept as it is. */
	record Whole() implements Shape {

	}

	/**
	 * An array, and how much of each element is taken.
	 *
	 * @param each of an element
	 */
	record Elements(Shape each) implements Shape {

	}

	/**
	 * An object that is a map, and how much of each value is taken.
	 *
	 * @param each of a value
	 */
	record Entries(Shape each) implements Shape {

	}

	/**
	 * An object of which only some properties are taken. A type may hold its own kind, so
	 * the properties are told after the shape is there.
	 */
	final class Properties implements Shape {

		private PropertyNames names = new PropertyNames(Set.of());

		private Shape[] shapes = {};

		public void are(Map<String, Shape> properties) {
			this.names = new PropertyNames(properties.keySet());
			this.shapes = properties.values().toArray(Shape[]::new);
		}

		/**
		 * Finds a property.
		 * @param bytes hold its name
		 * @param from where the name begins
		 * @param to where it ends
		 * @return how much of the property is taken, {@code null} for nothing
		 */
		@Nullable public Shape find(byte[] bytes, int from, int to) {
			int index = this.names.find(bytes, from, to);
			return (index >= 0) ? this.shapes[index] : null;
		}

	}

}
