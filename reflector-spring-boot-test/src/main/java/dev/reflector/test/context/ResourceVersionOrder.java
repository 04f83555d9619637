package dev.reflector.test.context;

import java.util.regex.Pattern;

/**
 * Whether one resource version has reached another (W-66 to W-69).
 */
final class ResourceVersionOrder {

	/** W-67: decimal digits without a leading zero. */
	private static final Pattern WELL_FORMED = Pattern.compile("[1-9][0-9]*");

	private ResourceVersionOrder() {
	}

	/**
	 * Whether a version is another one or a later one. Versions that cannot be ordered
	 * must be equal (W-69).
	 * @param version the version
	 * @param other the other version
	 * @return whether the version has reached the other one
	 */
	static boolean reached(String version, String other) {
		if (!isWellFormed(version) || !isWellFormed(other)) {
			return version.equals(other);
		}
		// W-68: never as a number, they may be larger than any
		int byLength = Integer.compare(version.length(), other.length());
		return ((byLength != 0) ? byLength : version.compareTo(other)) >= 0;
	}

	private static boolean isWellFormed(String version) {
		return WELL_FORMED.matcher(version).matches();
	}

}
