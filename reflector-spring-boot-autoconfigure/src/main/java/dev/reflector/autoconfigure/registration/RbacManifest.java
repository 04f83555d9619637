package dev.reflector.autoconfigure.registration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * The permissions that the reflectors of the application need, as a manifest for
 * {@code kubectl apply}: a {@code ClusterRole} for types that are mirrored in all
 * namespaces, and a {@code Role} in each namespace that a reflector names. The manifest
 * is made without a request to the server.
 *
 * @since 0.1.0
 */
public final class RbacManifest {

	/** Placeholder in the manifest for a namespace that is not known. */
	private static final String UNKNOWN_NAMESPACE = "NAMESPACE";

	private static final String EVERYWHERE = "";

	/** Matches the user name of a service account, with its namespace and name. */
	private static final Pattern SERVICE_ACCOUNT = Pattern
		.compile("system:serviceaccount:([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?):([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)");

	/** Matches a user name that needs no quotes in a command. */
	private static final Pattern USER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9:@._/-]{0,252}");

	private static final String NAMED_BY_SERVER = " # named by the server";

	private static final int MAX_NAME = 200;

	private static final String DELETES = " # and \"delete\", where it deletes them";

	private static final String MIRROR_VERBS = "\"list\", \"watch\"";

	/** The rule for the namespace whose uid identifies a cluster. */
	private static final String IDENTITY = rule("", List.of("namespaces"), "", "kube-system", "\"get\"", "");

	private final ReflectedResourceTypes types;

	private final String name;

	private final List<Leases> leases;

	private final List<Writes> writes;

	private final boolean snapshots;

	/**
	 * Creates the manifest of an application without Leases.
	 * @param types the types that are mirrored
	 * @param application name of the application, the prefix of the roles' names; if it
	 * is empty, the prefix is {@code application}
	 */
	public RbacManifest(ReflectedResourceTypes types, String application) {
		this(types, name(application), List.of(), List.of(), false);
	}

	private RbacManifest(ReflectedResourceTypes types, String name, List<Leases> leases, List<Writes> writes,
			boolean snapshots) {
		this.types = types;
		this.name = name;
		this.leases = leases;
		this.writes = writes;
		this.snapshots = snapshots;
	}

	/**
	 * Returns a copy of this manifest with the permissions for writes. If the type of the
	 * written objects is mirrored, writes are allowed in the namespaces of its
	 * reflectors, and otherwise in all namespaces. The manifest also allows reading the
	 * objects whose status is written. For dry runs, it allows reading all objects that
	 * are written.
	 * @param objects types whose objects are applied or created
	 * @param statuses types whose status is applied
	 * @param dryRun whether all writes are dry runs
	 * @return a manifest with these permissions added
	 */
	public RbacManifest withWrites(List<ResourceType> objects, List<ResourceType> statuses, boolean dryRun) {
		List<Writes> writes = new ArrayList<>();
		String get = dryRun ? ", \"get\"" : "";
		objects.forEach((type) -> writes.add(new Writes(type, "", "\"patch\", \"create\"" + get, DELETES)));
		statuses.forEach((type) -> {
			writes.add(new Writes(type, "/status", "\"patch\"", ""));
			// the writer reads the object from the server if the mirror is behind, or in
			// a dry run
			writes.add(new Writes(type, "", "\"get\"", ""));
		});
		return new RbacManifest(this.types, this.name, this.leases, List.copyOf(writes), this.snapshots);
	}

	/**
	 * Returns a copy of this manifest with the permission that durable mirrors need: to
	 * get the namespace {@code kube-system}, whose uid shows whether a snapshot is of the
	 * same cluster.
	 * @return a manifest with this permission added
	 */
	public RbacManifest withSnapshots() {
		return new RbacManifest(this.types, this.name, this.leases, this.writes, true);
	}

	/**
	 * Returns a copy of this manifest with the permissions for electing a leader.
	 * @param namespace namespace of the Lease, or {@code null} if it is not known
	 * @param lease name of the Lease, or {@code null} if it is not known
	 * @return a manifest with these permissions added
	 */
	public RbacManifest withElection(@Nullable String namespace, @Nullable String lease) {
		// the verb "create" cannot be limited to a name
		return with("leader-election", namespace, (lease == null) ? leases("", "\"get\", \"create\", \"update\"")
				: leases("", "\"create\"") + leases(lease, "\"get\", \"update\""));
	}

	/**
	 * Returns a copy of this manifest with the permissions for replicas that divide the
	 * objects through Leases.
	 * @param namespace namespace of the Leases, or {@code null} if it is not known
	 * @return a manifest with these permissions added
	 */
	public RbacManifest withShards(@Nullable String namespace) {
		return with("shards", namespace, leases("", "\"list\", \"create\", \"update\", \"delete\""));
	}

	private RbacManifest with(String use, @Nullable String namespace, String rules) {
		Leases more = new Leases(use, (namespace != null) ? namespace : UNKNOWN_NAMESPACE, rules);
		return new RbacManifest(this.types, this.name, Stream.concat(this.leases.stream(), Stream.of(more)).toList(),
				this.writes, this.snapshots);
	}

	private static String leases(String name, String verbs) {
		return rule("coordination.k8s.io", List.of("leases"), "", name, verbs, "");
	}

	private static String name(String application) {
		String name = application.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]+", "-").replaceAll("^-+|-+$", "");
		return (name.length() <= MAX_NAME) ? (name.isEmpty() ? "application" : name) + "-reflectors"
				: name.substring(0, MAX_NAME) + "-reflectors";
	}

	/**
	 * Returns the manifest as YAML. If a type declares no plural, the manifest has the
	 * plural that the server has named, or else the English plural of the kind.
	 * @return YAML with one document for each role
	 */
	public String yaml() {
		return yaml("");
	}

	/**
	 * Returns the manifest as YAML. Comments in it contain the commands that bind the
	 * roles to a user.
	 * @param user the user's name as the server has reported it, empty if it is not known
	 * @return YAML with one document for each role
	 */
	public String yaml(String user) {
		String subject = subject(user);
		Map<String, Map<String, Set<String>>> resources = new TreeMap<>();
		Set<String> named = new TreeSet<>();
		this.types.requested().forEach((wanted) -> {
			List<String> scopes = wanted.namespaces().isEmpty() ? List.of(EVERYWHERE) : wanted.namespaces();
			scopes.forEach((scope) -> add(resources.computeIfAbsent(scope, (key) -> new TreeMap<>()), wanted.type()));
			if (wanted.namedByServer()) {
				named.add(key(wanted.type()));
			}
		});
		Map<String, String> writes = writes();
		if (this.snapshots && !resources.isEmpty()) {
			writes.merge(EVERYWHERE, IDENTITY, String::concat);
		}
		writes.keySet().forEach((scope) -> resources.computeIfAbsent(scope, (key) -> new TreeMap<>()));
		if (resources.isEmpty() && this.leases.isEmpty()) {
			return "# nothing is mirrored that needs permissions\n";
		}
		Stream<String> mirrored = resources.entrySet()
			.stream()
			.map((entry) -> role(this.name, entry.getKey(),
					rules(entry.getValue(), named) + writes.getOrDefault(entry.getKey(), ""), subject));
		Stream<String> ofLeases = this.leases.stream()
			.map((leases) -> role(this.name + "-" + leases.use(), leases.namespace(), leases.rules(), subject));
		return Stream.concat(mirrored, ofLeases).collect(Collectors.joining("---\n"));
	}

	/** Returns the rules for writes, by namespace. */
	private Map<String, String> writes() {
		Map<String, String> rules = new TreeMap<>();
		for (Writes writes : this.writes) {
			List<ReflectedResourceTypes.Requested> mirrored = this.types.requested()
				.stream()
				.filter((wanted) -> wanted.type().group().equals(writes.type().group())
						&& wanted.type().kind().equals(writes.type().kind()))
				.toList();
			Set<String> scopes = new TreeSet<>();
			mirrored.forEach((wanted) -> scopes
				.addAll(wanted.namespaces().isEmpty() ? List.of(EVERYWHERE) : wanted.namespaces()));
			String rule = rule(writes, mirrored);
			(scopes.isEmpty() ? Set.of(EVERYWHERE) : scopes)
				.forEach((scope) -> rules.merge(scope, rule, String::concat));
		}
		return rules;
	}

	/**
	 * Returns the rule for writes of a type. If the type declares no plural, the plural
	 * of the mirrored type of the same kind is used.
	 */
	private static String rule(Writes writes, List<ReflectedResourceTypes.Requested> mirrored) {
		String plural = writes.type().plural();
		String comment = "";
		if (plural == null && !mirrored.isEmpty()) {
			plural = mirrored.get(0).type().plural();
			comment = mirrored.get(0).namedByServer() ? NAMED_BY_SERVER : "";
		}
		if (plural == null) {
			plural = ResourceType.englishPlural(writes.type().kind());
		}
		return rule(writes.type().group(), List.of(plural + writes.subresource()), comment, "", writes.verbs(),
				writes.more());
	}

	/**
	 * Returns the rules for mirrored types. Plurals that the server has named are in a
	 * separate rule, which can then have a comment.
	 */
	private static String rules(Map<String, Set<String>> groups, Set<String> named) {
		StringBuilder rules = new StringBuilder();
		groups.forEach((group, plurals) -> {
			Predicate<String> byServer = (plural) -> named.contains(group + "/" + plural);
			addRule(rules, group, plurals.stream().filter(byServer.negate()).toList(), "");
			addRule(rules, group, plurals.stream().filter(byServer).toList(), NAMED_BY_SERVER);
		});
		return rules.toString();
	}

	private static void addRule(StringBuilder rules, String group, List<String> plurals, String comment) {
		if (!plurals.isEmpty()) {
			rules.append(rule(group, plurals, comment, "", MIRROR_VERBS, ""));
		}
	}

	private static String rule(String group, List<String> plurals, String comment, String resourceName, String verbs,
			String more) {
		return "- apiGroups: [" + quoted(group) + "]\n  resources: ["
				+ plurals.stream().map(RbacManifest::quoted).collect(Collectors.joining(", ")) + "]" + comment + "\n"
				+ (resourceName.isEmpty() ? "" : "  resourceNames: [" + quoted(resourceName) + "]\n") + "  verbs: ["
				+ verbs + "]" + more + "\n";
	}

	private static String key(ResourceType type) {
		return type.group() + "/" + type.plural();
	}

	private static void add(Map<String, Set<String>> groups, ResourceType type) {
		groups.computeIfAbsent(type.group(), (key) -> new TreeSet<>()).add(String.valueOf(type.plural()));
	}

	/** Returns the part of {@code kubectl create rolebinding} that names the user. */
	private static String subject(String user) {
		Matcher account = SERVICE_ACCOUNT.matcher(user);
		if (account.matches()) {
			return " --serviceaccount=" + account.group(1) + ":" + account.group(3) + NAMED_BY_SERVER;
		}
		return (!user.startsWith("system:serviceaccount:") && USER.matcher(user).matches())
				? " --user=" + user + NAMED_BY_SERVER : " --serviceaccount=" + UNKNOWN_NAMESPACE + ":NAME";
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

	/**
	 * The writes of the application to one type.
	 *
	 * @param type the type
	 * @param subresource the subresource with a slash, or empty
	 * @param verbs the verbs
	 * @param more a comment after the verbs, or empty
	 */
	private record Writes(ResourceType type, String subresource, String verbs, String more) {

	}

	/**
	 * Leases that the application writes.
	 *
	 * @param use purpose of the Leases, the last part of the role's name
	 * @param namespace namespace of the Leases
	 * @param rules the rules of the role
	 */
	private record Leases(String use, String namespace, String rules) {

	}

}
