package dev.reflector.console;

import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * A request from the web page for rows of the object table, with filters, an order and a
 * range.
 *
 * @param search a part of the key, empty for all
 * @param namespace the namespace, empty for all
 * @param labels decides whether labels match
 * @param sort the order
 * @param descending whether the order is reversed
 * @param offset how many objects to skip at the beginning
 * @param limit largest number of objects
 */
record ObjectQuery(String search, String namespace, Predicate<Map<String, String>> labels, Sort sort,
		boolean descending, int offset, int limit) {

	static final int MAX_LIMIT = 1000;

	private static final int DEFAULT_LIMIT = 200;

	private static final int MAX_TEXT = 500;

	/**
	 * Reads the parameters of a request.
	 * @param parameters the parameters by name, each with one value
	 * @return the query
	 * @throws ConsoleProblem if a parameter is malformed
	 */
	static ObjectQuery of(Map<String, String> parameters) {
		String order = text(parameters, "order");
		if (!order.isEmpty() && !order.equals("asc") && !order.equals("desc")) {
			throw ConsoleProblem.badRequest("'order' must be asc or desc");
		}
		return new ObjectQuery(text(parameters, "search").strip().toLowerCase(Locale.ROOT),
				text(parameters, "namespace"), LabelFilter.of(text(parameters, "label")),
				Sort.of(text(parameters, "sort")), order.equals("desc"),
				number(parameters.get("offset"), "offset", 0, 0, Integer.MAX_VALUE),
				number(parameters.get("limit"), "limit", DEFAULT_LIMIT, 1, MAX_LIMIT));
	}

	private static String text(Map<String, String> parameters, String name) {
		String text = parameters.getOrDefault(name, "");
		if (text.length() > MAX_TEXT) {
			throw ConsoleProblem.badRequest("'" + name + "' must have " + MAX_TEXT + " characters at most");
		}
		return text;
	}

	private static int number(@Nullable String text, String name, int otherwise, int least, int most) {
		if (text == null || text.isEmpty()) {
			return otherwise;
		}
		try {
			int number = Integer.parseInt(text);
			if (number >= least && number <= most) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// the code below reports this, as it reports a number out of range
		}
		throw ConsoleProblem.badRequest("'" + name + "' must be a number from " + least + " to " + most);
	}

	boolean matches(ObjectRow row) {
		return (this.namespace.isEmpty() || this.namespace.equals(row.shown().namespace()))
				&& (this.search.isEmpty() || row.text().contains(this.search)) && this.labels.test(row.labels());
	}

	/** An order of objects. */
	enum Sort {

		/** By namespace and name. */
		KEY,

		/** By name, and then by namespace. */
		NAME,

		/** By resource version. */
		VERSION,

		/** By age, the youngest first. */
		AGE,

		/** By the time of the last change. */
		CHANGED;

		private static Sort of(String text) {
			return switch (text) {
				case "", "key" -> KEY;
				case "name" -> NAME;
				case "version" -> VERSION;
				case "age" -> AGE;
				case "changed" -> CHANGED;
				default -> throw ConsoleProblem.badRequest("'sort' must be key, name, version, age or changed");
			};
		}

	}

}
