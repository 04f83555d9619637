package dev.reflector.cache.internal.snapshot;

import java.util.UUID;

/**
 * Names commits, such as {@code 42-5f3a0c9be1d24c07}: a number that counts them, for
 * human readers, and a random part. After the store was put back to an earlier state, a
 * new commit may get a number a second time, but never the same name.
 */
final class CommitId {

	private CommitId() {
	}

	/**
	 * Names a commit.
	 * @param previous the name of the previous commit, empty for the first
	 * @return a name that no other commit has
	 */
	static String after(String previous) {
		return (number(previous) + 1) + "-" + Long.toHexString(UUID.randomUUID().getMostSignificantBits());
	}

	/**
	 * Whether the commit that is stored now cannot follow the one that was stored before,
	 * because the writer only counts upwards.
	 * @param id the name of the commit that is stored now, empty for none
	 * @param last the name of the commit that was stored before
	 * @return whether the stored commit is another one, and not a later one
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
