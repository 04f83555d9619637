package dev.reflector.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

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

	private static final String MIRROR_VERBS = "\"list\", \"watch\"";

	/** The verbs on Leases, by what they are used for. */
	private static final Map<String, String> LEASE_VERBS = Map.of("leader-election", "\"get\", \"create\", \"update\"",
			"shards", "\"list\", \"create\", \"update\", \"delete\"");

	private final ReflectedResourceTypes types;

	private final String name;

	private final Map<String, String> leases;

	/**
	 * Creates the manifest of an application without Leases.
	 * @param types what is mirrored
	 * @param application name of the application, with which the names of the roles
	 * begin; when it is empty the roles are named {@code application-reflectors}
	 */
	public RbacManifest(ReflectedResourceTypes types, String application) {
		this(types, application, Map.of());
	}

	/**
	 * Creates the manifest.
	 * @param types what is mirrored
	 * @param application name of the application, with which the names of the roles
	 * begin; when it is empty the roles are named {@code application-reflectors}
	 * @param leases namespaces of Leases, by what they are used for:
	 * {@code leader-election} or {@code shards}
	 */
	RbacManifest(ReflectedResourceTypes types, String application, Map<String, String> leases) {
		this.types = types;
		this.leases = leases;
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
		if (resources.isEmpty() && this.leases.isEmpty()) {
			return "# nothing is mirrored that needs permissions\n";
		}
		Stream<String> mirrored = resources.entrySet()
			.stream()
			.map((entry) -> role(this.name, entry.getKey(), rules(entry.getValue()), subject));
		Stream<String> ofLeases = this.leases.entrySet()
			.stream()
			.map((entry) -> role(this.name + "-" + entry.getKey(), entry.getValue(),
					rule("coordination.k8s.io", Set.of("leases"), LEASE_VERBS.get(entry.getKey())), subject));
		return Stream.concat(mirrored, ofLeases).collect(Collectors.joining("---\n"));
	}

	private static String rules(Map<String, Set<String>> groups) {
		return groups.entrySet()
			.stream()
			.map((group) -> rule(group.getKey(), group.getValue(), MIRROR_VERBS))
			.collect(Collectors.joining());
	}

	private static String rule(String group, Set<String> plurals, String verbs) {
		return "- apiGroups: [" + quoted(group) + "]\n  resources: ["
				+ plurals.stream().map(RbacManifest::quoted).collect(Collectors.joining(", ")) + "]\n  verbs: [" + verbs
				+ "]\n";
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

	private static String role(String name, String namespace, String rules, String subject) {
		boolean everywhere = namespace.equals(EVERYWHERE);
		StringBuilder yaml = new StringBuilder(512);
		yaml.append("# bind it with: kubectl create ")
			.append(everywhere ? "clusterrolebinding " + name + " --clusterrole="
					: "rolebinding " + name + " --namespace=" + namespace + " --role=")
			.append(name)
			.append(subject)
			.append('\n');
		yaml.append("apiVersion: rbac.authorization.k8s.io/v1\nkind: ").append(everywhere ? "ClusterRole" : "Role");
		yaml.append("\nmetadata:\n  name: ").append(quoted(name)).append('\n');
		if (!everywhere) {
			yaml.append("  namespace: ").append(quoted(namespace)).append('\n');
		}
		return yaml.append("rules:\n").append(rules).toString();
	}

	private static String quoted(String text) {
		return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
	}

	@Override
	public String toString() {
		return yaml();
	}

}
