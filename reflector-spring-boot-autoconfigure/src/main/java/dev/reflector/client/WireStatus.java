package dev.reflector.client;

import java.util.List;
import java.util.Objects;

import dev.reflector.cache.Status;
import org.jspecify.annotations.Nullable;

/**
 * A {@code Status} as it comes over the wire (W-30).
 */
record WireStatus(@Nullable String kind, @Nullable String apiVersion, int code, @Nullable String reason,
		@Nullable String message, @Nullable Details details) {

	/** W-31: only this kind in one of these versions is a Status. */
	boolean isStatus() {
		return "Status".equals(this.kind) && ("v1".equals(this.apiVersion) || "meta.k8s.io/v1".equals(this.apiVersion));
	}

	Status toStatus(int httpCode) {
		List<Status.Cause> causes = List.of();
		if (this.details != null && this.details.causes() != null) {
			causes = this.details.causes()
				.stream()
				.filter(Objects::nonNull)
				.map((cause) -> new Status.Cause(cause.reason(), cause.message(), cause.field()))
				.toList();
		}
		return new Status((this.code != 0) ? this.code : httpCode, Objects.requireNonNullElse(this.reason, ""),
				Objects.requireNonNullElse(this.message, ""), causes,
				(this.details != null) ? Math.max(0, this.details.retryAfterSeconds()) : 0, this.details != null);
	}

	record Details(@Nullable List<Cause> causes, int retryAfterSeconds) {

	}

	record Cause(@Nullable String reason, @Nullable String message, @Nullable String field) {

	}

}
