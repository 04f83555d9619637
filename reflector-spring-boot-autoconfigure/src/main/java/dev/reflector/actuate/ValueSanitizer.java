package dev.reflector.actuate;

import java.util.List;

import dev.reflector.ReflectorStatus.BusyListener;
import dev.reflector.actuate.ReflectorsEndpoint.ConsistencyDescriptor;
import dev.reflector.actuate.ReflectorsEndpoint.DifferenceDescriptor;
import dev.reflector.actuate.ReflectorsEndpoint.ErrorDescriptor;
import dev.reflector.actuate.ReflectorsEndpoint.ReflectorDescriptor;
import dev.reflector.actuate.ReflectorsEndpoint.ScopeDescriptor;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;

/**
 * Hides what a report has not from this library: what the server said, and the names of
 * objects. The functions of the application are asked about each such text, under the key
 * {@code reflectors.NAME.message} or {@code reflectors.NAME.object}.
 */
final class ValueSanitizer {

	private final Sanitizer sanitizer;

	ValueSanitizer(Sanitizer sanitizer) {
		this.sanitizer = sanitizer;
	}

	ReflectorDescriptor sanitize(ReflectorDescriptor reflector, boolean showValues) {
		return reflector.with(sanitize(reflector.name(), reflector.lastError(), showValues),
				sanitize(reflector.name(), reflector.deliveryStopped(), showValues),
				sanitize(reflector.name(), reflector.busyListener(), showValues),
				reflector.scopes()
					.stream()
					.map((scope) -> scope.with(sanitize(reflector.name(), scope.lastError(), showValues)))
					.toList());
	}

	private @Nullable ErrorDescriptor sanitize(String reflector, @Nullable ErrorDescriptor error, boolean showValues) {
		return (error != null) ? new ErrorDescriptor(error.at(), error.status(), error.reason(),
				message(reflector, error.message(), showValues)) : null;
	}

	private @Nullable BusyListener sanitize(String reflector, @Nullable BusyListener listener, boolean showValues) {
		return (listener != null) ? new BusyListener(listener.name(),
				sanitize("reflectors." + reflector + ".object", listener.subject(), showValues), listener.since())
				: null;
	}

	ConsistencyDescriptor sanitize(ConsistencyDescriptor comparison, boolean showValues) {
		return comparison.with(comparison.scopes()
			.stream()
			.map((scope) -> scope.with(differences(comparison.name(), scope, showValues),
					message(comparison.name(), scope.message(), showValues)))
			.toList());
	}

	private List<DifferenceDescriptor> differences(String reflector, ScopeDescriptor scope, boolean showValues) {
		return scope.differences()
			.stream()
			.map((difference) -> new DifferenceDescriptor(difference.kind(),
					sanitize("reflectors." + reflector + ".object", difference.key(), showValues),
					difference.mirrorVersion(), difference.serverVersion()))
			.toList();
	}

	private String message(String reflector, String message, boolean showValues) {
		return message.isEmpty() ? message : sanitize("reflectors." + reflector + ".message", message, showValues);
	}

	private String sanitize(String key, String value, boolean showValues) {
		return String.valueOf(this.sanitizer.sanitize(new SanitizableData(null, key, value), showValues));
	}

}
