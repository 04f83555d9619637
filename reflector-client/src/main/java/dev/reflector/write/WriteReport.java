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
 * @param key the key of the object
 * @param outcome the outcome of the call
 * @param duration the duration of the call
 * @param changes the paths that would change in a dry run, such as {@code spec.replicas};
 * never contains values
 * @param afterDryRun whether the write depends on an object that does not exist, because
 * that object was created in a dry run. If this object is the written object itself, no
 * request was sent
 * @param failure why the call failed, or {@code null} if it has not failed
 * @since 0.1.0
 */
public record WriteReport(WriteOperation operation, Class<?> type, ResourceType resource, ResourceKey key,
		Outcome outcome, Duration duration, List<String> changes, boolean afterDryRun,
		@Nullable WriteException failure) {

	/** Creates a report with a copy of the paths. */
	public WriteReport {
		changes = List.copyOf(changes);
	}

	/** The outcome of a write. */
	public enum Outcome {

		/** The object was changed, or it is not known whether the object was changed. */
		CHANGED,

		/** The object already had the written values. */
		UNCHANGED,

		/** No request was sent, because nothing has changed since the last write. */
		SKIPPED,

		/** The server has only checked the write, and changed nothing. */
		DRY_RUN,

		/** The write has failed. */
		FAILED

	}

}
