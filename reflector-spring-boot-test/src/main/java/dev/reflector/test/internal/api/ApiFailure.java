package dev.reflector.test.internal.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.Status;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Thrown when the server refuses a request. The exception contains the {@code Status}
 * object for the answer.
 */
public final class ApiFailure extends ApiException {

	private final ObjectNode body;

	private ApiFailure(Status status, ObjectNode body) {
		super(status.toString(), status, Duration.ofSeconds(status.retryAfterSeconds()));
		this.body = body;
	}

	public static ApiFailure badRequest(String message) {
		return of(400, "BadRequest", message);
	}

	public static ApiFailure unauthorized() {
		return of(401, "Unauthorized", "Unauthorized");
	}

	public static ApiFailure forbidden(ServedType type, String user, String verb) {
		return about(type, "", 403, "Forbidden",
				type.qualifiedPlural() + " is forbidden: User \"" + user + "\" cannot " + verb + " resource \""
						+ type.plural() + "\" in API group \"" + type.group() + "\" at the cluster scope");
	}

	public static ApiFailure notFound(ServedType type, String name) {
		return about(type, name, 404, "NotFound", type.qualifiedPlural() + " \"" + name + "\" not found");
	}

	public static ApiFailure notServed() {
		ApiFailure failure = of(404, "NotFound", "the server could not find the requested resource");
		Json.child(failure.body, "details");
		return failure;
	}

	/**
	 * Creates the failure for an unknown subresource. For a built-in type, the path does
	 * not exist. For a custom resource, a real server answers that there is no such
	 * object.
	 */
	public static ApiFailure unknownSubresource(ServedType type, String name) {
		return type.builtIn() ? notServed() : notFound(type, name);
	}

	public static ApiFailure alreadyExists(ServedType type, String name, boolean deleting) {
		return about(type, name, 409, "AlreadyExists", (deleting ? "object is being deleted: " : "")
				+ type.qualifiedPlural() + " \"" + name + "\" already exists");
	}

	public static ApiFailure conflict(ServedType type, String name, String why) {
		return about(type, name, 409, "Conflict",
				"Operation cannot be fulfilled on " + type.qualifiedPlural() + " \"" + name + "\": " + why);
	}

	public static ApiFailure invalid(ServedType type, String kind, String name, String field, String why) {
		String message = kind + (type.group().isEmpty() ? "" : "." + type.group()) + " \"" + name + "\" is invalid: "
				+ field + ": " + why;
		String reason = why.startsWith("Required value") ? "FieldValueRequired" : "FieldValueInvalid";
		ApiFailure failure = of(
				new Status(422, "Invalid", message, List.of(new Status.Cause(reason, why, field)), 0, true));
		ObjectNode details = Json.child(failure.body, "details").put("group", type.group()).put("kind", kind);
		if (!name.isEmpty()) {
			details.put("name", name);
		}
		return failure;
	}

	/**
	 * Creates the failure for wrong parameters, or for parameters that a client may not
	 * combine (W-06, W-07).
	 * @param kind the kind of the options
	 * @param causes descriptions of what is wrong
	 * @return the failure
	 */
	public static ApiFailure invalidOptions(String kind, List<Status.Cause> causes) {
		ApiFailure failure = of(
				new Status(422, "Invalid", kind + ".meta.k8s.io \"\" is invalid: " + said(causes), causes, 0, true));
		Json.child(failure.body, "details").put("group", "meta.k8s.io").put("kind", kind);
		return failure;
	}

	private static String said(List<Status.Cause> causes) {
		List<String> said = causes.stream().map((cause) -> cause.field() + ": " + cause.message()).distinct().toList();
		return (said.size() == 1) ? said.get(0) : "[" + String.join(", ", said) + "]";
	}

	/**
	 * Creates the failure for an object that is not valid.
	 * @param type type of the object
	 * @param name name of the object
	 * @param causes descriptions of what is wrong
	 * @return the failure
	 */
	public static ApiFailure invalid(ServedType type, String name, List<Status.Cause> causes) {
		String qualified = type.kind() + (type.group().isEmpty() ? "" : "." + type.group());
		ApiFailure failure = of(new Status(422, "Invalid", qualified + " \"" + name + "\" is invalid: " + said(causes),
				causes, 0, true));
		Json.child(failure.body, "details").put("name", name).put("group", type.group()).put("kind", type.kind());
		return failure;
	}

	/**
	 * Creates the failure for a patch whose result is not valid.
	 * @param causes descriptions of what is wrong
	 * @return the failure
	 */
	public static ApiFailure invalidPatch(List<Status.Cause> causes) {
		return of(new Status(422, "Invalid", " \"\" is invalid: " + said(causes), causes, 0, true));
	}

	/**
	 * Creates the failure for an apply that would take fields from other managers.
	 * @param message names the fields and their managers
	 * @param causes one cause for each field of each manager
	 * @return the failure
	 */
	public static ApiFailure applyConflict(String message, List<Status.Cause> causes) {
		return of(new Status(409, "Conflict", message, causes, 0, true));
	}

	/**
	 * Creates the failure for a body that is too large.
	 * @param limit the largest size of a body, in bytes
	 * @return the failure
	 */
	public static ApiFailure tooLarge(int limit) {
		return of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + limit);
	}

	/**
	 * Creates the failure for an unexpected error in a real server: 500, without a
	 * reason.
	 * @param message the message
	 * @return the failure
	 */
	public static ApiFailure unexpected(String message) {
		ApiFailure failure = of(500, "", message);
		failure.body.remove("reason");
		return failure;
	}

	// a conflict whose details name the kind, as real servers report a failed
	// precondition
	public static ApiFailure precondition(ServedType type, String name, String why) {
		ApiFailure failure = of(409, "Conflict", "Operation cannot be fulfilled on " + type.kind()
				+ (type.group().isEmpty() ? "" : "." + type.group()) + " \"" + name + "\": " + why);
		Json.child(failure.body, "details").put("name", name).put("group", type.group()).put("kind", type.kind());
		return failure;
	}

	public static ApiFailure deleteNotSupported(ServedType type) {
		ApiFailure failure = of(405, "MethodNotAllowed",
				"delete is not supported on resources of kind \"" + type.qualifiedPlural() + "\"");
		Json.child(failure.body, "details").put("group", type.group()).put("kind", type.plural());
		return failure;
	}

	public static ApiFailure methodNotAllowed() {
		return of(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
	}

	public static ApiFailure notAcceptable(String message) {
		return of(406, "NotAcceptable", message);
	}

	public static ApiFailure unsupportedMediaType(String accepted) {
		return of(415, "UnsupportedMediaType",
				"the body of the request was in an unknown format - accepted media types include: " + accepted);
	}

	/**
	 * Creates the failure for a JSON patch whose operation cannot be applied or whose
	 * test has failed.
	 * @param why the operation and the reason
	 * @return the failure
	 */
	public static ApiFailure unprocessablePatch(String why) {
		ApiFailure failure = of(
				new Status(422, "Invalid", "the server rejected our request due to an error in our request",
						List.of(new Status.Cause("UnexpectedServerResponse", why, "")), 0, true));
		Json.child(failure.body, "details");
		return failure;
	}

	public static ApiFailure expired(String message) {
		return of(410, "Expired", message);
	}

	// W-20: the answer contains a new token, which continues with the newest state
	public static ApiFailure expiredToken(String freshToken) {
		ApiFailure failure = expired("The provided continue parameter is too old to display a consistent list result. "
				+ "You can start a new list without the continue parameter, or use the continue token in this response "
				+ "to retrieve the remainder of the results. Continuing with the provided token results in an "
				+ "inconsistent list - objects that were created, modified, or deleted between the time the first chunk "
				+ "was returned and now may show up in the list.");
		Json.child(failure.body, "metadata").put("continue", freshToken);
		return failure;
	}

	public static ApiFailure tooLargeResourceVersion(long asked, long current) {
		Status.Cause cause = new Status.Cause("ResourceVersionTooLarge", "Too large resource version", "");
		ApiFailure failure = of(new Status(504, "Timeout",
				"Timeout: Too large resource version: " + asked + ", current: " + current, List.of(cause), 1, true));
		Json.child(failure.body, "details").put("retryAfterSeconds", 1);
		return failure;
	}

	/**
	 * Adds the seconds of the header {@code Retry-After} to the status.
	 * @param header the value of the header, empty for none
	 * @return this failure
	 */
	public ApiFailure withRetryAfter(String header) {
		RetryAfter.seconds(header, Instant.now())
			.ifPresent((seconds) -> Json.child(this.body, "details").put("retryAfterSeconds", seconds));
		return this;
	}

	/**
	 * Converts an exception to the failure that the server sends to the client.
	 * @param ex the exception
	 * @return the failure
	 */
	public static ApiFailure from(Throwable ex) {
		return (ex instanceof ApiFailure failure) ? failure
				: of(500, "InternalError", "Internal error occurred: " + ex);
	}

	private static ApiFailure about(ServedType type, String name, int code, String reason, String message) {
		ApiFailure failure = of(code, reason, message);
		ObjectNode details = Json.child(failure.body, "details").put("name", name);
		if (!type.group().isEmpty()) {
			details.put("group", type.group());
		}
		details.put("kind", type.plural());
		return failure;
	}

	public static ApiFailure of(int code, String reason, String message) {
		return of(new Status(code, reason, message, List.of(), 0, false));
	}

	private static ApiFailure of(Status status) {
		ObjectNode body = Json.object().put("kind", "Status").put("apiVersion", "v1");
		body.putObject("metadata");
		body.put("status", "Failure").put("message", status.message());
		if (!status.reason().isEmpty()) {
			body.put("reason", status.reason());
		}
		for (Status.Cause cause : status.causes()) {
			ObjectNode node = Json.child(body, "details").withArray("causes").addObject();
			node.put("reason", cause.reason()).put("message", cause.message());
			if (!cause.field().isEmpty()) {
				node.put("field", cause.field());
			}
		}
		body.put("code", status.code());
		return new ApiFailure(status, body);
	}

	/**
	 * Returns the answer to a successful deletion.
	 * @param type type of the deleted object
	 * @param name name of the deleted object
	 * @param uid UID of the deleted object, or {@code null}
	 * @return a {@code Status} of success
	 */
	public static ObjectNode success(ServedType type, String name, @Nullable String uid) {
		ObjectNode body = Json.object().put("kind", "Status").put("apiVersion", "v1");
		body.putObject("metadata");
		body.put("status", "Success");
		ObjectNode details = body.putObject("details").put("name", name);
		if (!type.group().isEmpty()) {
			details.put("group", type.group());
		}
		details.put("kind", type.plural());
		if (uid != null) {
			details.put("uid", uid);
		}
		return body;
	}

	public ObjectNode body() {
		return this.body;
	}

}
