package dev.reflector.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * Paths and queries of the API (W-01 to W-05).
 */
final class ApiPath {

	private ApiPath() {
	}

	static String ofVersion(ResourceType type) {
		return type.group().isEmpty() ? "/api/" + segment(type.version())
				: "/apis/" + segment(type.group()) + "/" + segment(type.version());
	}

	static String ofCollection(ResourceType type, String plural, @Nullable String namespace) {
		return ofVersion(type) + ((namespace != null) ? "/namespaces/" + segment(namespace) : "") + "/"
				+ segment(plural.toLowerCase(Locale.ROOT));
	}

	private static String segment(String segment) {
		// W-04
		if (segment.isEmpty() || segment.equals(".") || segment.equals("..") || segment.contains("/")
				|| segment.contains("%")) {
			throw new IllegalArgumentException("'" + segment + "' cannot be part of a URL path");
		}
		return encode(segment);
	}

	static void parameter(StringBuilder query, String name, String value) {
		// empty is left off (section 1.2)
		if (!value.isEmpty()) {
			query.append((query.length() == 0) ? '?' : '&').append(name).append('=').append(encode(value));
		}
	}

	private static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
	}

}
