package dev.reflector.test.internal.store;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.reflector.test.internal.api.ApiFailure;

/**
 * A selector for the objects whose hash is in given ranges. The hashed field is the UID
 * or the namespace (W-71 to W-75).
 *
 * @param text the selector as the client wrote it
 * @param byNamespace whether the namespace is hashed instead of the UID
 * @param ranges the ranges of hashes that are selected, empty for all hashes
 */
public record ShardRanges(String text, boolean byNamespace, List<Range> ranges) {

	private static final ShardRanges ALL = new ShardRanges("", false, List.of());

	private static final Pattern RANGE = Pattern
		.compile("shardRange\\(\\s*(object\\.metadata\\.(?:uid|namespace))\\s*,\\s*'0x([0-9a-f]{16})'\\s*,"
				+ "\\s*'0x(1?[0-9a-f]{16})'\\s*\\)");

	private static final long OFFSET = 0xcbf29ce484222325L;

	private static final long PRIME = 0x100000001b3L;

	/**
	 * Reads a selector.
	 * @param text the selector, empty for none
	 * @return the selector
	 * @throws ApiFailure 500 without a reason, like real servers, if the text is not a
	 * selector
	 */
	static ShardRanges parse(String text) {
		if (text.isBlank()) {
			return ALL;
		}
		List<Range> ranges = new ArrayList<>();
		String field = null;
		for (String part : text.split("\\|\\|", -1)) {
			Matcher matcher = RANGE.matcher(part.strip());
			if (!matcher.matches() || (field != null && !field.equals(matcher.group(1)))) {
				throw ApiFailure.of(500, "", "invalid shard selector: " + text);
			}
			field = matcher.group(1);
			ranges.add(new Range(new BigInteger(matcher.group(2), 16), new BigInteger(matcher.group(3), 16)));
		}
		return new ShardRanges(text, field != null && field.endsWith("namespace"), List.copyOf(ranges));
	}

	boolean matches(ObjectRevision object) {
		if (this.ranges.isEmpty()) {
			return true;
		}
		BigInteger hash = new BigInteger(
				Long.toUnsignedString(hash(this.byNamespace ? object.namespace() : object.uid())));
		return this.ranges.stream().anyMatch((range) -> range.contains(hash));
	}

	/**
	 * Returns the hash of a field's value (W-73).
	 * @param value the value of the field
	 * @return the 64-bit FNV-1a hash, as an unsigned number
	 */
	static long hash(String value) {
		long hash = OFFSET;
		for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
			hash = (hash ^ (octet & 0xff)) * PRIME;
		}
		return hash;
	}

	/**
	 * A range of hashes.
	 *
	 * @param from the first hash
	 * @param to the first hash after the range
	 */
	record Range(BigInteger from, BigInteger to) {

		boolean contains(BigInteger hash) {
			return hash.compareTo(this.from) >= 0 && hash.compareTo(this.to) < 0;
		}

	}

}
