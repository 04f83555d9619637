package dev.reflector.autoconfigure.internal.connection;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.RequestFailure;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs which permissions to grant when the server forbids a request for the first time.
 * The log contains a manifest to apply, for the user that the server names.
 */
public final class PermissionAdvice {

	private static final Logger logger = LoggerFactory
		.getLogger("dev.reflector.autoconfigure.registration.RbacManifest");

	/**
	 * Matches the name of the user in the message with which an API server forbids a
	 * request.
	 */
	private static final Pattern SUBJECT = Pattern.compile("User \"([A-Za-z0-9:@._/-]{1,253})\" cannot ");

	private final UnaryOperator<String> permissions;

	private final AtomicBoolean given = new AtomicBoolean();

	/**
	 * Creates the advice.
	 * @param permissions makes the manifest for a user; the argument is the name of the
	 * user, or empty if the user is not known
	 */
	public PermissionAdvice(UnaryOperator<String> permissions) {
		this.permissions = permissions;
	}

	/**
	 * Makes an observer that logs the manifest when the server forbids a request of a
	 * reflector.
	 * @param reflector the name of the reflector
	 * @param plural supplies the plural of the reflector's type, or {@code null} if the
	 * server has forbidden discovery. In that case, the manifest would not help, and is
	 * not logged
	 * @return the observer
	 */
	public ReflectorObserver observer(String reflector, Supplier<@Nullable String> plural) {
		return new ReflectorObserver() {

			@Override
			public void backingOff(Duration delay, RequestFailure failure) {
				Status status = failure.status();
				if (status != null && status.code() == 403 && !failure.passing() && plural.get() != null) {
					forbidden(reflector, status);
				}
			}

		};
	}

	private void forbidden(String reflector, Status refusal) {
		if (this.given.compareAndSet(false, true)) {
			logger.atWarn()
				.addKeyValue("reflector", reflector)
				.addKeyValue("status", 403)
				.log("The server forbids requests of reflector '{}'. This manifest allows all requests that the "
						+ "application needs:\n{}", reflector, this.permissions.apply(subject(refusal)));
		}
	}

	/**
	 * Logs the permissions, unless a forbidden request has logged them before.
	 * @param leases the name of the Leases that the request was about
	 * @param refusal the answer of the server
	 */
	void forbiddenLeases(String leases, ApiException refusal) {
		if (this.given.compareAndSet(false, true)) {
			logger.atWarn()
				.addKeyValue("status", 403)
				.log("The server forbids requests for the Leases {}. This manifest allows all requests that the "
						+ "application needs:\n{}", leases, this.permissions.apply(subject(refusal.status())));
		}
	}

	/**
	 * Returns the name of the user in the server's message, or an empty string if there
	 * is none.
	 */
	private static String subject(Status refusal) {
		Matcher subject = SUBJECT.matcher(refusal.message());
		return subject.find() ? subject.group(1) : "";
	}

}
