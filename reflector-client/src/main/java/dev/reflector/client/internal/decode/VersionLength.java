package dev.reflector.client.internal.decode;

import org.jspecify.annotations.Nullable;

/**
 * How long a resource version may be. Those of Kubernetes have some 20 digits; one that
 * is far longer must go neither into a URL nor into memory.
 */
final class VersionLength {

	static final int MAX = 1024;

	private VersionLength() {
	}

	/**
	 * Checks a version.
	 * @param version the version, {@code null} for none
	 * @return what is wrong with it, {@code null} when it is short enough
	 */
	static @Nullable String problem(@Nullable String version) {
		return (version != null && version.length() > MAX) ? "its resource version has " + version.length()
				+ " characters, more than the " + MAX + " that are accepted" : null;
	}

	/**
	 * A version to tell of.
	 * @param version the version, {@code null} for none
	 * @return the version, empty for none and for one that is too long
	 */
	static String orNone(@Nullable String version) {
		return (version != null && version.length() <= MAX) ? version : "";
	}

}
