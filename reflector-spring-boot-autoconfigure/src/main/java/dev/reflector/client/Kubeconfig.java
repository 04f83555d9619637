package dev.reflector.client;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Reads the API server and the credentials out of a kubeconfig, the file that
 * {@code kubectl} uses. Understands all that {@code kubectl} does, except for
 * {@code auth-provider} and passwords, which Kubernetes itself has given up: they are
 * refused with a message that says what to use instead.
 */
public final class Kubeconfig {

	private Kubeconfig() {
	}

	/**
	 * Reads a kubeconfig.
	 * @param file the file
	 * @param context name of the context, or {@code null} for the file's current one
	 * @return the server of the context
	 * @throws KubeconfigException when it cannot be used
	 */
	public static ApiServer load(Path file, @Nullable String context) {
		return load(List.of(file), context);
	}

	/**
	 * Reads several kubeconfigs as if they were one, by the rules of {@code kubectl}: of
	 * contexts, clusters and users with the same name, and of current contexts, the first
	 * one wins. Relative paths start from the folder of the file they stand in.
	 * @param files the files, at least one
	 * @param context name of the context, or {@code null} for the current one
	 * @return the server of the context
	 * @throws KubeconfigException when they cannot be used
	 */
	public static ApiServer load(List<Path> files, @Nullable String context) {
		if (files.isEmpty()) {
			throw new IllegalArgumentException("'files' must not be empty");
		}
		return server(new KubeconfigFiles(files.stream().map(KubeconfigNode::read).toList()), context);
	}

	/**
	 * Reads a kubeconfig that is no file.
	 * @param text the content
	 * @param source where it comes from, for messages
	 * @param context name of the context, or {@code null} for the content's current one
	 * @return the server of the context
	 * @throws KubeconfigException when it cannot be used
	 */
	public static ApiServer parse(String text, String source, @Nullable String context) {
		return server(new KubeconfigFiles(List.of(KubeconfigNode.parse(text, source))), context);
	}

	private static ApiServer server(KubeconfigFiles files, @Nullable String context) {
		String name = (context != null && !context.isBlank()) ? context : files.currentContext();
		if (name == null) {
			throw files.failure("names no current-context",
					"set reflector.api-server.context or run 'kubectl config use-context NAME'");
		}
		KubeconfigNode selected = files.named("contexts", name, "context");
		KubeconfigCluster cluster = new KubeconfigCluster(
				files.named("clusters", selected.required("cluster"), "cluster"));
		String userName = selected.text("user");
		KubeconfigUser user = new KubeconfigUser((userName != null && !userName.isEmpty())
				? files.named("users", userName, "user") : files.nothing("context '" + name + "' without a user"));
		user.refuseUnsupported();
		TokenSource token = user.token();
		// like kubectl: a plugin is only asked where nothing is given
		ExecTokenSource plugin = (token == null) ? user.plugin(cluster) : null;
		if (token == null) {
			token = (plugin != null) ? plugin : TokenSource.none();
		}
		return new ApiServer(cluster.url(), ssl(cluster, user, plugin), token, user.impersonation(), cluster.route(),
				files + ", context " + name);
	}

	private static SslSource ssl(KubeconfigCluster cluster, KubeconfigUser user, @Nullable ExecTokenSource plugin) {
		if (!"https".equalsIgnoreCase(cluster.url().getScheme())) {
			return SslSource.of(null);
		}
		PemMaterial trust = cluster.trust();
		PemMaterial material = user.material(trust, Instant.now());
		if (material.certificate() == null && plugin != null) {
			return new PemSslSource(() -> plugin.material(trust));
		}
		return SslSource.of(PemBundles.of(material));
	}

}
