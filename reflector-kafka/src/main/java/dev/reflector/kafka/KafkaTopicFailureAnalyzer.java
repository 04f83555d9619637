package dev.reflector.kafka;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link KafkaTopicException}.
 */
final class KafkaTopicFailureAnalyzer extends AbstractFailureAnalyzer<KafkaTopicException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, KafkaTopicException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
