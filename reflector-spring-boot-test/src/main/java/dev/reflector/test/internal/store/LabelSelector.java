package dev.reflector.test.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.reflector.test.internal.api.ApiFailure;
import org.jspecify.annotations.Nullable;

/**
 * A label selector: {@code a=b}, {@code a==b}, {@code a!=b}, {@code a in (b,c)},
 * {@code a notin (b,c)}, {@code a}, {@code !a}, joined by commas.
 *
 * @param requirements the conditions, which must all hold
 */
record LabelSelector(List<Requirement> requirements) {

	private static final String KEY = "([A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?)";

	private static final String VALUE = "([A-Za-z0-9._-]*)";

	private static final Pattern REQUIREMENT = Pattern.compile(
			"\\s*(?:" + KEY + "\\s*(==|=|!=)\\s*" + VALUE + "|" + KEY + "\\s+(in|notin)\\s*\\(([A-Za-z0-9._,\\s-]*)\\)|"
					+ KEY + "\\s*([<>])\\s*(-?[0-9]{1,18})|(!?)\\s*" + KEY + ")\\s*");

	static LabelSelector parse(String text) {
		List<Requirement> requirements = new ArrayList<>();
		if (!text.isBlank()) {
			Matcher matcher = REQUIREMENT.matcher(text);
			int position = 0;
			boolean more = true;
			while (more) {
				matcher.region(position, text.length());
				if (!matcher.lookingAt() || (matcher.end() < text.length() && text.charAt(matcher.end()) != ',')) {
					throw ApiFailure
						.badRequest("unable to parse requirement: found '" + text.substring(position) + "'");
				}
				requirements.add(requirement(matcher));
				more = matcher.end() < text.length();
				position = matcher.end() + 1;
			}
		}
		return new LabelSelector(List.copyOf(requirements));
	}

	private static Requirement requirement(Matcher matcher) {
		if (matcher.group(1) != null) {
			Set<String> values = Set.of(matcher.group(3));
			return "!=".equals(matcher.group(2)) ? new Requirement(matcher.group(1), Operator.NOT_IN, values)
					: new Requirement(matcher.group(1), Operator.IN, values);
		}
		if (matcher.group(4) != null) {
			Set<String> values = Set.of(Pattern.compile(",")
				.splitAsStream(matcher.group(6))
				.map(String::strip)
				.distinct()
				.toArray(String[]::new));
			return new Requirement(matcher.group(4), "in".equals(matcher.group(5)) ? Operator.IN : Operator.NOT_IN,
					values);
		}
		if (matcher.group(7) != null) {
			return new Requirement(matcher.group(7), ">".equals(matcher.group(8)) ? Operator.GREATER : Operator.LESS,
					Set.of(matcher.group(9)));
		}
		return new Requirement(matcher.group(11), matcher.group(10).isEmpty() ? Operator.EXISTS : Operator.ABSENT,
				Set.of());
	}

	boolean matches(Map<String, String> labels) {
		return this.requirements.stream().allMatch((requirement) -> requirement.matches(labels));
	}

	/**
	 * The comparisons of a requirement.
	 */
	enum Operator {

		IN, NOT_IN, EXISTS, ABSENT, GREATER, LESS

	}

	/**
	 * A condition on one label.
	 *
	 * @param key the label
	 * @param operator the comparison
	 * @param values the values to compare with
	 */
	record Requirement(String key, Operator operator, Set<String> values) {

		boolean matches(Map<String, String> labels) {
			String value = labels.get(this.key);
			return switch (this.operator) {
				case IN -> value != null && this.values.contains(value);
				case NOT_IN -> value == null || !this.values.contains(value);
				case EXISTS -> value != null;
				case ABSENT -> value == null;
				case GREATER -> isNumber(value) && Long.parseLong(value) > bound();
				case LESS -> isNumber(value) && Long.parseLong(value) < bound();
			};
		}

		private static boolean isNumber(@Nullable String value) {
			return value != null && value.matches("-?[0-9]{1,18}");
		}

		private long bound() {
			return Long.parseLong(this.values.iterator().next());
		}

	}

}
