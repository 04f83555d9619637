package dev.reflector.test.context;

import java.util.regex.Pattern;

/**
 * Compares resource versions (W-66 to W-69).
 */
final class ResourceVersionOrder {

	/** The versions that can be ordered: decimal digits without a leading zero (W-67). */
	private static final Pattern WELL_FORMED = Pattern.compile("[1-9][0-9]*");

	private ResourceVersionOrder() {
	}

	/**
	 * Whether a version is equal to another version or later. If the versions cannot be
	 * ordered, returns {@code true} only if they are equal (W-69).
	 * @param version the version
	 * @param other the other version
	 * @return whether the version is the other version or later
	 */
	static boolean reached(String version, String other) {
		if (!isWellFormed(version) || !isWellFormed(other)) {
			return version.equals(other);
		}
		// W-68: versions are compared as texts, because they may be too large for any
		// number type
		int byLength = Integer.compare(version.length(), other.length());
		return ((byLength != 0) ? byLength : version.compareTo(other)) >= 0;
	}

	private static boolean isWellFormed(String version) {
		return WELL_FORMED.matcher(version).matches();
	}

}
