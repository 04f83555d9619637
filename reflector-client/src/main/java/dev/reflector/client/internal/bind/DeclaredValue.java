package dev.reflector.client.internal.bind;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import tools.jackson.databind.ObjectReader;

/**
 * Describes what a Java type reads from JSON, according to its deserializers: names of
 * properties, and JSON types that are refused. If this depends on more than the type, the
 * description is {@link #ANYTHING}.
 */
public sealed interface DeclaredValue {

	/** A value about which nothing is known. */
	DeclaredValue ANYTHING = new Anything();

	/**
	 * Returns the description of a type, according to the deserializers that Jackson has
	 * created for it.
	 * @param reader a reader whose mapper comes from {@link ServerObjectModule}
	 * @param type the type
	 * @return the description
	 */
	static DeclaredValue of(ObjectReader reader, Class<?> type) {
		return DeclaredValueFinder.find(reader, type);
	}

	/**
	 * Returns the JSON types that are never read.
	 * @return the types; empty if they are not known
	 */
	default Set<JsonType> refused() {
		return Set.of();
	}

	/** A value about which nothing is known. There is one instance. */
	record Anything() implements DeclaredValue {

	}

	/**
	 * A string, number or boolean, or a value that is written as a string, such as a time
	 * or a constant of an enum.
	 *
	 * @param refused JSON types that are never read
	 * @param refusedText returns whether a given string is refused; may be called on any
	 * thread
	 */
	record Scalar(Set<JsonType> refused, Predicate<String> refusedText) implements DeclaredValue {

	}

	/**
	 * A list, set or array.
	 *
	 * @param each describes the elements
	 * @param refused JSON types that are never read
	 */
	record Elements(DeclaredValue each, Set<JsonType> refused) implements DeclaredValue {

	}

	/**
	 * A map.
	 *
	 * @param each describes the values of the map
	 * @param refused JSON types that are never read
	 */
	record Entries(DeclaredValue each, Set<JsonType> refused) implements DeclaredValue {

	}

	/**
	 * An object with properties. A type may contain itself, so an instance is created
	 * before its members are set. Two instances are never equal.
	 */
	final class Members implements DeclaredValue {

		private final Set<JsonType> refused;

		private List<Member> list = List.of();

		Members(Set<JsonType> refused) {
			this.refused = refused;
		}

		void setList(List<Member> list) {
			this.list = list;
		}

		/**
		 * Returns the properties.
		 * @return the properties in the order of their declaration
		 */
		public List<Member> list() {
			return this.list;
		}

		@Override
		public Set<JsonType> refused() {
			return this.refused;
		}

	}

	/**
	 * A property.
	 *
	 * @param names the name of the property in JSON, followed by its aliases
	 * @param type the name of the Java type
	 * @param value what the Java type reads
	 */
	record Member(List<String> names, String type, DeclaredValue value) {

	}

}
