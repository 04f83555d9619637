package dev.reflector.console;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says whether the security of the application asks for a user before it lets a request
 * through to the console.
 */
interface ConsoleProtection {

	/** A request that shows all reflectors. */
	String REQUEST = "/api/reflectors";

	/**
	 * Whether a request without a user gets through.
	 * @return whether it does
	 */
	boolean isOpen();

	/**
	 * Logs that a filter has failed on the request without a user. A refusal of Spring
	 * Security is what is wanted; after anything else nothing is known.
	 * @param failure what the filter has thrown
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
	 * Logs a warning when the console is open to all.
	 * @param protection what protects it, {@code null} without Spring Security
	 * @param access what the console may show and do
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
