package dev.reflector.client.internal.frame;

/**
 * Checks characters in UTF-8.
 */
final class Utf8 {

	private Utf8() {
	}

	/**
	 * Skips a character of more than one byte.
	 * @param bytes the array that contains the character
	 * @param from the index at which the character begins
	 * @param end the index at which the bytes end
	 * @return the index after the character; negative if it is invalid: cut off,
	 * overlong, a surrogate, or beyond the last character of Unicode
	 */
	static int sequence(byte[] bytes, int from, int end) {
		int first = bytes[from] & 0xFF;
		if (first >= 0xC2 && first <= 0xDF) {
			return tail(bytes, from, 2, end);
		}
		if (first >= 0xE0 && first <= 0xEF) {
			int to = tail(bytes, from, 3, end);
			int second = (to > 0) ? bytes[from + 1] & 0xFF : 0;
			boolean fault = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F);
			return fault ? JsonSkipper.FAULT : to;
		}
		if (first >= 0xF0 && first <= 0xF4) {
			int to = tail(bytes, from, 4, end);
			int second = (to > 0) ? bytes[from + 1] & 0xFF : 0;
			boolean fault = (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
			return fault ? JsonSkipper.FAULT : to;
		}
		return JsonSkipper.FAULT;
	}

	private static int tail(byte[] bytes, int from, int length, int end) {
		if (from + length > end) {
			return JsonSkipper.FAULT;
		}
		for (int index = from + 1; index < from + length; index++) {
			if ((bytes[index] & 0xC0) != 0x80) {
				return JsonSkipper.FAULT;
			}
		}
		return from + length;
	}

}
