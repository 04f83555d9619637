package dev.reflector.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the common forms of label selectors: {@code app=web}, {@code app!=web},
 * {@code app}, {@code !app}, with commas between them.
 */
final class LabelFilter {

	private static final Pattern TERM = Pattern
		.compile("(?:(!)\\s*([\\w./-]+)|([\\w./-]+)\\s*(?:(==?|!=)\\s*([\\w.-]*))?)");

	private LabelFilter() {
	}

	/**
	 * Reads a selector.
	 * @param selector the selector, empty for all objects
	 * @return a predicate for labels
	 * @throws ConsoleProblem if the selector cannot be read
	 */
	static Predicate<Map<String, String>> of(String selector) {
		if (selector.isBlank()) {
			return (labels) -> true;
		}
		List<Predicate<Map<String, String>>> terms = new ArrayList<>();
		for (String part : selector.split(",", -1)) {
			terms.add(term(part.strip()));
		}
		return (labels) -> terms.stream().allMatch((term) -> term.test(labels));
	}

	private static Predicate<Map<String, String>> term(String text) {
		Matcher term = TERM.matcher(text);
		if (!term.matches()) {
			throw ConsoleProblem
				.badRequest("'label' must have terms such as app=web, app!=web, app or !app, with commas between them");
		}
		if (term.group(1) != null) {
			String absent = term.group(2);
			return (labels) -> !labels.containsKey(absent);
		}
		String key = term.group(3);
		String operator = term.group(4);
		if (operator == null) {
			return (labels) -> labels.containsKey(key);
		}
		String value = term.group(5);
		return operator.equals("!=") ? (labels) -> !Objects.equals(labels.get(key), value)
				: (labels) -> Objects.equals(labels.get(key), value);
	}

}
