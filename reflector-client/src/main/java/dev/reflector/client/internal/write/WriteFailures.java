package dev.reflector.client.internal.write;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.TypeNotServedException;
import dev.reflector.write.ObjectExistsException;
import dev.reflector.write.ObjectGoneException;
import dev.reflector.write.WriteConflictException;
import dev.reflector.write.WriteConflictException.Conflict;
import dev.reflector.write.WriteException;
import dev.reflector.write.WriteException.Failure;
import dev.reflector.write.WriteForbiddenException;
import dev.reflector.write.WriteInvalidException;
import dev.reflector.write.WriteNotFoundException;
import dev.reflector.write.WriteThrottledException;
import dev.reflector.write.WriteTooLargeException;
import dev.reflector.write.WriteUnreachableException;
import org.jspecify.annotations.Nullable;

/** Creates the exceptions for failed writes. */
final class WriteFailures {

	private static final String FIELD_CONFLICT = "FieldManagerConflict";

	/**
	 * The field that the server reports if the object has another uid than the applied
	 * record.
	 */
	private static final String UID = "metadata.uid";

	/**
	 * The message of an API server for a body that does not fit the schema. The server
	 * reports this as an internal error.
	 */
	private static final String NOT_IN_SCHEMA = "failed to create typed patch object";

	private static final Pattern MANAGER = Pattern.compile("conflict with \"([^\"]*)\"");

	/**
	 * The messages for an object that is too large: of etcd, and of the server, which
	 * does not send more than 2 MiB to etcd. Such a status has the code 500 and no
	 * reason.
	 */
	private static final List<String> TOO_LARGE = List.of("request is too large",
			"trying to send message larger than max");

	/**
	 * The message for a path that the server does not serve. The message for a missing
	 * object is different, and names the object.
	 */
	private static final String NO_PATH = "could not find the requested resource";

	/**
	 * The message if an admission webhook refuses the write. The webhook chooses the
	 * code, the reason and the details. They may be about another object, which the
	 * webhook has not found or must not read.
	 */
	private static final Pattern DENIED = Pattern.compile("admission webhook \"[^\"]*\" denied the request");

	/**
	 * The message if a role does not allow the write. If the write is forbidden for
	 * another reason, the message is different.
	 */
	private static final Pattern NO_PERMISSION = Pattern.compile("cannot \\S+ resource\\b");

	/**
	 * The message of a conflict that may be temporary. Conflicts with other messages are
	 * permanent.
	 */
	private static final String MODIFIED = "has been modified";

	private WriteFailures() {
	}

	/**
	 * Returns whether the object is gone: no object has its name, or the object with its
	 * name has another uid.
	 * @param write the write
	 * @param answered the response
	 */
	static boolean isGone(Write write, ApiException answered) {
		int code = answered.status().code();
		String message = answered.status().message();
		if (isDenied(answered.status())) {
			return false;
		}
		if (code == 404) {
			// a proxy may also respond with 404, but its response does not say what is
			// missing
			return answered.status().reason().equals("NotFound") && answered.status().hasDetails()
					&& !(answered instanceof TypeNotServedException) && !message.contains(NO_PATH)
					&& !isNamespaceMissing(write, message);
		}
		return code == 410 || (code == 409 && (message.contains("uid mismatch") || message.contains("UID in ")))
				|| (code == 422 && answered.status().causes().stream().anyMatch((cause) -> cause.field().equals(UID)));
	}

	/** Whether the namespace of the object is missing, and not a written namespace. */
	private static boolean isNamespaceMissing(Write write, String message) {
		return !write.key().namespace().isEmpty() && message.startsWith("namespaces ");
	}

	/**
	 * Returns whether other clients have repeatedly changed the object while the server
	 * applied the record.
	 */
	static boolean isContention(@Nullable Status status) {
		return status != null && status.code() == 409 && status.reason().equals("Conflict")
				&& status.message().contains(MODIFIED)
				&& status.causes().stream().noneMatch((cause) -> cause.reason().equals(FIELD_CONFLICT));
	}

	/**
	 * Returns whether a response is final, so that the write must not be sent again. Some
	 * internal errors of the server are final, too. The code 408 is not: it says only
	 * that the request did not arrive in time.
	 */
	static boolean isFinal(Status status) {
		return (status.code() < 500 && status.code() != 408) || isTooLarge(status)
				|| status.message().startsWith(NOT_IN_SCHEMA);
	}

	private static boolean isTooLarge(Status status) {
		return status.code() == 413 || TOO_LARGE.stream().anyMatch(status.message()::contains);
	}

	private static boolean isDenied(Status status) {
		return DENIED.matcher(status.message()).lookingAt();
	}

	/**
	 * Creates the exception for a final response.
	 * @param write the write
	 * @param answered the response
	 * @param lost whether an earlier response was lost
	 */
	static WriteException answered(Write write, ApiException answered, boolean lost) {
		Status status = answered.status();
		Failure failure = new Failure(write.toString(), write.key(), status, lost, answered);
		String said = String.valueOf(answered.getMessage());
		if (isTooLarge(status)) {
			return new WriteTooLargeException(
					"the object is larger than the server accepts: apply less, or divide it (" + said + ")", failure);
		}
		if (status.code() < 400) {
			// redirects are not followed
			return unreachable(write, answered, lost);
		}
		if (isDenied(status) && status.code() != 422 && status.code() != 429) {
			return refused(status, failure);
		}
		return switch (status.code()) {
			case 401 -> new WriteForbiddenException("", said, failure);
			case 403 -> forbidden(write, status, said, failure);
			case 404, 410 -> notFound(write, answered, said, failure);
			case 409 -> conflict(write, answered, said, failure);
			case 415 -> new WriteInvalidException(status.causes(),
					"the server does not know server-side apply, which Kubernetes has since 1.22 (" + said + ")",
					failure);
			case 422 -> (!write.uid().isEmpty() && isGone(write, answered)) ? gone(said, failure)
					: new WriteInvalidException(status.causes(), invalid(status, said), failure);
			case 429 -> throttled(write, answered, lost);
			default -> new WriteInvalidException(status.causes(), invalid(status, said), failure);
		};
	}

	private static String invalid(Status status, String said) {
		String causes = status.causes()
			.stream()
			.filter((cause) -> !cause.field().isEmpty())
			.map((cause) -> cause.field() + ": " + cause.message())
			.collect(Collectors.joining("; "));
		return "the server does not accept what was written" + (causes.isEmpty() ? "" : ": " + causes) + " (" + said
				+ ")";
	}

	private static WriteException forbidden(Write write, Status status, String said, Failure failure) {
		if (status.causes().stream().anyMatch((cause) -> cause.reason().equals("NamespaceTerminating"))) {
			return new WriteForbiddenException("", "its namespace is being deleted (" + said + ")", failure);
		}
		if (!NO_PERMISSION.matcher(status.message()).find()) {
			return refused(status, failure);
		}
		String plural = (write.resource().plural() != null) ? write.resource().plural()
				: write.resource().kind().toLowerCase(Locale.ROOT);
		String rule = "{apiGroups: [\"" + write.resource().group() + "\"], resources: [\"" + plural
				+ ((write.isStatus() && !write.verbs().contains("get")) ? "/status" : "") + "\"], verbs: [\""
				+ String.join("\", \"", write.verbs()) + "\"]}";
		return new WriteForbiddenException(rule,
				"the credentials do not allow it; the role needs the rule " + rule + " (" + said + ")", failure);
	}

	private static WriteForbiddenException refused(Status status, Failure failure) {
		return new WriteForbiddenException("", "an admission plugin or a quota refuses it (" + status + ")", failure);
	}

	private static WriteException notFound(Write write, ApiException answered, String said, Failure failure) {
		if (answered.status().reason().equals("ClusterScoped")) {
			return new WriteNotFoundException(
					write.resource() + " is cluster-scoped, and its objects are in no namespace: leave it out",
					failure);
		}
		if (!write.uid().isEmpty() && isGone(write, answered)) {
			return gone(said, failure);
		}
		if (write.isStatus() && answered.status().message().contains(NO_PATH)) {
			return new WriteNotFoundException("the type has no subresource 'status': its CRD must name it below "
					+ "'subresources' (" + said + ")", failure);
		}
		return new WriteNotFoundException("the server has no such type or namespace (" + said + ")", failure);
	}

	private static ObjectGoneException gone(String said, Failure failure) {
		return new ObjectGoneException(
				"the object with this uid does not exist any more, so nothing was written (" + said + ")", failure);
	}

	private static WriteException conflict(Write write, ApiException answered, String said, Failure failure) {
		Status status = answered.status();
		if (status.reason().equals("AlreadyExists")) {
			return new ObjectExistsException("there is an object of this name (" + said + ")", failure);
		}
		if (isGone(write, answered)) {
			return gone(said, failure);
		}
		List<Conflict> conflicts = status.causes()
			.stream()
			.filter((cause) -> cause.reason().equals(FIELD_CONFLICT))
			.map((cause) -> new Conflict(manager(cause.message()), cause.field()))
			.toList();
		if (conflicts.isEmpty()) {
			return new WriteConflictException(conflicts,
					(isContention(status) ? "others keep changing the object" : "the server sees a conflict") + " ("
							+ said + ")",
					failure);
		}
		String fields = conflicts.stream()
			.map((conflict) -> conflict.field() + " is owned by '" + conflict.manager() + "'")
			.collect(Collectors.joining(", "));
		return new WriteConflictException(conflicts,
				"as '" + write.manager() + "', other managers own fields of it with other values: " + fields
						+ "; leave these fields out, or take them over with ApplyOptions.defaults().withForce()",
				failure);
	}

	private static String manager(String message) {
		Matcher manager = MANAGER.matcher(message);
		return manager.find() ? manager.group(1) : "";
	}

	static WriteThrottledException throttled(Write write, ApiException answered, boolean lost) {
		Duration wait = answered.retryAfter();
		String asks = wait.isZero() ? "names no time to wait; the next attempt"
				: "asks to wait for " + wait.toSeconds() + " s, which";
		return new WriteThrottledException(wait,
				"the server accepts no more requests now, and " + asks + " is not within the rest of the timeout of "
						+ write.deadline().timeout().toMillis() + " ms (" + answered.getMessage() + ")",
				new Failure(write.toString(), write.key(), answered.status(), lost, answered));
	}

	/**
	 * Creates the exception for a missing or invalid response.
	 * @param write the write
	 * @param failure the last failure
	 * @param lost whether the server may have carried out the write
	 */
	static WriteUnreachableException unreachable(Write write, @Nullable Throwable failure, boolean lost) {
		Status status = (failure instanceof ApiException answered) ? answered.status() : null;
		String said = (failure == null) ? "the thread was interrupted"
				: (failure.getMessage() != null) ? failure.getMessage() : failure.getClass().getName();
		return new WriteUnreachableException(
				"no valid response of the server (" + said + ")"
						+ ((lost && !write.isRepeatable())
								? "; without a uid it is not sent again: check whether the write has happened before "
										+ "you repeat it"
								: ""),
				new Failure(write.toString(), write.key(), status, lost, failure));
	}

}
