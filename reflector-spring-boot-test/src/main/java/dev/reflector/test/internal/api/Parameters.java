package dev.reflector.test.internal.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.reflector.cache.source.Status;

/**
 * The query parameters of a request to a collection, with the rules for combining them
 * (W-06).
 *
 * @param values the parameters
 */
public record Parameters(Map<String, String> values) {

	private static final String MATCH = "resourceVersionMatch";

	private static final String STREAM = "sendInitialEvents";

	/** Value for a request that accepts any state that the server has. */
	public static final long ANY = 0;

	/** Value for a request that must be answered with the newest state. */
	public static final long NEWEST = -1;

	public String text(String name) {
		return this.values.getOrDefault(name, "");
	}

	public boolean has(String name) {
		return !text(name).isEmpty();
	}

	public boolean flag(String name) {
		return switch (text(name)) {
			case "", "0", "false" -> false;
			case "1", "true" -> true;
			default -> throw ApiFailure.badRequest("invalid value for " + name + ": '" + text(name) + "'");
		};
	}

	public long number(String name) {
		String text = text(name);
		if (text.isEmpty()) {
			return 0;
		}
		try {
			return Math.max(0, Long.parseLong(text));
		}
		catch (NumberFormatException ex) {
			throw ApiFailure.badRequest("strconv.ParseInt: parsing \"" + text + "\": invalid syntax");
		}
	}

	/**
	 * Returns the version that a list requests.
	 * @return the version, {@link #NEWEST} if none is given, {@link #ANY} for "0"
	 */
	public long resourceVersion() {
		String text = text("resourceVersion");
		if (text.isEmpty()) {
			return NEWEST;
		}
		if (!text.chars().allMatch((digit) -> digit >= '0' && digit <= '9') || text.length() > 18) {
			throw ApiFailure.badRequest("invalid resource version: " + notANumber(text));
		}
		return Long.parseLong(text);
	}

	/**
	 * Returns the version that a watch or a read of one object requests. If the version
	 * is not a number, fails with an internal error, as a real server does.
	 * @return the version, {@link #NEWEST} if none is given, {@link #ANY} for "0"
	 */
	public long versionOfCache() {
		try {
			return resourceVersion();
		}
		catch (ApiFailure ex) {
			throw ApiFailure.unexpected(notANumber(text("resourceVersion")));
		}
	}

	private static String notANumber(String text) {
		return "resourceVersion: Invalid value: \"" + text + "\": strconv.ParseUint: parsing \"" + text
				+ "\": invalid syntax";
	}

	public boolean exact() {
		return "Exact".equals(text(MATCH));
	}

	/**
	 * Checks the combination of parameters of a list. Reports all mistakes at once, in
	 * the order of a real server.
	 */
	public void checkList() {
		List<Status.Cause> causes = new ArrayList<>();
		if (has(MATCH)) {
			if (!has("resourceVersion")) {
				causes.add(forbidden(MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
			}
			if (has("continue")) {
				causes.add(forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided"));
			}
			if (!exact() && !notOlderThan()) {
				causes.add(unsupported("\"Exact\", \"NotOlderThan\", \"\""));
			}
			if (exact() && "0".equals(text("resourceVersion"))) {
				causes.add(forbidden(MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
			}
		}
		if (has(STREAM)) {
			causes.add(forbidden(STREAM, "sendInitialEvents is forbidden for list"));
		}
		refuse(causes);
		if (has("continue") && has("resourceVersion") && !"0".equals(text("resourceVersion"))) {
			throw ApiFailure.badRequest("specifying resource version is not allowed when using continue");
		}
		number("timeoutSeconds");
	}

	/**
	 * Checks the combination of parameters of a watch.
	 * @param watchList whether the server supports streamed lists
	 */
	public void checkWatch(boolean watchList) {
		List<Status.Cause> causes = new ArrayList<>();
		if (has(STREAM)) {
			if (!notOlderThan()) {
				causes.add(forbidden(MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
			}
			if (!watchList) {
				causes.add(forbidden(STREAM,
						"sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"));
			}
		}
		else if (has(MATCH)) {
			causes.add(forbidden(MATCH,
					"resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
		}
		if (has(MATCH) && !notOlderThan()) {
			causes.add(unsupported("\"NotOlderThan\""));
		}
		if (has("continue")) {
			causes.add(forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided"));
		}
		refuse(causes);
	}

	private static void refuse(List<Status.Cause> causes) {
		if (!causes.isEmpty()) {
			throw ApiFailure.invalidOptions("ListOptions", causes);
		}
	}

	private static Status.Cause forbidden(String field, String why) {
		return new Status.Cause("FieldValueForbidden", "Forbidden: " + why, field);
	}

	private Status.Cause unsupported(String supported) {
		return new Status.Cause("FieldValueNotSupported",
				"Unsupported value: \"" + text(MATCH) + "\": supported values: " + supported, MATCH);
	}

	private boolean notOlderThan() {
		return "NotOlderThan".equals(text(MATCH));
	}

}
