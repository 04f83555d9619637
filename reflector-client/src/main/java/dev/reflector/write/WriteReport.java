package dev.reflector.write;

import java.time.Duration;
import java.util.List;

import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * What became of one call of a {@link ResourceWriter}.
 *
 * @param operation what was called
 * @param type the Java type that was written
 * @param resource the collection
 * @param key key of the object
 * @param outcome what became of it
 * @param duration how long the call took
 * @param changes in a dry run, the paths that would change, such as
 * {@code spec.replicas}; never values
 * @param afterDryRun whether it is about an object that a dry run would have created, so
 * that the server was not asked
 * @param failure why it failed, {@code null} when it did not
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

	/**
	 * What became of a write.
	 */
	public enum Outcome {

		/** The object was changed, as far as is known. */
		CHANGED,

		/** The object was as it should be. */
		UNCHANGED,

		/** Nothing was sent, because nothing has changed since the last write. */
		SKIPPED,

		/** The server was asked, and has changed nothing. */
		DRY_RUN,

		/** The write has failed. */
		FAILED

	}

}
