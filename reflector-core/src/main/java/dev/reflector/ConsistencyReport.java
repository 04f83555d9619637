package dev.reflector;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The result of comparing a mirror with the server. Keys and versions of all objects are
 * compared, at exactly one version of the collection. The report contains keys and
 * versions, but no content of an object.
 *
 * @param reflector name of the reflector
 * @param at when the comparison was finished
 * @param scopes one part for each namespace that is mirrored separately, or a single part
 * if all namespaces are mirrored together
 * @since 0.1.0
 */
public record ConsistencyReport(String reflector, Instant at, List<Scope> scopes) {

	/** The largest number of differences that the result for one namespace lists. */
	public static final int MAX_DIFFERENCES = 100;

	public ConsistencyReport {
		scopes = List.copyOf(scopes);
	}

	/**
	 * Returns the result for the whole mirror: {@link Result#DIFFERENT} if any part is
	 * different, otherwise {@link Result#NOT_COMPARABLE} if any part could not be
	 * compared, otherwise {@link Result#EQUAL}.
	 * @return the result
	 */
	public Result result() {
		for (Result result : List.of(Result.DIFFERENT, Result.NOT_COMPARABLE)) {
			if (this.scopes.stream().anyMatch((scope) -> scope.result() == result)) {
				return result;
			}
		}
		return Result.EQUAL;
	}

	/** The result of a comparison. */
	public enum Result {

		/** Mirror and server have the same objects in the same versions. */
		EQUAL,

		/** Mirror and server have different objects or versions. */
		DIFFERENT,

		/** Mirror and server could not be compared; the message of the part says why. */
		NOT_COMPARABLE

	}

	/**
	 * The result for one namespace, or for all namespaces together.
	 *
	 * @param namespace the namespace, or {@code null} for all
	 * @param result the result
	 * @param resourceVersion the version at which mirror and server were compared, empty
	 * when they were not compared
	 * @param compared number of objects on the server
	 * @param missing number of objects that only the server has
	 * @param surplus number of objects that only the mirror has
	 * @param different number of objects that mirror and server have in different
	 * versions
	 * @param skipped number of objects that the mirror cannot hold in their current
	 * version, because they cannot be read into the declared type; they do not count as
	 * differences
	 * @param differences the first {@value ConsistencyReport#MAX_DIFFERENCES} differences
	 * and skipped objects
	 * @param message why mirror and server could not be compared, empty if they were
	 * compared
	 */
	public record Scope(@Nullable String namespace, Result result, String resourceVersion, long compared, long missing,
			long surplus, long different, long skipped, List<Difference> differences, String message) {

		public Scope {
			differences = List.copyOf(differences);
		}

		/**
		 * Creates the result for a namespace in which mirror and server could not be
		 * compared.
		 * @param namespace the namespace, or {@code null} for all
		 * @param resourceVersion the version that was tried, or empty
		 * @param message why mirror and server could not be compared
		 * @return the result
		 */
		public static Scope notComparable(@Nullable String namespace, String resourceVersion, String message) {
			return new Scope(namespace, Result.NOT_COMPARABLE, resourceVersion, 0, 0, 0, 0, 0, List.of(), message);
		}

	}

	/**
	 * An object that differs between the mirror and the server.
	 *
	 * @param kind how the object differs
	 * @param key key of the object
	 * @param mirrorVersion the object's version in the mirror, or {@code null} if the
	 * mirror lacks the object
	 * @param serverVersion the object's version at the server, or {@code null} if the
	 * server lacks the object
	 */
	public record Difference(Kind kind, ResourceKey key, @Nullable String mirrorVersion,
			@Nullable String serverVersion) {

		/** How an object differs. */
		public enum Kind {

			/** Only the server has the object. */
			MISSING,

			/** Only the mirror has the object. */
			SURPLUS,

			/** Mirror and server have the object, in different versions. */
			VERSION,

			/**
			 * The server has the object in a version that could not be read, so the
			 * mirror does not have this version.
			 */
			SKIPPED

		}

	}

}
