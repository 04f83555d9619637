package dev.reflector.cache.handler;

import dev.reflector.ResourceKey;

/**
 * Thrown when the content of a deleted object is requested but not known, because the
 * snapshot had the object in a form that cannot be read.
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
