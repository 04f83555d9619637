package dev.reflector.cache.source;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;

/**
 * Says which version of an object one side has: all that is needed to compare two sides.
 *
 * @param key key of the object
 * @param resourceVersion version of the object
 * @since 0.1.0
 */
public record ObjectVersion(ResourceKey key, String resourceVersion) {

	/**
	 * Key and version, fit for a log line, as {@link PrintableText} makes them.
	 * @return the components
	 */
	@Override
	public String toString() {
		return PrintableText.of("ObjectVersion[key=" + this.key + ", resourceVersion=" + this.resourceVersion + "]");
	}

}
