package dev.reflector.client.internal.decode;

import org.jspecify.annotations.Nullable;

/**
 * Limits the length of resource versions. Kubernetes uses about 20 digits, but a proxy in
 * front of several clusters may combine their versions into a longer one. A version
 * becomes part of a URL, and servers accept URLs of up to 8 KB.
 */
final class VersionLength {

	static final int MAX = 8 * 1024;

	private VersionLength() {
	}

	/**
	 * Checks a version.
	 * @param version the version, or {@code null} for none
	 * @return the problem in words, or {@code null} if the version is short enough
	 */
	static @Nullable String problem(@Nullable String version) {
		return (version != null && version.length() > MAX) ? "its resource version has " + version.length()
				+ " characters, more than the " + MAX + " that are accepted" : null;
	}

	/**
	 * Replaces a version that is too long.
	 * @param version the version, or {@code null} for none
	 * @return the version; empty if there is none or if it is too long
	 */
	static String orNone(@Nullable String version) {
		return (version != null && version.length() <= MAX) ? version : "";
	}

}
