package dev.reflector.console;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether the security of the application requires a user for requests to the
 * console.
 */
interface ConsoleProtection {

	/** Path of a request that shows all reflectors. */
	String REQUEST = "/api/reflectors";

	/**
	 * Whether the security of the application lets a request without a user reach the
	 * console.
	 * @return whether it reaches the console
	 */
	boolean isOpen();

	/**
	 * Logs that a filter has failed on the request without a user. Nothing is logged for
	 * a refusal of Spring Security, which means that the console is protected. After any
	 * other failure, it is not known whether the console is protected.
	 * @param failure the exception of the filter
	 */
	static void failed(Exception failure) {
		if (!failure.getClass().getName().startsWith("org.springframework.security.")) {
			LoggerFactory.getLogger(Console.class)
				.warn("Whether a user is needed to see the console could not be checked: a filter of Spring Security "
						+ "failed on a request made for that. Check that 'reflector.console.path' is protected",
						failure);
		}
	}

	/**
	 * Logs a warning if the console is open to everyone who can reach it.
	 * @param protection the protection of the console, or {@code null} without Spring
	 * Security
	 * @param access limits what the console may show and do
	 */
	static void warnIfOpen(@Nullable ConsoleProtection protection, ConsoleAccess access) {
		Logger logger = LoggerFactory.getLogger(Console.class);
		if (access.reads() && (protection == null || protection.isOpen())) {
			logger.warn(
					"The console is not protected: no filter of Spring Security asks for a user, so anyone who "
							+ "can reach the port sees all mirrored objects{}. Protect "
							+ "'reflector.console.path', or set 'reflector.console.enabled=false'",
					access.writes() ? " and can trigger operations" : "");
		}
	}

}
