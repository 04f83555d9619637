package dev.reflector.autoconfigure.internal.diagnosis;

import dev.reflector.client.credentials.KubeconfigException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link KubeconfigException} in an application whose own code reads a
 * kubeconfig.
 */
final class KubeconfigFailureAnalyzer extends AbstractFailureAnalyzer<KubeconfigException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, KubeconfigException cause) {
		return new FailureAnalysis("The kubeconfig or service account cannot be used: " + cause.getMessage(),
				"Correct the files that the message names, or use others.", cause);
	}

}
