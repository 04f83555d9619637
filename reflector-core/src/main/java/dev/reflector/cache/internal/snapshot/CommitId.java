package dev.reflector.cache.internal.snapshot;

import java.util.UUID;

/**
 * Names commits, such as {@code 42-5f3a0c9be1d24c07}: a number that counts the commits,
 * for human readers, and a random part. If the store is restored from a backup, two
 * commits may have the same number, but they still have different names.
 */
final class CommitId {

	private CommitId() {
	}

	/**
	 * Names a commit.
	 * @param previous the name of the commit before, empty for the first
	 * @return a name that no other commit has
	 */
	static String after(String previous) {
		return (number(previous) + 1) + "-" + Long.toHexString(UUID.randomUUID().getMostSignificantBits());
	}

	/**
	 * Whether the stored commit cannot have come after the last known one: a writer
	 * continues counting.
	 * @param id the name of the stored commit, empty for none
	 * @param last the name of the last known commit
	 * @return whether it is another commit, and not a later one
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
