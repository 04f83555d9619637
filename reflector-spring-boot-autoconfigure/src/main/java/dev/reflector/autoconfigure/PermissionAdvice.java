package dev.reflector.autoconfigure;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.reflector.cache.source.ApiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once per application which permissions to grant when the server forbids what a
 * reflector needs, ready to be applied, for the user whom the server names.
 */
final class PermissionAdvice {

	private static final Logger logger = LoggerFactory.getLogger(RbacManifest.class);

	/** How API servers begin what they say of a request that is forbidden. */
	private static final Pattern SUBJECT = Pattern.compile("User \"([A-Za-z0-9:@._/-]{1,253})\" cannot ");

	private final Supplier<RbacManifest> permissions;

	private final AtomicBoolean given = new AtomicBoolean();

	PermissionAdvice(Supplier<RbacManifest> permissions) {
		this.permissions = permissions;
	}

	/**
	 * Takes note that a request was forbidden.
	 * @param reflector the name of the reflector
	 * @param refusal the answer
	 */
	void forbidden(String reflector, ApiException refusal) {
		if (this.given.compareAndSet(false, true)) {
			logger.atWarn()
				.addKeyValue("reflector", reflector)
				.addKeyValue("status", 403)
				.log("The server forbids what reflector '{}' needs. This allows all that the application mirrors:\n{}",
						reflector, this.permissions.get().yaml(subject(refusal)));
		}
	}

	/** The user whom the server names, or an empty text when it names none. */
	private static String subject(ApiException refusal) {
		Matcher subject = SUBJECT.matcher(refusal.status().message());
		return subject.find() ? subject.group(1) : "";
	}

}
