package dev.reflector.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.reflector.ResourceType;

/**
 * The permissions that the reflectors of the application need, as a manifest for
 * {@code kubectl apply}: a {@code ClusterRole} for types that are mirrored in all
 * namespaces, and a {@code Role} in each namespace that is named. It needs no server.
 *
 * @since 0.1.0
 */
public final class RbacManifest {

	private static final String EVERYWHERE = "";

	private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

	private static final int MAX_NAME = 200;

	private final ReflectedResourceTypes types;

	private final String name;

	/**
	 * Creates the manifest.
	 * @param types what is mirrored
	 * @param application name of the application, with which the names of the roles
	 * begin; when it is empty the roles are named {@code application-reflectors}
	 */
	public RbacManifest(ReflectedResourceTypes types, String application) {
		this.types = types;
		this.name = name(application);
	}

	private static String name(String application) {
		String name = application.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]+", "-").replaceAll("^-+|-+$", "");
		return (name.length() <= MAX_NAME) ? (name.isEmpty() ? "application" : name) + "-reflectors"
				: name.substring(0, MAX_NAME) + "-reflectors";
	}

	/**
	 * The manifest. A plural that is not declared is the one that the server has named,
	 * or else it is formed as in English.
	 * @return YAML of one document for each role
	 */
	public String yaml() {
		return yaml("");
	}

	/**
	 * The manifest for a user that the server has named.
	 * @param user name of the user, empty when it is not known
	 * @return YAML of one document for each role
	 */
	String yaml(String user) {
		String subject = subject(user);
		Map<String, Map<String, Set<String>>> resources = new TreeMap<>();
		this.types.wanted().forEach((wanted) -> {
			List<String> scopes = wanted.namespaces().isEmpty() ? List.of(EVERYWHERE) : wanted.namespaces();
			scopes.forEach((scope) -> add(resources.computeIfAbsent(scope, (key) -> new TreeMap<>()), wanted.type()));
		});
		if (resources.isEmpty()) {
			return "# nothing is mirrored that needs permissions\n";
		}
		return resources.entrySet()
			.stream()
			.map((entry) -> role(entry.getKey(), entry.getValue(), subject))
			.collect(Collectors.joining("---\n"));
	}

	private static void add(Map<String, Set<String>> groups, ResourceType type) {
		groups.computeIfAbsent(type.group(), (key) -> new TreeSet<>()).add(String.valueOf(type.plural()));
	}

	/** The part of {@code kubectl create rolebinding} that names the user. */
	private static String subject(String user) {
		if (user.isEmpty()) {
			return " --serviceaccount=NAMESPACE:NAME";
		}
		return user.startsWith(SERVICE_ACCOUNT) ? " --serviceaccount=" + user.substring(SERVICE_ACCOUNT.length())
				: " --user=" + user;
	}

	private String role(String namespace, Map<String, Set<String>> groups, String subject) {
		boolean everywhere = namespace.equals(EVERYWHERE);
		StringBuilder yaml = new StringBuilder(512);
		yaml.append("# bind it with: kubectl create ")
			.append(everywhere ? "clusterrolebinding " + this.name + " --clusterrole="
					: "rolebinding " + this.name + " --namespace=" + namespace + " --role=")
			.append(this.name)
			.append(subject)
			.append('\n');
		yaml.append("apiVersion: rbac.authorization.k8s.io/v1\nkind: ").append(everywhere ? "ClusterRole" : "Role");
		yaml.append("\nmetadata:\n  name: ").append(quoted(this.name)).append('\n');
		if (!everywhere) {
			yaml.append("  namespace: ").append(quoted(namespace)).append('\n');
		}
		yaml.append("rules:\n");
		groups.forEach((group, plurals) -> yaml.append("- apiGroups: [")
			.append(quoted(group))
			.append("]\n  resources: [")
			.append(plurals.stream().map(RbacManifest::quoted).collect(Collectors.joining(", ")))
			.append("]\n  verbs: [\"list\", \"watch\"]\n"));
		return yaml.toString();
	}

	private static String quoted(String text) {
		return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
	}

	@Override
	public String toString() {
		return yaml();
	}

}
