package dev.reflector.autoconfigure.internal.diagnosis;

import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link ReflectorConfigurationException}.
 */
final class ReflectorConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ReflectorConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ReflectorConfigurationException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
