package dev.reflector.cache.source;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;

/**
 * Key and version of an object on one side, for a comparison of two sides.
 *
 * @param key key of the object
 * @param resourceVersion version of the object
 * @since 0.1.0
 */
public record ObjectVersion(ResourceKey key, String resourceVersion) {

	/**
	 * Key and version in a form that is safe for a log line, see {@link PrintableText}.
	 * @return the components
	 */
	@Override
	public String toString() {
		return PrintableText.of("ObjectVersion[key=" + this.key + ", resourceVersion=" + this.resourceVersion + "]");
	}

}
