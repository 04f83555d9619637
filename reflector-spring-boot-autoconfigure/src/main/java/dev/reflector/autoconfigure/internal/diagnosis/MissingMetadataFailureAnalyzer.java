package dev.reflector.autoconfigure.internal.diagnosis;

import dev.reflector.ObjectMeta;
import dev.reflector.cache.source.MissingMetadataException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains that the metadata of a mirrored type cannot be read, and what to add to the
 * type.
 */
final class MissingMetadataFailureAnalyzer extends AbstractFailureAnalyzer<MissingMetadataException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, MissingMetadataException cause) {
		String what = cause.type().isRecord() ? "a component 'ObjectMeta metadata'"
				: "a property 'metadata' of type ObjectMeta with a getter";
		return new FailureAnalysis(cause.getMessage(),
				"Add " + what + " to " + cause.type().getName() + " (" + ObjectMeta.class.getName()
						+ "), or your own metadata type that has 'name', 'namespace' and " + "'resourceVersion'.",
				cause);
	}

}
