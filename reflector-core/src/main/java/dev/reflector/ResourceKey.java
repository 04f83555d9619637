package dev.reflector;

import org.jspecify.annotations.Nullable;

/**
 * Identifies an object within its type: namespace and name. Its text form is
 * {@code namespace/name}, or {@code name} for a cluster-scoped object.
 *
 * @param namespace the namespace, empty for a cluster-scoped object
 * @param name the name
 * @since 0.1.0
 */
public record ResourceKey(String namespace, String name) implements Comparable<ResourceKey> {

	/**
	 * Creates a key.
	 * @param namespace the namespace; {@code null} or empty for a cluster-scoped object
	 * @param name the name
	 * @return the key
	 */
	public static ResourceKey of(@Nullable String namespace, String name) {
		return new ResourceKey((namespace != null) ? namespace : "", name);
	}

	/**
	 * Parses the text form of a key.
	 * @param key {@code namespace/name} or {@code name}
	 * @return the key
	 * @throws IllegalArgumentException when the text has more than one slash
	 */
	public static ResourceKey parse(String key) {
		int slash = key.indexOf('/');
		if (slash < 0) {
			return new ResourceKey("", key);
		}
		if (key.indexOf('/', slash + 1) >= 0) {
			throw new IllegalArgumentException("unexpected key format: \"" + key + "\"");
		}
		return new ResourceKey(key.substring(0, slash), key.substring(slash + 1));
	}

	// same result as the generated equals of a record, but faster, because keys are
	// compared very often

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof ResourceKey key && this.name.equals(key.name)
				&& this.namespace.equals(key.namespace));
	}

	/**
	 * Returns a hash code that differs between processes, so that tenants of a cluster
	 * cannot choose object names that share a hash code.
	 * @return the hash code
	 */
	@Override
	public int hashCode() {
		return RandomHash.of(this.namespace, this.name);
	}

	@Override
	public int compareTo(ResourceKey other) {
		int result = this.namespace.compareTo(other.namespace);
		return (result != 0) ? result : this.name.compareTo(other.name);
	}

	/**
	 * Returns the text form, which is safe for a log line whatever the object's name
	 * contains.
	 * @return namespace and name, see {@link PrintableText}
	 */
	@Override
	public String toString() {
		return PrintableText.of(this.namespace.isEmpty() ? this.name : this.namespace + "/" + this.name);
	}

}
