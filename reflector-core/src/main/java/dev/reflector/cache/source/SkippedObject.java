package dev.reflector.cache.source;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * An object that could not be read into the declared type, or could not be transformed.
 * The mirror continues without this version of the object. If the key is known, the
 * mirror keeps the last version that could be read.
 *
 * @param key key of the object, or {@code null} when not even the key could be read. A
 * list with such an object deletes nothing from the mirror, because each missing object
 * may be this one
 * @param resourceVersion version of the object, empty when it could not be read
 * @param reason why the object could not be read and what to do about it, human-readable
 * @param cause the kind of the failure for which the object is skipped
 * @since 0.1.0
 */
public record SkippedObject(@Nullable ResourceKey key, String resourceVersion, String reason, Cause cause) {

	/**
	 * Creates an object that does not fit the declared type.
	 * @param key key of the object, or {@code null} when not even the key could be read
	 * @param resourceVersion version of the object, empty when it could not be read
	 * @param reason why the object could not be read and what to do about it,
	 * human-readable
	 */
	public SkippedObject(@Nullable ResourceKey key, String resourceVersion, String reason) {
		this(key, resourceVersion, reason, Cause.UNREADABLE);
	}

	/**
	 * Returns the components in a form that is safe for a log line, see
	 * {@link PrintableText}.
	 * @return the components as text
	 */
	@Override
	public String toString() {
		return PrintableText.of("SkippedObject[key=" + this.key + ", resourceVersion=" + this.resourceVersion
				+ ", reason=" + this.reason + ", cause=" + this.cause + "]");
	}

	/** The kind of the failure for which an object is skipped. */
	public enum Cause {

		/** The object does not fit the declared type. */
		UNREADABLE,

		/**
		 * The object was read, but a {@link TransformFunction} has thrown an exception
		 * for it.
		 */
		TRANSFORMATION

	}

}
