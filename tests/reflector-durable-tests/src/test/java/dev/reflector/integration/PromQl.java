package dev.reflector.integration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in an expression of PromQL. Only the part of the language that the dashboard
 * and the rules use is understood: a word that is neither a function nor an operator is a
 * metric.
 *
 * @param selectors the metrics, with the conditions on their labels
 * @param kept labels that an aggregation keeps ({@code by}); empty without one
 * @param dropped labels that an aggregation drops ({@code without})
 */
record PromQl(List<Selector> selectors, Set<String> kept, Set<String> dropped) {

	private static final Pattern GROUPING = Pattern.compile("\\b(by|without)\\s*\\(([^)]*)\\)");

	private static final Pattern RANGE = Pattern.compile("\\[[^]]*]");

	private static final Pattern METRIC = Pattern
		.compile("(?<![\\w$])(?!(?:and|or|unless)\\b)([a-zA-Z_]\\w*)\\b(?!\\s*\\()\\s*(\\{[^}]*})?");

	private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"([^\"]*)\"");

	static PromQl parse(String expression) {
		Set<String> kept = new LinkedHashSet<>();
		Set<String> dropped = new LinkedHashSet<>();
		Matcher groupings = GROUPING.matcher(RANGE.matcher(expression).replaceAll(""));
		String rest = groupings.replaceAll((grouping) -> {
			Set<String> labels = grouping.group(1).equals("by") ? kept : dropped;
			labels.addAll(List.of(grouping.group(2).trim().split("\\s*,\\s*")));
			// an aggregation is followed by its argument
			return "";
		});
		List<Selector> selectors = new ArrayList<>();
		METRIC.matcher(rest).results().map(PromQl::selector).forEach(selectors::add);
		return new PromQl(selectors, kept, dropped);
	}

	private static Selector selector(MatchResult metric) {
		Map<String, List<String>> labels = new LinkedHashMap<>();
		if (metric.group(2) != null) {
			MATCHER.matcher(metric.group(2))
				.results()
				.forEach((matcher) -> labels.put(matcher.group(1), List.of(matcher.group(2).split("\\|"))));
		}
		return new Selector(metric.group(1), labels);
	}

	/**
	 * A metric.
	 *
	 * @param metric its name
	 * @param labels the values that are asked for, by label; of a pattern each
	 * alternative
	 */
	record Selector(String metric, Map<String, List<String>> labels) {

	}

}
