package dev.reflector.client.internal.bind;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import tools.jackson.databind.ObjectReader;

/**
 * Describes what a Java type reads from JSON, according to its deserializers: names of
 * properties, and JSON types that are refused. If this depends on more than the type, it
 * is {@link #ANYTHING}.
 */
public sealed interface DeclaredValue {

	/** A value about which nothing is known. */
	DeclaredValue ANYTHING = new Anything();

	/**
	 * Inspects the deserializers that Jackson has created for a type.
	 * @param reader reads objects, with a mapper for objects of a server
	 * @param type the type
	 * @return what the type reads
	 */
	static DeclaredValue of(ObjectReader reader, Class<?> type) {
		return DeclaredValueFinder.find(reader, type);
	}

	/**
	 * Returns the JSON types that are never read.
	 * @return the types, none when they are not known
	 */
	default Set<JsonType> refused() {
		return Set.of();
	}

	/** A value about which nothing is known. There is one instance. */
	record Anything() implements DeclaredValue {

	}

	/**
	 * A string, number or boolean, or what is written as a string: a time, a constant.
	 *
	 * @param refused JSON types that are never read
	 * @param refusedText which strings are not read; answers on any thread
	 */
	record Scalar(Set<JsonType> refused, Predicate<String> refusedText) implements DeclaredValue {

	}

	/**
	 * A list, set or array.
	 *
	 * @param each the declaration of each element
	 * @param refused JSON types that are never read
	 */
	record Elements(DeclaredValue each, Set<JsonType> refused) implements DeclaredValue {

	}

	/**
	 * A map.
	 *
	 * @param each the declaration of each value of the map
	 * @param refused JSON types that are never read
	 */
	record Entries(DeclaredValue each, Set<JsonType> refused) implements DeclaredValue {

	}

	/**
	 * An object with properties. A type may contain itself, so the members are set after
	 * the creation, and equality means identity.
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
	 * @param names its name in JSON, and other names that are read instead
	 * @param type name of the Java type
	 * @param value what it reads
	 */
	record Member(List<String> names, String type, DeclaredValue value) {

	}

}
