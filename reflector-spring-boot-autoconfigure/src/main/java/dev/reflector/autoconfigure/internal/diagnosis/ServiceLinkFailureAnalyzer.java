package dev.reflector.autoconfigure.internal.diagnosis;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Explains a start that fails because there is a Service {@code reflector-resources} in
 * the namespace of the pod. Kubernetes then sets the environment variable
 * {@code REFLECTOR_RESOURCES_PORT} to an address such as {@code tcp://10.0.0.1:80}, which
 * Spring Boot takes for the settings of a reflector {@code port}. The order is before
 * Spring Boot's own analyzer of such failures, which does not name the Service.
 */
@Order(0)
final class ServiceLinkFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final String PORT = "reflector.resources.port";

	private final Environment environment;

	/**
	 * Creates the analyzer.
	 * @param environment has the value, which the failure does not have
	 */
	ServiceLinkFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		if (!cause.getName().toString().equals(PORT) || !this.environment.getProperty(PORT, "").contains("://")) {
			return null;
		}
		return new FailureAnalysis(
				"The environment variable REFLECTOR_RESOURCES_PORT is taken for 'reflector.resources.port', which must "
						+ "have the settings of a reflector. Kubernetes sets this variable if there is a Service "
						+ "'reflector-resources' in the namespace of the pod.",
				"Set 'enableServiceLinks: false' in the spec of the pod, or rename the Service.", cause);
	}

}
