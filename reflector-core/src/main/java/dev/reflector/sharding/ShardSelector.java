package dev.reflector.sharding;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Selects objects by the hash of a field, both on the server and here. Its text is the
 * value of the query parameter {@code shardSelector}.
 *
 * @param field the field that is hashed
 * @param ranges the hashes that are selected; without a range, <em>everything</em> is
 * selected
 * @since 0.1.0
 */
public record ShardSelector(ShardField field, List<ShardRange> ranges) {

	private static final ShardSelector EVERYTHING = new ShardSelector(ShardField.UID, List.of());

	private static final String OR = " || ";

	private static final Pattern RANGE = Pattern
		.compile("shardRange\\(\\s*([\\w.]+)\\s*,\\s*'([^']*)'\\s*,\\s*'([^']*)'\\s*\\)");

	/**
	 * Copies the ranges.
	 */
	public ShardSelector {
		ranges = List.copyOf(ranges);
	}

	/**
	 * Returns the selector without a range.
	 * @return a selector of everything
	 */
	public static ShardSelector everything() {
		return EVERYTHING;
	}

	/**
	 * Reads a selector.
	 * @param text the text, empty for everything
	 * @return the selector
	 * @throws IllegalArgumentException when the text is not a selector, when it names
	 * several fields, or a field by which the server cannot shard
	 */
	public static ShardSelector parse(String text) {
		if (text.isBlank()) {
			return EVERYTHING;
		}
		List<ShardRange> ranges = new ArrayList<>();
		ShardField field = null;
		for (String part : text.split("\\|\\|", -1)) {
			Matcher matcher = RANGE.matcher(part.strip());
			if (!matcher.matches()) {
				throw new IllegalArgumentException("'" + part.strip() + "' is not a shardRange(FIELD, 'START', 'END')");
			}
			ShardField next = ShardField.of(matcher.group(1));
			if (field != null && field != next) {
				throw new IllegalArgumentException(
						"a shard selector names one field, not both " + field + " and " + next);
			}
			field = next;
			ranges.add(new ShardRange(matcher.group(2), matcher.group(3)));
		}
		return (field != null) ? new ShardSelector(field, ranges) : EVERYTHING;
	}

	/**
	 * Whether this selector has no ranges, and so selects everything.
	 * @return whether it selects everything
	 */
	public boolean isEverything() {
		return this.ranges.isEmpty();
	}

	/**
	 * Whether an object is selected.
	 * @param value the value of the field of the object
	 * @return whether the hash of the value is in one of the ranges
	 */
	public boolean matches(String value) {
		if (this.ranges.isEmpty()) {
			return true;
		}
		long hash = ShardHash.of(value);
		for (ShardRange range : this.ranges) {
			if (range.contains(hash)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns the value of the query parameter.
	 * @return the text, empty for everything
	 */
	@Override
	public String toString() {
		return this.ranges.stream()
			.map((range) -> "shardRange(" + this.field.path() + ", '" + range.start() + "', '" + range.end() + "')")
			.collect(Collectors.joining(OR));
	}

}
