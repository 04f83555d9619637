package dev.reflector.client.internal.decode;

import org.jspecify.annotations.Nullable;

/**
 * Limits the length of resource versions. Kubernetes uses about 20 digits, but a proxy in
 * front of several clusters may combine all their versions into one. A version becomes
 * part of a URL, for which servers accept 8 KB.
 */
final class VersionLength {

	static final int MAX = 8 * 1024;

	private VersionLength() {
	}

	/**
	 * Checks a version.
	 * @param version the version, {@code null} for none
	 * @return the problem in words, {@code null} when it is short enough
	 */
	static @Nullable String problem(@Nullable String version) {
		return (version != null && version.length() > MAX) ? "its resource version has " + version.length()
				+ " characters, more than the " + MAX + " that are accepted" : null;
	}

	/**
	 * Replaces a version that is too long.
	 * @param version the version, {@code null} for none
	 * @return the version, empty for none and for one that is too long
	 */
	static String orNone(@Nullable String version) {
		return (version != null && version.length() <= MAX) ? version : "";
	}

}
