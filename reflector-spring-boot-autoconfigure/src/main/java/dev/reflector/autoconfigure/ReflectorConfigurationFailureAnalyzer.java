package dev.reflector.autoconfigure;

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
