package dev.reflector.test.internal.api;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The parts of a path below {@code /api} or {@code /apis} (W-01, W-02).
 *
 * @param group API group, empty for the core group
 * @param version version
 * @param namespace namespace, empty if the path has none
 * @param plural plural, empty if the path ends before it
 * @param name name of one object, empty if the path ends before it
 * @param subresource the rest of the path after the name, or empty
 */
public record ApiPath(String group, String version, String namespace, String plural, String name, String subresource) {

	/**
	 * Parses a path.
	 * @param path the raw path, without query
	 * @return the parts, or {@code null} if the path does not name a group and version
	 */
	public static @Nullable ApiPath parse(String path) {
		List<String> segments = segments(path);
		boolean core = !segments.isEmpty() && "api".equals(segments.get(0));
		int first = core ? 2 : 3;
		if (segments.size() < first || !(core || "apis".equals(segments.get(0)))) {
			return null;
		}
		String group = core ? "" : segments.get(1);
		String version = segments.get(first - 1);
		List<String> rest = segments.subList(first, segments.size());
		boolean inNamespace = rest.size() >= 3 && "namespaces".equals(rest.get(0))
				&& !(core && rest.size() == 3 && "status".equals(rest.get(2)));
		String namespace = inNamespace ? rest.get(1) : "";
		List<String> tail = inNamespace ? rest.subList(2, rest.size()) : rest;
		String subresource = (tail.size() > 3) ? String.join("/", tail.subList(2, tail.size())) : at(tail, 2);
		return new ApiPath(group, version, namespace, at(tail, 0), at(tail, 1), subresource);
	}

	public static List<String> segments(String path) {
		List<String> segments = new ArrayList<>();
		for (String segment : path.split("/")) {
			if (!segment.isEmpty()) {
				segments.add(URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8));
			}
		}
		return segments;
	}

	private static String at(List<String> segments, int index) {
		return (index < segments.size()) ? segments.get(index) : "";
	}

	/**
	 * Whether the path leads to a type.
	 * @param type the type
	 * @return whether the path names this type
	 */
	public boolean leadsTo(ServedType type) {
		if (!type.group().equals(this.group) || !type.version().equals(this.version)
				|| !type.plural().equals(this.plural)) {
			return false;
		}
		return type.namespaced() ? (!this.namespace.isEmpty() || this.name.isEmpty()) : this.namespace.isEmpty();
	}

}
