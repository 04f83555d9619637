package dev.reflector;

import java.security.SecureRandom;

/**
 * Computes hash codes that the author of an object cannot predict, because random factors
 * of the hash are drawn when the process starts. {@link String#hashCode()} is
 * predictable, and many legal names share a hash code.
 * <p>
 * Any two different pairs of texts have the same hash code with a probability of one in
 * 2^32 (multilinear hashing; for texts longer than {@link #BLOCK}, one in 2^32 for each
 * block).
 */
final class RandomHash {

	/**
	 * The length of a block, in characters. A namespace and a name together are shorter.
	 */
	private static final int BLOCK = 512;

	/**
	 * The value that is hashed between the two texts. {@link #END} is hashed after them.
	 * No character has either value.
	 */
	private static final int BETWEEN = Character.MAX_VALUE + 1;

	private static final int END = Character.MAX_VALUE + 2;

	private static final long[] FACTORS = new SecureRandom().longs(BLOCK + 3).toArray();

	private RandomHash() {
	}

	/**
	 * Hashes two texts.
	 * @param first a text
	 * @param second another text
	 * @return the hash code, which differs between processes
	 */
	static int of(String first, String second) {
		int between = first.length();
		int end = between + 1 + second.length();
		if (end > BLOCK) {
			return ofLong(first + (char) 0 + second);
		}
		long hash = FACTORS[BLOCK + 1] + BETWEEN * FACTORS[between] + END * FACTORS[end];
		for (int i = 0; i < between; i++) {
			hash += first.charAt(i) * FACTORS[i];
		}
		for (int i = between + 1, at = 0; i < end; i++, at++) {
			hash += second.charAt(at) * FACTORS[i];
		}
		return (int) (hash >>> 32);
	}

	/**
	 * Hashes a long text block by block, each block together with the hash of the blocks
	 * before it.
	 */
	private static int ofLong(String text) {
		long hash = 0;
		for (int from = 0; from < text.length(); from += BLOCK) {
			int length = Math.min(BLOCK, text.length() - from);
			hash = FACTORS[BLOCK + 1] + (hash >>> 32) * FACTORS[BLOCK + 2] + END * FACTORS[length];
			for (int i = 0; i < length; i++) {
				hash += text.charAt(from + i) * FACTORS[i];
			}
		}
		return (int) (hash >>> 32);
	}

}
