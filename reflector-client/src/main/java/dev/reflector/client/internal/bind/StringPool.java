package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * A pool that returns the same instance for equal strings. It is a bounded hash table
 * with two places for each hash. The first place is for a string that has occurred twice,
 * and the second place is for the latest string. So strings that occur once displace only
 * each other. If hardly any string occurs twice, the pool closes for a while.
 * <p>
 * Several threads use the pool without a lock. Strings are immutable, and a lost write
 * only costs memory.
 */
final class StringPool {

	/** The longest string that is shared. */
	static final int MAX_LENGTH = 64;

	private static final int PAIRS = 1024;

	private static final int PERIOD = 4096;

	/**
	 * The length of the first period, in strings. It is short, so that the pool decides
	 * before the JIT compiler has optimized the code for an open pool.
	 */
	private static final int FIRST_PERIOD = PERIOD / 8;

	/**
	 * If fewer than one in this number of strings was found during a period, the pool
	 * closes. In the first period, a smaller share suffices, because fewer strings occur
	 * twice in a shorter period.
	 */
	private static final int LEAST_FOUND = 8;

	/** The number of periods for which the pool stays closed. */
	private static final int CLOSED_FOR = 16;

	private @Nullable String @Nullable [] strings;

	private int period = FIRST_PERIOD;

	private int asked;

	private int found;

	private int closed;

	/**
	 * Returns whether the pool is open. Must be called once for each string.
	 * @return {@code true} if {@code share} must be called for the string
	 */
	boolean isOpen() {
		if (this.closed <= 0) {
			return true;
		}
		this.closed--;
		return false;
	}

	/**
	 * Finds a string in the pool, or adds it.
	 * @param chars the array that contains the characters
	 * @param from the index at which the string begins
	 * @param length the length of the string, at most {@link #MAX_LENGTH}
	 * @return a string with these characters, which may be shared
	 */
	String share(char[] chars, int from, int length) {
		@Nullable String[] strings = strings();
		if (strings == null) {
			return new String(chars, from, length);
		}
		int place = place(chars, from, length);
		String frequent = strings[place];
		if (frequent != null && isEqual(frequent, chars, from, length)) {
			this.found++;
			return frequent;
		}
		String recent = strings[place + 1];
		return (recent != null && isEqual(recent, chars, from, length)) ? again(strings, place, recent)
				: first(strings, place, new String(chars, from, length));
	}

	/**
	 * Finds a string in the pool, or adds it.
	 * @param bytes the array that contains the characters, in ASCII
	 * @param from the index at which the string begins
	 * @param length the length of the string, at most {@link #MAX_LENGTH}
	 * @return a string with these characters, which may be shared
	 */
	String share(byte[] bytes, int from, int length) {
		@Nullable String[] strings = strings();
		if (strings == null) {
			return ascii(bytes, from, length);
		}
		int place = place(bytes, from, length);
		String frequent = strings[place];
		if (frequent != null && isEqual(frequent, bytes, from, length)) {
			this.found++;
			return frequent;
		}
		String recent = strings[place + 1];
		return (recent != null && isEqual(recent, bytes, from, length)) ? again(strings, place, recent)
				: first(strings, place, ascii(bytes, from, length));
	}

	private static String ascii(byte[] bytes, int from, int length) {
		return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
	}

	/** Returns the table, or {@code null} if the pool closes now. */
	private @Nullable String @Nullable [] strings() {
		if (++this.asked >= this.period) {
			decide();
			if (this.closed > 0) {
				return null;
			}
		}
		@Nullable String[] strings = this.strings;
		if (strings == null) {
			strings = new @Nullable String[2 * PAIRS];
			this.strings = strings;
		}
		return strings;
	}

	private String again(@Nullable String[] strings, int place, String recent) {
		this.found++;
		strings[place + 1] = strings[place];
		strings[place] = recent;
		return recent;
	}

	private static String first(@Nullable String[] strings, int place, String string) {
		strings[place + 1] = string;
		return string;
	}

	/**
	 * Decides at the end of a period whether to close the pool. A closed pool keeps its
	 * table, but removes the strings from it.
	 */
	private void decide() {
		if (this.found * LEAST_FOUND * (PERIOD / this.period) < this.asked) {
			this.closed = CLOSED_FOR * this.period;
			if (this.strings != null) {
				Arrays.fill(this.strings, null);
			}
		}
		this.period = PERIOD;
		this.asked = 0;
		this.found = 0;
	}

	private static int place(char[] chars, int from, int length) {
		int hash = length;
		for (int index = from; index < from + length; index++) {
			hash = 31 * hash + chars[index];
		}
		hash *= 0x9E3779B9;
		return (hash >>> 22) << 1;
	}

	private static int place(byte[] ascii, int from, int length) {
		int hash = length;
		for (int index = from; index < from + length; index++) {
			hash = 31 * hash + ascii[index];
		}
		hash *= 0x9E3779B9;
		return (hash >>> 22) << 1;
	}

	private static boolean isEqual(String string, byte[] ascii, int from, int length) {
		if (string.length() != length) {
			return false;
		}
		for (int index = 0; index < length; index++) {
			if (string.charAt(index) != ascii[from + index]) {
				return false;
			}
		}
		return true;
	}

	private static boolean isEqual(String string, char[] chars, int from, int length) {
		if (string.length() != length) {
			return false;
		}
		for (int index = 0; index < length; index++) {
			if (string.charAt(index) != chars[from + index]) {
				return false;
			}
		}
		return true;
	}

}
