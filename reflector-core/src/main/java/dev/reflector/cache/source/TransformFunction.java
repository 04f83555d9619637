package dev.reflector.cache.source;

/**
 * Changes each object before it is stored, for example to leave out what need not be held
 * (client-go: {@code TransformFunc}). Called on threads of the source, also several times
 * for one version of an object: must be fast and free of side effects. Name, namespace
 * and resource version must stay what they are. One that throws leaves the object out, as
 * if it could not be read: the mirror keeps the last version that could.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
@FunctionalInterface
public interface TransformFunction<T> {

	/**
	 * Changes an object.
	 * @param object the object as it was read
	 * @return the object to store, which may be the same
	 */
	T transform(T object);

}
