package dev.reflector.autoconfigure;

import dev.reflector.client.credentials.KubeconfigException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link KubeconfigException} of an application that reads a kubeconfig
 * itself.
 */
final class KubeconfigFailureAnalyzer extends AbstractFailureAnalyzer<KubeconfigException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, KubeconfigException cause) {
		return new FailureAnalysis("The description of an API server cannot be used: " + cause.getMessage(),
				"Correct what the description names, or use another one.", cause);
	}

}
