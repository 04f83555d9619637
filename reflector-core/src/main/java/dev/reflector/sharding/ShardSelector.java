package dev.reflector.sharding;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Selects objects by the hash of a field, both on the server and in this process. Its
 * text is the value of the query parameter {@code shardSelector}.
 *
 * @param field the field that is hashed
 * @param ranges the hashes that are selected; without a range, <em>everything</em> is
 * selected
 * @since 0.1.0
 */
public record ShardSelector(ShardField field, List<ShardRange> ranges) {

	/**
	 * Copies the ranges.
	 */
	public ShardSelector {
		ranges = List.copyOf(ranges);
	}

	/**
	 * Whether an object is selected.
	 * @param value the value of the object's field
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
			.collect(Collectors.joining(" || "));
	}

}
