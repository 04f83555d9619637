package dev.reflector.autoconfigure.internal.connection;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.reflector.cache.source.ApiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once which permissions to grant when the server forbids a request: as a manifest
 * to apply, for the user that the server names.
 */
public final class PermissionAdvice {

	private static final Logger logger = LoggerFactory
		.getLogger("dev.reflector.autoconfigure.registration.RbacManifest");

	/** How API servers begin their message about a forbidden request. */
	private static final Pattern SUBJECT = Pattern.compile("User \"([A-Za-z0-9:@._/-]{1,253})\" cannot ");

	private final UnaryOperator<String> permissions;

	private final AtomicBoolean given = new AtomicBoolean();

	/**
	 * Creates the advice.
	 * @param permissions makes the manifest for a user, whose name is empty when it is
	 * not known
	 */
	public PermissionAdvice(UnaryOperator<String> permissions) {
		this.permissions = permissions;
	}

	/**
	 * Logs the permissions when this is the first forbidden request.
	 * @param reflector the name of the reflector
	 * @param refusal the answer
	 */
	void forbidden(String reflector, ApiException refusal) {
		if (this.given.compareAndSet(false, true)) {
			logger.atWarn()
				.addKeyValue("reflector", reflector)
				.addKeyValue("status", 403)
				.log("The server forbids requests of reflector '{}'. This manifest allows all that the application mirrors:\n{}",
						reflector, this.permissions.apply(subject(refusal)));
		}
	}

	/**
	 * Logs the permissions when this is the first forbidden request.
	 * @param leases which Leases it was for
	 * @param refusal the answer
	 */
	void forbiddenLeases(String leases, ApiException refusal) {
		if (this.given.compareAndSet(false, true)) {
			logger.atWarn()
				.addKeyValue("status", 403)
				.log("The server forbids requests for the Leases {}. This manifest allows all that the application does:\n{}",
						leases, this.permissions.apply(subject(refusal)));
		}
	}

	/** The user that the server names, or an empty text. */
	private static String subject(ApiException refusal) {
		Matcher subject = SUBJECT.matcher(refusal.status().message());
		return subject.find() ? subject.group(1) : "";
	}

}
