package dev.reflector.autoconfigure.internal.diagnosis;

import dev.reflector.autoconfigure.internal.lifecycle.ReflectorSyncTimeoutException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link ReflectorSyncTimeoutException}.
 */
final class ReflectorSyncTimeoutFailureAnalyzer extends AbstractFailureAnalyzer<ReflectorSyncTimeoutException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ReflectorSyncTimeoutException cause) {
		return new FailureAnalysis(cause.getMessage(),
				"Correct what the errors name. If there is no error, set 'reflector.startup.timeout' to a "
						+ "longer time. Set "
						+ "'reflector.resources.<name>.enabled' to false for a type that need not be mirrored. "
						+ "Set 'reflector.startup.strict' to false to start the application anyway; it "
						+ "is not ready before the mirrors are complete.",
				cause);
	}

}
