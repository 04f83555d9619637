package dev.reflector.autoconfigure.internal.diagnosis;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.convert.ConversionException;

/**
 * Explains a URL of the API server that is none, which mostly has no scheme. Comes before
 * Spring Boot's explanation of any value that cannot be converted.
 */
final class ApiServerUrlFailureAnalyzer extends AbstractFailureAnalyzer<BindException> implements Ordered {

	private static final String URL = "reflector.api-server.url";

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		if (!URL.equals(cause.getName().toString()) || findCause(cause, ConversionException.class) == null) {
			return null;
		}
		ConfigurationProperty property = cause.getProperty();
		// the value is not quoted: it may hold a password
		return new FailureAnalysis("The value of '" + URL + "' is no URL"
				+ ((property != null && property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "") + ".",
				"Begin it with https:// or http://, such as https://10.0.0.1:6443.", cause);
	}

}
