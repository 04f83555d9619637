package dev.reflector.cache.config;

import java.util.Collection;

/**
 * Files an object under values of an index (rule S-30). Called under the lock of the
 * writer, and by readers in {@link dev.reflector.Lister#byIndexOf}: must be fast, free of
 * side effects and usable by several threads. One that throws files the object under no
 * value, and the error is reported.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
@FunctionalInterface
public interface IndexFunction<T> {

	/**
	 * The values of an object.
	 * @param object the object
	 * @return none, one or many values
	 */
	Collection<String> values(T object);

}
