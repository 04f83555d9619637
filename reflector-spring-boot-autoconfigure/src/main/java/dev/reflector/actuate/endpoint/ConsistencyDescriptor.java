package dev.reflector.actuate.endpoint;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.reflector.ConsistencyReport;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Report of the {@link ReflectorsEndpoint} on a comparison of a mirror with the server.
 *
 * @param name name of the reflector
 * @param result result for the whole mirror
 * @param at when the comparison was finished, or {@code null} if the reflector could not
 * compare
 * @param scopes one comparison for each namespace that is mirrored separately
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ConsistencyDescriptor(String name, ConsistencyReport.Result result, @Nullable Instant at,
		List<ScopeDescriptor> scopes) implements OperationResponseBody {

	static ConsistencyDescriptor of(ConsistencyReport report, ValueSanitizer sanitizer) {
		return new ConsistencyDescriptor(report.reflector(), report.result(), report.at(),
				report.scopes().stream().map((scope) -> ScopeDescriptor.of(scope, sanitizer)).toList());
	}

	static ConsistencyDescriptor notComparable(String reflector, String reason, ValueSanitizer sanitizer) {
		ConsistencyReport.Scope scope = ConsistencyReport.Scope.notComparable(null, "", reason);
		return new ConsistencyDescriptor(reflector, scope.result(), null,
				List.of(ScopeDescriptor.of(scope, sanitizer)));
	}

	/**
	 * The comparison of one namespace.
	 *
	 * @param namespace the namespace, {@code null} for all
	 * @param result the result
	 * @param resourceVersion the version at which both sides were compared
	 * @param compared number of objects at the server
	 * @param missing number of objects that only the server has
	 * @param surplus number of objects that only the mirror has
	 * @param different number of objects in different versions
	 * @param skipped number of objects that cannot be read into the declared type
	 * @param differences the first differences and skipped objects
	 * @param message why there is no result, empty if there is one
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	record ScopeDescriptor(@Nullable String namespace, ConsistencyReport.Result result, String resourceVersion,
			long compared, long missing, long surplus, long different, long skipped,
			List<DifferenceDescriptor> differences, String message) {

		private static ScopeDescriptor of(ConsistencyReport.Scope scope, ValueSanitizer sanitizer) {
			return new ScopeDescriptor(scope.namespace(), scope.result(), sanitizer.version(scope.resourceVersion()),
					scope.compared(), scope.missing(), scope.surplus(), scope.different(), scope.skipped(),
					scope.differences()
						.stream()
						.map((difference) -> DifferenceDescriptor.of(difference, sanitizer))
						.toList(),
					sanitizer.message(scope.message()));
		}

	}

	/**
	 * An object that differs between mirror and server.
	 *
	 * @param kind how the object differs
	 * @param key key of the object
	 * @param mirrorVersion version in the mirror, or {@code null} if the mirror does not
	 * have the object
	 * @param serverVersion version at the server, or {@code null} if the server does not
	 * have the object
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	record DifferenceDescriptor(ConsistencyReport.Difference.Kind kind, String key, @Nullable String mirrorVersion,
			@Nullable String serverVersion) {

		private static DifferenceDescriptor of(ConsistencyReport.Difference difference, ValueSanitizer sanitizer) {
			return new DifferenceDescriptor(difference.kind(), sanitizer.object(difference.key().toString()),
					sanitizer.versionOrNull(difference.mirrorVersion()),
					sanitizer.versionOrNull(difference.serverVersion()));
		}

	}

}
