package dev.reflector.cache.internal.snapshot;

import java.util.UUID;

/**
 * Creates the names of commits, such as {@code 42-5f3a0c9be1d24c07}. A name consists of
 * the number of the commit and a random part. If the store is restored from a backup, two
 * commits may have the same number, but they still have different names.
 */
final class CommitId {

	private CommitId() {
	}

	/**
	 * Returns the name of a new commit.
	 * @param previous the name of the previous commit, empty if there is none
	 * @return a name that no other commit has
	 */
	static String after(String previous) {
		return (number(previous) + 1) + "-" + Long.toHexString(UUID.randomUUID().getMostSignificantBits());
	}

	/**
	 * Whether the stored commit is neither the last known commit nor a later one. Later
	 * commits have larger numbers, because every writer continues the numbers of the
	 * previous writer.
	 * @param id the name of the stored commit, empty if there is none
	 * @param last the name of the last known commit
	 * @return whether the stored commit is older than the last known commit, or a
	 * different commit with the same number
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
