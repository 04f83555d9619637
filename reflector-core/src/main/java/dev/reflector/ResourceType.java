package dev.reflector;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Identifies the type of the objects of a collection, as the API server names it.
 *
 * @param group API group, empty for the core group
 * @param version version within the group
 * @param kind kind of one object
 * @param plural plural, lower-case name as used in URLs, or {@code null} as long as it is
 * neither declared nor discovered
 * @since 0.1.0
 */
public record ResourceType(String group, String version, String kind, @Nullable String plural) {

	/**
	 * Creates a type from an API version.
	 * @param apiVersion {@code group/version}, or {@code version} for the core group
	 * @param kind the kind
	 * @param plural the plural, or {@code null} when it is not known yet
	 * @return the type
	 * @throws IllegalArgumentException when the API version has no version, a version
	 * with a dot, or more than one slash
	 */
	public static ResourceType of(String apiVersion, String kind, @Nullable String plural) {
		int slash = apiVersion.indexOf('/');
		String group = (slash < 0) ? "" : apiVersion.substring(0, slash);
		String version = apiVersion.substring(slash + 1);
		if (version.isBlank() || version.indexOf('/') >= 0 || version.indexOf('.') >= 0
				|| (slash >= 0 && group.isBlank())) {
			throw new IllegalArgumentException("'" + apiVersion + "' is not an API version: it must be 'version' or "
					+ "'group/version', such as 'v1' or 'apps/v1'");
		}
		return new ResourceType(group, version, kind, plural);
	}

	/**
	 * Guesses the plural of a kind by the rules of English spelling. Only the server
	 * knows the actual plural.
	 * @param kind the kind
	 * @return the plural, in lower case
	 */
	public static String englishPlural(String kind) {
		String singular = kind.toLowerCase(Locale.ROOT);
		if (singular.equals("endpoints")) {
			return singular;
		}
		if (singular.matches(".*(s|x|z|ch|sh)")) {
			return singular + "es";
		}
		if (singular.matches(".*[^aeiou]y")) {
			return singular.substring(0, singular.length() - 1) + "ies";
		}
		return singular + "s";
	}

	/**
	 * The API version of the type.
	 * @return {@code group/version}, or {@code version} for the core group
	 */
	public String apiVersion() {
		return this.group.isEmpty() ? this.version : this.group + "/" + this.version;
	}

	/**
	 * Returns a copy of this type with a plural.
	 * @param plural the plural
	 * @return the type
	 */
	public ResourceType withPlural(String plural) {
		return new ResourceType(this.group, this.version, this.kind, plural);
	}

	@Override
	public String toString() {
		return this.version.isEmpty() ? this.kind : apiVersion() + " " + this.kind;
	}

}
