package dev.reflector.test;

import java.util.Map;

/**
 * The query parameters of a request to a collection, with the rules of what may stand
 * together (W-06).
 *
 * @param values the parameters
 */
record Parameters(Map<String, String> values) {

	/** Version that stands for "any state the server has". */
	static final long ANY = 0;

	/** Version that stands for "the newest state". */
	static final long NEWEST = -1;

	String text(String name) {
		return this.values.getOrDefault(name, "");
	}

	boolean has(String name) {
		return !text(name).isEmpty();
	}

	boolean flag(String name) {
		return switch (text(name)) {
			case "", "0", "false" -> false;
			case "1", "true" -> true;
			default -> throw ApiFailure.badRequest("invalid value for " + name + ": '" + text(name) + "'");
		};
	}

	long number(String name) {
		String text = text(name);
		if (text.isEmpty()) {
			return 0;
		}
		try {
			return Math.max(0, Long.parseLong(text));
		}
		catch (NumberFormatException ex) {
			throw ApiFailure.badRequest("invalid value for " + name + ": '" + text + "'");
		}
	}

	/**
	 * The version asked for.
	 * @return the version, {@link #NEWEST} when none is given, {@link #ANY} for "0"
	 */
	long resourceVersion() {
		String text = text("resourceVersion");
		if (text.isEmpty()) {
			return NEWEST;
		}
		if (!text.chars().allMatch((digit) -> digit >= '0' && digit <= '9') || text.length() > 18) {
			throw ApiFailure.badRequest("Invalid value: \"" + text + "\": invalid resource version");
		}
		return Long.parseLong(text);
	}

	boolean exact() {
		return "Exact".equals(text("resourceVersionMatch"));
	}

	/**
	 * Turns down what a list request may not combine.
	 */
	void checkList() {
		if (has("sendInitialEvents")) {
			throw ApiFailure.forbiddenOption("sendInitialEvents", "sendInitialEvents is forbidden for list");
		}
		if (has("resourceVersionMatch")) {
			if (has("continue")) {
				throw ApiFailure.forbiddenOption("resourceVersionMatch",
						"resourceVersionMatch is forbidden when continue is provided");
			}
			if (!has("resourceVersion")) {
				throw ApiFailure.forbiddenOption("resourceVersionMatch",
						"resourceVersionMatch is forbidden unless resourceVersion is provided");
			}
			if (!exact() && !notOlderThan()) {
				throw ApiFailure.forbiddenOption("resourceVersionMatch", "unsupported value: '"
						+ text("resourceVersionMatch") + "': supported values: 'Exact', 'NotOlderThan'");
			}
			if (exact() && resourceVersion() == ANY) {
				throw ApiFailure.forbiddenOption("resourceVersionMatch",
						"resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"");
			}
		}
		if (has("continue") && has("resourceVersion") && resourceVersion() != ANY) {
			throw ApiFailure.badRequest("specifying resource version is not allowed when using continue");
		}
	}

	/**
	 * Turns down what a watch request may not combine.
	 * @param watchList whether the server streams lists at all
	 */
	void checkWatch(boolean watchList) {
		if (has("sendInitialEvents")) {
			if (!watchList) {
				throw ApiFailure.forbiddenOption("sendInitialEvents",
						"sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled");
			}
			if (!notOlderThan()) {
				throw ApiFailure.forbiddenOption("resourceVersionMatch",
						"sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
			}
		}
		else if (has("resourceVersionMatch")) {
			throw ApiFailure.forbiddenOption("resourceVersionMatch",
					"resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
		}
		if (has("continue") && has("resourceVersionMatch")) {
			throw ApiFailure.forbiddenOption("resourceVersionMatch",
					"resourceVersionMatch is forbidden when continue is provided");
		}
	}

	private boolean notOlderThan() {
		return "NotOlderThan".equals(text("resourceVersionMatch"));
	}

}
