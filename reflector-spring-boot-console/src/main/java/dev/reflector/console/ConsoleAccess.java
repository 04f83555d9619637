package dev.reflector.console;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Limits what the console may show and do. The limits that an operator sets for the
 * actuator also apply to the console.
 *
 * @param reads whether the console is served at all
 * @param writes whether the console may trigger operations
 */
record ConsoleAccess(boolean reads, boolean writes) {

	private static final Logger logger = LoggerFactory.getLogger(Console.class);

	private static final String MOST = "management.endpoints.access.max-permitted";

	private static final String ENDPOINT = "management.endpoint.reflectors.access";

	/**
	 * A deprecated property that Spring Boot still reads instead of {@link #ENDPOINT}.
	 */
	private static final String ENDPOINT_ENABLED = "management.endpoint.reflectors.enabled";

	/**
	 * Reads the settings. The access is limited by the largest access that the actuator
	 * permits, and by the access that a property sets for the endpoint. The default
	 * access of the endpoint does not limit the console.
	 * @param environment the environment with the settings
	 * @param writeOperations whether the console may trigger operations
	 * @return the allowed access
	 */
	static ConsoleAccess of(Environment environment, boolean writeOperations) {
		Binder settings = Binder.get(environment);
		Access most = settings.bind(MOST, Access.class).orElse(Access.UNRESTRICTED);
		boolean disabled = !settings.bind(ENDPOINT_ENABLED, Boolean.class).orElse(true);
		Access endpoint = disabled ? Access.NONE : settings.bind(ENDPOINT, Access.class).orElse(Access.UNRESTRICTED);
		Access access = endpoint.cap(most);
		String lock = (access == most) ? MOST : disabled ? ENDPOINT_ENABLED : ENDPOINT;
		if (access == Access.NONE) {
			logger.warn("The console answers no requests because of '{}'. Change that property to allow access, or "
					+ "disable the console with 'reflector.console.enabled=false'", lock);
		}
		else if (access == Access.READ_ONLY && writeOperations) {
			logger.warn("The console is read-only because of '{}', although 'reflector.console.write-operations' is "
					+ "set", lock);
		}
		return new ConsoleAccess(access != Access.NONE, writeOperations && access == Access.UNRESTRICTED);
	}

	void requireReads() {
		if (!this.reads) {
			throw ConsoleProblem.forbidden("'" + MOST + "' or '" + ENDPOINT + "' does not allow to read");
		}
	}

}
