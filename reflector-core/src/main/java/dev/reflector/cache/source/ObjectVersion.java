package dev.reflector.cache.source;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;

/**
 * Key and version of an object, to compare a mirror with the server.
 *
 * @param key key of the object
 * @param resourceVersion version of the object
 * @since 0.1.0
 */
public record ObjectVersion(ResourceKey key, String resourceVersion) {

	/**
	 * Returns key and version in a form that is safe for a log line, see
	 * {@link PrintableText}.
	 * @return key and version
	 */
	@Override
	public String toString() {
		return PrintableText.of("ObjectVersion[key=" + this.key + ", resourceVersion=" + this.resourceVersion + "]");
	}

}
