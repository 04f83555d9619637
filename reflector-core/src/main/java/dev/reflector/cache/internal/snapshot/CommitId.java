package dev.reflector.cache.internal.snapshot;

import java.util.UUID;

/**
 * Names commits, such as {@code 42-5f3a0c9be1d24c07}: a number that counts them, for
 * human readers, and a random part. After the store was put back, another commit gets a
 * number a second time, and still another name.
 */
final class CommitId {

	private CommitId() {
	}

	/**
	 * Names a commit.
	 * @param previous the name of the one before it, empty for the first
	 * @return a name that no other commit has
	 */
	static String after(String previous) {
		return (number(previous) + 1) + "-" + Long.toHexString(UUID.randomUUID().getMostSignificantBits());
	}

	/**
	 * Whether a commit cannot have come after another: the writer continues counting.
	 * @param id what is stored, empty for nothing
	 * @param last what was stored before
	 * @return whether it is another one, and not a later one
	 */
	static boolean isBehind(String id, String last) {
		return !id.equals(last) && number(id) <= number(last);
	}

	private static long number(String id) {
		try {
			return Long.parseLong(id.substring(0, Math.max(0, id.indexOf('-'))));
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

}
