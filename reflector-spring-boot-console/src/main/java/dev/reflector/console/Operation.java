package dev.reflector.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.reflector.ReflectorState;
import dev.reflector.actuate.endpoint.ReflectorDescriptor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * An operation of a reflector. The endpoint runs it.
 */
enum Operation {

	RELIST("the server is listed again"),

	RESYNC("every object is delivered again"),

	PAUSE("paused"),

	RESUME("resumed"),

	VERIFY(""),

	RESET_SNAPSHOT("the snapshot was reset");

	private final String message;

	Operation(String message) {
		this.message = message;
	}

	/** Returns the name of the operation in the endpoint and in the path. */
	String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	static @Nullable Operation named(String id) {
		for (Operation operation : values()) {
			if (operation.id().equals(id)) {
				return operation;
			}
		}
		return null;
	}

	/**
	 * Returns the operations that are useful in the current state of a reflector.
	 * @param reflector the reflector
	 * @return ids of the operations
	 */
	static List<String> of(ReflectorDescriptor reflector) {
		List<Operation> operations = new ArrayList<>();
		if (reflector.state() == ReflectorState.STOPPED) {
			if (reflector.snapshot() != null) {
				operations.add(RESET_SNAPSHOT);
			}
		}
		else if (reflector.state() == ReflectorState.PAUSED) {
			operations.addAll(List.of(RESYNC, RESUME));
		}
		else {
			operations.addAll(List.of(RELIST, RESYNC, PAUSE));
			if (reflector.deliveryStopped() != null) {
				operations.add(RESUME);
			}
			operations.add(VERIFY);
		}
		return operations.stream().map(Operation::id).toList();
	}

	/**
	 * Converts the answer of the endpoint to an answer for the web page.
	 * @param response the answer of the endpoint
	 * @return the answer for the web page
	 * @throws ConsoleProblem if the operation had no effect
	 */
	Outcome outcome(WebEndpointResponse<?> response) {
		JsonNode body = ConsoleJson.tree(response.getBody());
		if (response.getStatus() != WebEndpointResponse.STATUS_OK) {
			String refusal = body.path("message").asString("");
			throw ConsoleProblem.conflict(refusal.isEmpty() ? "the reflector is stopped" : refusal);
		}
		return (this == VERIFY) ? new Outcome(comparison(body), body) : new Outcome(this.message, null);
	}

	private static String comparison(JsonNode report) {
		long compared = 0;
		long different = 0;
		String reason = "";
		for (JsonNode scope : report.path("scopes")) {
			compared += scope.path("compared").asLong(0);
			different += scope.path("missing").asLong(0) + scope.path("surplus").asLong(0)
					+ scope.path("different").asLong(0);
			reason = scope.path("message").asString("");
		}
		return switch (report.path("result").asString("")) {
			case "EQUAL" -> "the mirror equals the server: " + compared + " objects";
			case "DIFFERENT" -> "the mirror differs from the server in " + different + " of " + compared + " objects";
			default -> "the mirror could not be compared with the server: " + reason;
		};
	}

	/**
	 * Answer to an operation.
	 *
	 * @param message description of what has happened, human-readable
	 * @param result the report of a comparison with the server; {@code null} for other
	 * operations
	 */
	record Outcome(String message, @Nullable JsonNode result) {

	}

}
