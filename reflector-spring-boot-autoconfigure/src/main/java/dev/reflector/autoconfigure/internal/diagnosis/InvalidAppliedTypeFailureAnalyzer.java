package dev.reflector.autoconfigure.internal.diagnosis;

import dev.reflector.write.InvalidAppliedTypeException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains why a type cannot be applied.
 */
final class InvalidAppliedTypeFailureAnalyzer extends AbstractFailureAnalyzer<InvalidAppliedTypeException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidAppliedTypeException cause) {
		return new FailureAnalysis(cause.problem(), cause.advice(), cause);
	}

}
