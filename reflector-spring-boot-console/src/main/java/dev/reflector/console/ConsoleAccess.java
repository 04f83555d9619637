package dev.reflector.console;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * What the console may show and do at most: the lock that an operator puts on the
 * actuator holds for the console, too.
 *
 * @param reads whether it is served at all
 * @param writes whether it triggers operations
 */
record ConsoleAccess(boolean reads, boolean writes) {

	private static final Logger logger = LoggerFactory.getLogger(Console.class);

	private static final String MOST = "management.endpoints.access.max-permitted";

	private static final String ENDPOINT = "management.endpoint.reflectors.access";

	/** What Spring Boot still reads in the place of the property above. */
	private static final String ENDPOINT_ENABLED = "management.endpoint.reflectors.enabled";

	/**
	 * Reads the settings. What the actuator permits at most always applies; the access to
	 * the endpoint only if it is set, as its default is that of the endpoint alone.
	 * @param environment has the settings
	 * @param writeOperations whether the console may trigger operations
	 * @return what is allowed
	 */
	static ConsoleAccess of(Environment environment, boolean writeOperations) {
		Binder settings = Binder.get(environment);
		Access most = settings.bind(MOST, Access.class).orElse(Access.UNRESTRICTED);
		boolean disabled = !settings.bind(ENDPOINT_ENABLED, Boolean.class).orElse(true);
		Access endpoint = disabled ? Access.NONE : settings.bind(ENDPOINT, Access.class).orElse(Access.UNRESTRICTED);
		Access access = endpoint.cap(most);
		String lock = (access == most) ? MOST : disabled ? ENDPOINT_ENABLED : ENDPOINT;
		if (access == Access.NONE) {
			logger.warn("The console answers no requests because of '{}'. Allow access with that property, or set "
					+ "'reflector.console.enabled=false', too", lock);
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
