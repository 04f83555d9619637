package dev.reflector.autoconfigure.registration;

import java.util.List;

import dev.reflector.ResourceType;

/**
 * Says which types of the API server the application mirrors, without making a reflector.
 *
 * @since 0.1.0
 */
public interface ReflectedResourceTypes {

	/**
	 * The types, as annotations, registrations and properties define them. A plural that
	 * is not declared is formed as in English.
	 * @return the distinct types, each with a plural
	 */
	List<ResourceType> list();

	/**
	 * What reflectors request from an API server. A plural is the one that the server has
	 * named, if it has.
	 * @return the types, each with a plural, and their namespaces
	 */
	List<Requested> requested();

	/**
	 * A type and the namespaces in which it is mirrored.
	 *
	 * @param type the type, with a plural
	 * @param namespaces the namespaces, empty for all
	 * @param namedByServer whether the plural is another one than expected, because the
	 * server has named it
	 */
	record Requested(ResourceType type, List<String> namespaces, boolean namedByServer) {

	}

}
