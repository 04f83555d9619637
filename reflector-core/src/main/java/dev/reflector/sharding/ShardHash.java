package dev.reflector.sharding;

import java.util.HexFormat;

/**
 * The hash by which the API server shards: 64-bit FNV-1a of the UTF-8 bytes of a value.
 *
 * @since 0.1.0
 */
public final class ShardHash {

	private static final long OFFSET = 0xcbf29ce484222325L;

	private static final long PRIME = 0x100000001b3L;

	private static final int REPLACEMENT = 0xfffd;

	private ShardHash() {
	}

	/**
	 * Hashes a value, without allocating anything.
	 * @param value the value; an unpaired surrogate counts as U+FFFD, as on the server
	 * @return the hash, an unsigned number
	 */
	public static long of(String value) {
		long hash = OFFSET;
		int length = value.length();
		for (int i = 0; i < length; i++) {
			char unit = value.charAt(i);
			if (unit < 0x80) {
				hash = next(hash, unit);
				continue;
			}
			int character = unit;
			if (Character.isSurrogate(unit)) {
				character = value.codePointAt(i);
				if (character == unit) {
					character = REPLACEMENT;
				}
				else {
					i++;
				}
			}
			hash = addEncoded(hash, character);
		}
		return hash;
	}

	private static long addEncoded(long hash, int character) {
		if (character < 0x800) {
			return next(next(hash, 0xc0 | character >> 6), 0x80 | character & 0x3f);
		}
		long begun = (character < 0x10000) ? next(hash, 0xe0 | character >> 12)
				: next(next(hash, 0xf0 | character >> 18), 0x80 | character >> 12 & 0x3f);
		return next(next(begun, 0x80 | character >> 6 & 0x3f), 0x80 | character & 0x3f);
	}

	private static long next(long hash, int octet) {
		return (hash ^ octet) * PRIME;
	}

	/**
	 * Returns a hash in the text form that the server uses.
	 * @param hash the hash
	 * @return 16 lower-case hexadecimal digits
	 */
	public static String hex(long hash) {
		return HexFormat.of().toHexDigits(hash);
	}

}
