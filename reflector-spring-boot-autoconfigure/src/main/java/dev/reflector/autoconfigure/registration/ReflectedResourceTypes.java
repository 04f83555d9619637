package dev.reflector.autoconfigure.registration;

import java.util.List;

import dev.reflector.ResourceType;

/**
 * Reports which types of the API server the application mirrors. The report creates no
 * reflectors.
 *
 * @since 0.1.0
 */
public interface ReflectedResourceTypes {

	/**
	 * Returns the types that annotations, registrations and properties define. A plural
	 * that is not declared is the English plural of the kind.
	 * @return the distinct types, each with a plural
	 */
	List<ResourceType> list();

	/**
	 * Returns the types that reflectors request from an API server. If the server has
	 * named the plural of a type, the returned type has that plural.
	 * @return the types, each with a plural, and their namespaces
	 */
	List<Requested> requested();

	/**
	 * A type and the namespaces in which it is mirrored.
	 *
	 * @param type the type, with a plural
	 * @param namespaces the namespaces, empty for all
	 * @param namedByServer whether the plural is one that the server has named, and
	 * differs from the declared plural or the English plural
	 */
	record Requested(ResourceType type, List<String> namespaces, boolean namedByServer) {

	}

}
