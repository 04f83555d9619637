package dev.reflector.client;

import org.jspecify.annotations.Nullable;

/**
 * Gives out one instance for equal strings, as far as it remembers them: of each pair of
 * places one is for strings that have come twice, so that those that come once displace
 * only each other. Bounded, and closed for a while when nearly nothing comes twice.
 * <p>
 * Used by several threads without a lock. Strings are immutable and what one thread
 * misses of another is only memory not saved.
 */
final class StringPool {

	/** Longer strings are not looked for. */
	static final int MAX_LENGTH = 64;

	private static final int PAIRS = 1024;

	private static final int PERIOD = 4096;

	private static final int LEAST_FOUND = PERIOD / 8;

	private static final int CLOSED_FOR = 16 * PERIOD;

	private @Nullable String @Nullable [] strings;

	private int asked;

	private int found;

	private int closed;

	/**
	 * Whether strings are worth looking for. To be asked before each.
	 * @return whether to ask for the string
	 */
	boolean isOpen() {
		if (this.closed <= 0) {
			return true;
		}
		this.closed--;
		return false;
	}

	/**
	 * Finds or makes a string.
	 * @param chars hold it
	 * @param from where it begins
	 * @param length how long it is, not more than {@link #MAX_LENGTH}
	 * @return the string
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
		if (recent != null && isEqual(recent, chars, from, length)) {
			this.found++;
			strings[place] = recent;
			strings[place + 1] = frequent;
			return recent;
		}
		String string = new String(chars, from, length);
		strings[place + 1] = string;
		return string;
	}

	private @Nullable String @Nullable [] strings() {
		if (++this.asked >= PERIOD) {
			boolean worth = this.found >= LEAST_FOUND;
			this.asked = 0;
			this.found = 0;
			if (!worth) {
				this.closed = CLOSED_FOR;
				this.strings = null;
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

	private static int place(char[] chars, int from, int length) {
		int hash = length;
		for (int index = from; index < from + length; index++) {
			hash = 31 * hash + chars[index];
		}
		hash *= 0x9E3779B9;
		return (hash >>> 22) << 1;
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
