package dev.reflector.cache.handler;

import dev.reflector.ResourceKey;

/**
 * Thrown by {@link Change#object()} when the content of a deleted object is not known,
 * because the snapshot has no readable content of the object.
 *
 * @since 0.1.0
 * @see Change#contentUnknown()
 */
public class ContentUnknownException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param key key of the object
	 */
	public ContentUnknownException(ResourceKey key) {
		super("The content of " + key + ", which was deleted, is not known: ask contentUnknown() first, and use key()");
	}

}
