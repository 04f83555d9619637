package dev.reflector;

/**
 * How often tests repeat what is random: a part of the times by default, all of them with
 * {@code -Dtests.full=true}, as CI does on one JDK.
 */
public final class LongForm {

	private static final boolean FULL = Boolean.getBoolean("tests.full");

	private LongForm() {
	}

	/**
	 * Chooses how often something is repeated.
	 * @param full how often in the long form
	 * @return that often, or a fifth of it in the short form
	 */
	public static int times(int full) {
		return FULL ? full : full / 5;
	}

}
