package dev.reflector.write;

import java.time.Duration;
import java.util.List;

import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * The report of one call of a {@link ResourceWriter}.
 *
 * @param operation the called method
 * @param type the Java type that was written
 * @param resource the collection
 * @param key key of the object
 * @param outcome the outcome of the call
 * @param duration how long the call took
 * @param changes in a dry run, the paths that would change, such as
 * {@code spec.replicas}; never values
 * @param afterDryRun whether the call is about an object that a dry run would have
 * created, so that no request was sent
 * @param failure why the call failed, {@code null} when it did not
 * @since 0.1.0
 */
public record WriteReport(WriteOperation operation, Class<?> type, ResourceType resource, ResourceKey key,
		Outcome outcome, Duration duration, List<String> changes, boolean afterDryRun,
		@Nullable WriteException failure) {

	/**
	 * Copies the paths.
	 */
	public WriteReport {
		changes = List.copyOf(changes);
	}

	/** The outcome of a write. */
	public enum Outcome {

		/** The object was changed, as far as known. */
		CHANGED,

		/** The object already had the written fields. */
		UNCHANGED,

		/** No request was sent, because nothing has changed since the last write. */
		SKIPPED,

		/** The server has only checked the write, and changed nothing. */
		DRY_RUN,

		/** The write has failed. */
		FAILED

	}

}
