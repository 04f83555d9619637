package dev.reflector.client.internal.decode;

import dev.reflector.cache.source.SkippedObject;

/**
 * The result of decoding an object.
 *
 * @param <T> the type of the objects
 */
public sealed interface Decoded<T> {

	/**
	 * An object that was read.
	 *
	 * @param <T> the type of the objects
	 * @param object the object
	 */
	record Readable<T>(T object) implements Decoded<T> {

	}

	/**
	 * An object that cannot be read.
	 *
	 * @param <T> the type of the objects
	 * @param object what is known about the object
	 * @param foreign whether the object is of another type than the collection
	 */
	record Unreadable<T>(SkippedObject object, boolean foreign) implements Decoded<T> {

	}

}
