package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a warning about a wait that cannot succeed: it blocks the thread on which Spring
 * creates the beans of an application and only afterwards starts the reflectors.
 */
final class EarlyWait {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private static final String CONTEXT = "org.springframework.context.support.AbstractApplicationContext";

	private EarlyWait() {
	}

	static void warn(String reflector, Duration timeout) {
		boolean starting = StackWalker.getInstance()
			.walk((frames) -> frames
				.anyMatch((frame) -> frame.getClassName().equals(CONTEXT) && frame.getMethodName().equals("refresh")));
		if (starting) {
			long millis = TimeUnit.MILLISECONDS.convert(timeout);
			logger.atWarn()
				.addKeyValue("reflector", reflector)
				.log("Reflector '{}' has not been started yet: awaitSynced was called while Spring creates "
						+ "beans, so it will return false after {} ms. Read the mirror in an ApplicationRunner, "
						+ "or when the ReflectorSyncedEvent is published", reflector, millis);
		}
	}

}
