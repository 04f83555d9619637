package dev.reflector.client.internal.discovery;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.client.internal.schema.NearestName;
import org.jspecify.annotations.Nullable;

/**
 * The types of one API version that a server serves.
 *
 * @param present whether the server serves the API version
 * @param types the types
 * @param askedAt the time of the request, by {@link System#nanoTime()}
 */
record ServedTypes(boolean present, List<DiscoveredType> types, long askedAt) {

	/** The pattern of the plurals that Kubernetes allows. */
	private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

	private static final int MAX_KINDS = 30;

	static ServedTypes absent(long askedAt) {
		return new ServedTypes(false, List.of(), askedAt);
	}

	/**
	 * Returns the type with the given kind. Ignores a type whose plural is not a DNS
	 * label, because the plural becomes part of URLs and of printed roles.
	 * @param kind the kind
	 * @return the type, or {@code null} for none
	 */
	@Nullable DiscoveredType ofKind(String kind) {
		DiscoveredType found = named(kind);
		return (found != null && LABEL.matcher(found.plural()).matches()) ? found : null;
	}

	/**
	 * Returns the type with the given kind, even if its plural is not a DNS label. If
	 * several types have this kind, prefers one that can be listed.
	 * @param kind the kind
	 * @return the type, or {@code null} for none
	 */
	@Nullable DiscoveredType named(String kind) {
		DiscoveredType found = null;
		for (DiscoveredType type : this.types) {
			if (type.kind().equals(kind) && (found == null || (type.listable() && !found.listable()))) {
				found = type;
			}
		}
		return found;
	}

	/**
	 * Returns the type with the given plural.
	 * @param plural the plural
	 * @return the type, or {@code null} for none
	 */
	@Nullable DiscoveredType ofPlural(String plural) {
		return this.types.stream().filter((type) -> type.plural().equalsIgnoreCase(plural)).findFirst().orElse(null);
	}

	/**
	 * Returns the message that the server does not serve a kind, with a suggestion.
	 * @param kind the kind
	 * @return the message
	 */
	String missing(String kind) {
		String near = kinds().filter((type) -> isNear(type, kind))
			.map(DiscoveredType::kind)
			.findFirst()
			.orElse(NearestName.of(kinds().map(DiscoveredType::kind).toList(), kind));
		String all = kinds().map(DiscoveredType::kind).distinct().sorted().collect(Collectors.joining(", "));
		return "it has no such kind; " + advice((near != null) ? List.of(near) : List.of())
				+ (all.isEmpty() ? "" : " (the kinds there are " + all + ")");
	}

	/**
	 * Returns the message that the server does not have an API version, with suggestions.
	 * @param near API versions with similar names
	 * @return the message
	 */
	static String absentVersion(List<String> near) {
		return "it has no such API group and version; " + advice(near);
	}

	private static String advice(List<String> near) {
		String meant = near.stream().map((name) -> "'" + name + "'").collect(Collectors.joining(" or "));
		return (near.isEmpty() ? "" : "did you mean " + meant + "? Else ")
				+ "its CRD may not be installed, or apiVersion or kind are misspelt";
	}

	private Stream<DiscoveredType> kinds() {
		return this.types.stream().filter(DiscoveredType::listable).limit(MAX_KINDS);
	}

	/**
	 * Returns whether a type is a good suggestion for a kind. The kind may be the name of
	 * a Java class, which may be the plural, or have a suffix.
	 */
	private static boolean isNear(DiscoveredType type, String kind) {
		return type.plural().equalsIgnoreCase(kind) || startsWith(type.kind(), kind) || startsWith(kind, type.kind());
	}

	private static boolean startsWith(String text, String beginning) {
		return text.regionMatches(true, 0, beginning, 0, beginning.length());
	}

}
