package dev.reflector.sharding;

import java.util.regex.Pattern;

/**
 * A range of hashes in a selector. The server compares a bound with the 16 digits of a
 * hash first by the number of digits, and then as text. So a bound with fewer digits is
 * below every hash, and a bound with 17 digits is above every hash.
 *
 * @param start the first hash of the range: {@code 0x} and up to 17 lower-case
 * hexadecimal digits
 * @param end the first hash after the range, in the same form
 * @since 0.1.0
 */
public record ShardRange(String start, String end) {

	private static final String TOP = "0x10000000000000000";

	private static final Pattern BOUND = Pattern.compile("0x[0-9a-f]{1,17}");

	private static final int DIGITS = 16;

	/**
	 * Checks the bounds.
	 * @throws IllegalArgumentException if a bound does not have this form
	 */
	public ShardRange {
		requireBound(start);
		requireBound(end);
	}

	private static void requireBound(String bound) {
		if (!BOUND.matcher(bound).matches()) {
			throw new IllegalArgumentException(
					"'" + bound + "' is not a bound of a range: write 0x and up to 17 lower-case hexadecimal digits");
		}
	}

	/**
	 * Makes a range of numbers.
	 * @param start the first hash of the range, unsigned
	 * @param end the first hash after the range, unsigned; 0 if the range includes the
	 * largest hash
	 * @return the range
	 */
	public static ShardRange of(long start, long end) {
		return new ShardRange("0x" + ShardHash.hex(start), (end != 0) ? "0x" + ShardHash.hex(end) : TOP);
	}

	/**
	 * Whether a hash is in the range.
	 * @param hash the hash, unsigned
	 * @return whether the range contains the hash
	 */
	public boolean contains(long hash) {
		return compare(hash, this.start) >= 0 && compare(hash, this.end) < 0;
	}

	private static int compare(long hash, String bound) {
		int digits = bound.length() - 2;
		return (digits != DIGITS) ? DIGITS - digits
				: Long.compareUnsigned(hash, Long.parseUnsignedLong(bound, 2, bound.length(), DIGITS));
	}

}
