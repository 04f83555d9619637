package dev.reflector.client.credentials;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * One or more kubeconfigs, merged as in kubectl. If several files define the same
 * context, cluster or user, or a current context, the first definition is used. Each
 * entry keeps a reference to its file, for messages and relative paths.
 */
final class KubeconfigFiles {

	private final List<KubeconfigNode> roots;

	private final String name;

	private final boolean credentials;

	KubeconfigFiles(List<KubeconfigNode> roots) {
		this(roots, true);
	}

	private KubeconfigFiles(List<KubeconfigNode> roots, boolean credentials) {
		this.roots = roots;
		this.credentials = credentials;
		this.name = roots.stream().map(KubeconfigNode::toString).collect(Collectors.joining(", "));
	}

	/** Returns the same kubeconfigs, but the users have no credentials. */
	KubeconfigFiles withoutCredentials() {
		return new KubeconfigFiles(this.roots, false);
	}

	@Nullable String currentContext() {
		for (KubeconfigNode root : this.roots) {
			String context = root.text("current-context");
			if (context != null && !context.isBlank()) {
				return context;
			}
		}
		return null;
	}

	boolean hasContext() {
		return currentContext() != null || this.roots.stream().anyMatch((root) -> !root.mappings("contexts").isEmpty());
	}

	/**
	 * Finds an entry of a list.
	 * @param list the list, such as {@code contexts}
	 * @param name the name of the entry
	 * @param property the field that has the content of the entry, such as
	 * {@code context}
	 * @return the content of the entry
	 * @throws KubeconfigException if there is no such entry
	 */
	KubeconfigNode named(String list, String name, String property) {
		Set<String> names = new LinkedHashSet<>();
		for (KubeconfigNode root : this.roots) {
			for (KubeconfigNode entry : root.mappings(list)) {
				String entryName = entry.text("name");
				if (name.equals(entryName)) {
					KubeconfigNode content = entry.mapping(property, property + " '" + name + "'");
					return (content != null) ? content : root.empty(property + " '" + name + "'");
				}
				if (entryName != null) {
					names.add(entryName);
				}
			}
		}
		throw failure("has no " + property + " '" + name + "'", "its " + list + " are: " + names);
	}

	/**
	 * Finds a user.
	 * @param name the name of the user
	 * @return the content of the user
	 * @throws KubeconfigException if there is no such user
	 */
	KubeconfigNode user(String name) {
		KubeconfigNode user = named("users", name, "user");
		return this.credentials ? user : user.only(KubeconfigUser.IMPERSONATION);
	}

	KubeconfigNode nothing(String where) {
		return this.roots.get(0).empty(where);
	}

	KubeconfigException failure(String what, String remedy) {
		return new KubeconfigException(this + " " + what + "; " + remedy);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
