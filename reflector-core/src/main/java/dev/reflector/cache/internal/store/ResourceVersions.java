package dev.reflector.cache.internal.store;

/**
 * The order of resource versions (rules W-66 to W-69). Two versions can be compared when
 * they come from one collection of one server and are both well-formed: decimal digits
 * without a leading zero. They may be of any length, so no number type is involved. Other
 * versions can only be compared for equality.
 */
public final class ResourceVersions {

	private ResourceVersions() {
	}

	/**
	 * Whether a version can be compared with others.
	 * @param version the version
	 * @return whether it consists of decimal digits and begins with none but 1 to 9
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
	 * @param version a version
	 * @param other another version
	 * @return negative, zero or positive when the first is less than, equal to or greater
	 * than the other
	 * @throws IllegalArgumentException when one of them is not well-formed, because then
	 * they have no order
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
	 * @return {@code false} also when they cannot be compared
	 */
	public static boolean isGreater(String version, String other) {
		// the usual order costs a single comparison
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
