package dev.reflector.cache.internal.store;

/**
 * The order of resource versions (rules W-66 to W-69). Two versions can be compared if
 * they come from the same collection of the same server and are both well-formed: decimal
 * digits without a leading zero. Versions may be of any length, so they are compared as
 * text. Other versions can only be checked for equality.
 */
public final class ResourceVersions {

	private ResourceVersions() {
	}

	/**
	 * Whether a version is well-formed, so that it can be compared with others.
	 * @param version the version
	 * @return whether it consists of decimal digits and does not begin with 0
	 */
	public static boolean isWellFormed(String version) {
		if (version.isEmpty() || version.charAt(0) == '0') {
			return false;
		}
		for (int i = 0; i < version.length(); i++) {
			char digit = version.charAt(i);
			if (digit < '0' || digit > '9') {
				return false;
			}
		}
		return true;
	}

	/**
	 * Compares two versions.
	 * @param version the first version
	 * @param other the second version
	 * @return a negative number, zero or a positive number if the first version is less
	 * than, equal to or greater than the second
	 * @throws IllegalArgumentException if a version is not well-formed
	 */
	public static int compare(String version, String other) {
		requireWellFormed(version);
		requireWellFormed(other);
		return (version.length() != other.length()) ? Integer.compare(version.length(), other.length())
				: version.compareTo(other);
	}

	/**
	 * Whether a version is certainly greater than another.
	 * @param version the version
	 * @param other the other version
	 * @return {@code true} if the version is greater; {@code false} if it is not, or if
	 * the two cannot be compared
	 */
	public static boolean isGreater(String version, String other) {
		// usually, the first comparison is enough
		int lengths = version.length() - other.length();
		return (lengths > 0 || (lengths == 0 && version.compareTo(other) > 0)) && isWellFormed(version)
				&& isWellFormed(other);
	}

	private static void requireWellFormed(String version) {
		if (!isWellFormed(version)) {
			throw new IllegalArgumentException("the resource version \"" + version + "\" has no order");
		}
	}

}
