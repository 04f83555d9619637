package dev.reflector.test.internal.discovery;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import dev.reflector.test.internal.api.ApiPath;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers discovery requests: which groups, versions and types there are.
 */
public final class Discovery {

	private static final List<String> VERBS = List.of("delete", "deletecollection", "get", "list", "patch", "create",
			"update", "watch");

	private static final List<String> STATUS_VERBS = List.of("get", "patch", "update");

	private final Supplier<List<ServedType>> types;

	public Discovery(Supplier<List<ServedType>> types) {
		this.types = types;
	}

	/**
	 * Answers a discovery request.
	 * @param path the path
	 * @return the answer, or {@code null} if the path is unknown
	 */
	public @Nullable ObjectNode answer(String path) {
		List<String> segments = ApiPath.segments(path);
		if (segments.isEmpty()) {
			return null;
		}
		return switch (segments.get(0)) {
			case "api" -> core(segments);
			case "apis" -> named(segments);
			case "version" -> (segments.size() == 1) ? version() : null;
			default -> null;
		};
	}

	/**
	 * Whether aggregated discovery can be requested at a path.
	 * @param path the path
	 * @return whether the path is {@code /api} or {@code /apis}
	 */
	public static boolean isRoot(String path) {
		List<String> segments = ApiPath.segments(path);
		return segments.size() == 1 && (segments.get(0).equals("api") || segments.get(0).equals("apis"));
	}

	/**
	 * Answers a request for aggregated discovery, with all types of all groups at once.
	 * @param path the requested root
	 * @return the answer
	 */
	public ObjectNode aggregated(String path) {
		ObjectNode list = Json.object()
			.put("kind", "APIGroupDiscoveryList")
			.put("apiVersion", "apidiscovery.k8s.io/v2");
		list.putObject("metadata");
		ArrayNode items = list.putArray("items");
		boolean core = "api".equals(ApiPath.segments(path).get(0));
		Map<String, Set<String>> groups = core ? Map.of("", Set.of("v1")) : groups();
		groups.forEach((group, versions) -> {
			ObjectNode item = items.addObject();
			ObjectNode metadata = item.putObject("metadata");
			if (!group.isEmpty()) {
				metadata.put("name", group);
			}
			ArrayNode nodes = item.putArray("versions");
			versions.forEach((version) -> aggregatedVersion(nodes.addObject(), group, version));
		});
		return list;
	}

	private void aggregatedVersion(ObjectNode node, String group, String version) {
		ArrayNode resources = node.put("version", version).putArray("resources");
		types(group, version).forEach((type) -> {
			ObjectNode resource = resources.addObject().put("resource", type.plural());
			responseKind(resource, type);
			resource.put("scope", type.namespaced() ? "Namespaced" : "Cluster")
				.put("singularResource", type.singular());
			VERBS.forEach(resource.putArray("verbs")::add);
			if (!type.shortNames().isEmpty()) {
				type.shortNames().forEach(resource.putArray("shortNames")::add);
			}
			ObjectNode status = resource.putArray("subresources").addObject().put("subresource", "status");
			responseKind(status, type);
			STATUS_VERBS.forEach(status.putArray("verbs")::add);
		});
		node.put("freshness", "Current");
	}

	private static void responseKind(ObjectNode node, ServedType type) {
		node.putObject("responseKind")
			.put("group", type.group())
			.put("version", type.version())
			.put("kind", type.kind());
	}

	private List<ServedType> types(String group, String version) {
		return this.types.get()
			.stream()
			.filter((type) -> type.group().equals(group) && type.version().equals(version))
			.toList();
	}

	private @Nullable ObjectNode core(List<String> segments) {
		if (segments.size() == 1) {
			ObjectNode versions = Json.object().put("kind", "APIVersions");
			versions.putArray("versions").add("v1");
			versions.putArray("serverAddressByClientCIDRs");
			return versions;
		}
		return (segments.size() == 2 && "v1".equals(segments.get(1))) ? resources("", "v1") : null;
	}

	private @Nullable ObjectNode named(List<String> segments) {
		Map<String, Set<String>> groups = groups();
		if (segments.size() == 1) {
			ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
			ArrayNode nodes = list.putArray("groups");
			groups.forEach((group, versions) -> nodes.add(group(group, versions)));
			return list;
		}
		String group = segments.get(1);
		Set<String> versions = groups.get(group);
		if (versions == null) {
			return null;
		}
		if (segments.size() == 2) {
			ObjectNode node = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
			return node.setAll(group(group, versions));
		}
		return (segments.size() == 3 && versions.contains(segments.get(2))) ? resources(group, segments.get(2)) : null;
	}

	private Map<String, Set<String>> groups() {
		Map<String, Set<String>> groups = new LinkedHashMap<>();
		for (ServedType type : this.types.get()) {
			if (!type.group().isEmpty()) {
				groups.computeIfAbsent(type.group(), (group) -> new LinkedHashSet<>()).add(type.version());
			}
		}
		return groups;
	}

	private static ObjectNode group(String group, Set<String> versions) {
		ObjectNode node = Json.object().put("name", group);
		ArrayNode list = node.putArray("versions");
		versions.forEach((version) -> list.add(groupVersion(group, version)));
		node.set("preferredVersion", groupVersion(group, versions.iterator().next()));
		return node;
	}

	private static ObjectNode groupVersion(String group, String version) {
		return Json.object().put("groupVersion", group + "/" + version).put("version", version);
	}

	private ObjectNode resources(String group, String version) {
		ObjectNode list = Json.object()
			.put("kind", "APIResourceList")
			.put("apiVersion", "v1")
			.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
		ArrayNode resources = list.putArray("resources");
		for (ServedType type : types(group, version)) {
			ObjectNode resource = resource(resources.addObject(), type, type.plural(), type.singular(), VERBS);
			if (!type.shortNames().isEmpty()) {
				type.shortNames().forEach(resource.putArray("shortNames")::add);
			}
			resource(resources.addObject(), type, type.plural() + "/status", "", STATUS_VERBS);
		}
		return list;
	}

	private static ObjectNode resource(ObjectNode node, ServedType type, String name, String singular,
			List<String> verbs) {
		node.put("name", name)
			.put("singularName", singular)
			.put("namespaced", type.namespaced())
			.put("kind", type.kind());
		verbs.forEach(node.putArray("verbs")::add);
		return node;
	}

	private static ObjectNode version() {
		return Json.object()
			.put("major", "1")
			.put("minor", "36")
			.put("gitVersion", "v1.36.0+reflector-embedded")
			.put("platform", "linux/amd64");
	}

}
