package dev.reflector.cache.source;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * An object that the server sent and that could not be read into the declared type. It
 * never ends the mirror; as long as its key is known, the mirror keeps the last version
 * it could read.
 *
 * @param key key of the object, or {@code null} when not even that could be read. An item
 * of a list without a readable key cannot be told from one that is gone
 * @param resourceVersion version of the object, empty when it could not be read
 * @param reason why it could not be read and what to do about it, for a person
 * @param cause whose failure it is
 * @since 0.1.0
 */
public record SkippedObject(@Nullable ResourceKey key, String resourceVersion, String reason, Cause cause) {

	/**
	 * An object that could not be read.
	 * @param key key of the object, or {@code null} when not even that could be read
	 * @param resourceVersion version of the object, empty when it could not be read
	 * @param reason why it could not be read and what to do about it, for a person
	 */
	public SkippedObject(@Nullable ResourceKey key, String resourceVersion, String reason) {
		this(key, resourceVersion, reason, Cause.UNREADABLE);
	}

	/**
	 * What is known of it, fit for a log line, as {@link PrintableText} makes it.
	 * @return the components
	 */
	@Override
	public String toString() {
		return PrintableText.of("SkippedObject[key=" + this.key + ", resourceVersion=" + this.resourceVersion
				+ ", reason=" + this.reason + ", cause=" + this.cause + "]");
	}

	/** Why an object is skipped. */
	public enum Cause {

		/** What the server sent does not fit the declared type. */
		UNREADABLE,

		/** It was read, and a {@link TransformFunction} has thrown. */
		TRANSFORMATION

	}

}
