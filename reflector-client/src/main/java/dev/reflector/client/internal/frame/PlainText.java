package dev.reflector.client.internal.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Scans the text of JSON strings, eight bytes at a time.
 */
public final class PlainText {

	private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final long EACH = 0x0101010101010101L;

	private static final boolean[] PLAIN = new boolean[256];

	static {
		Arrays.fill(PLAIN, ' ', 0x80, true);
		PLAIN['"'] = false;
		PLAIN['\\'] = false;
	}

	private PlainText() {
	}

	/**
	 * Skips plain text.
	 * @param bytes the array that contains the text
	 * @param from the index at which to begin
	 * @param to the index at which the bytes end
	 * @return the index of the first quote, backslash, control character or non-ASCII
	 * byte, or the end of the bytes
	 */
	public static int end(byte[] bytes, int from, int to) {
		int index = from;
		while (to - index >= Long.BYTES) {
			long word = (long) WORDS.get(bytes, index);
			// the highest bit of each byte with such a character is set; a borrow can
			// make only the bits after the first such character wrong
			long quote = (word ^ ('"' * EACH)) - EACH;
			long backslash = (word ^ ('\\' * EACH)) - EACH;
			long found = (quote | backslash | (word - ' ' * EACH) | word) & (0x80 * EACH);
			if (found != 0) {
				return index + (Long.numberOfTrailingZeros(found) >> 3);
			}
			index += Long.BYTES;
		}
		while (index < to && PLAIN[bytes[index] & 0xFF]) {
			index++;
		}
		return index;
	}

}
