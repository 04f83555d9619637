package dev.reflector.client.credentials;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Reads the API server and the credentials from a kubeconfig, the file that
 * {@code kubectl} uses. Supports everything that {@code kubectl} supports, except
 * {@code auth-provider}, passwords, and host names that Java does not accept. If the
 * kubeconfig needs one of these, loading fails, and the message of the exception says
 * what to use instead. If the server has no TLS, no token is sent and no plugin is run,
 * as in {@code kubectl}, and a warning is logged. A changed token, certificate or
 * authority is used without a restart. If the server, its proxy or the check of its
 * certificate changes, or the authority is removed, a restart is needed, and a warning is
 * logged. A change of the plugin, the token file or the impersonation also needs a
 * restart, but no warning is logged.
 *
 * @since 0.1.0
 */
public final class Kubeconfig {

	private Kubeconfig() {
	}

	/**
	 * Reads a kubeconfig.
	 * @param file the file
	 * @param context name of the context, or {@code null} for the current context of the
	 * file
	 * @return the server of the context
	 * @throws KubeconfigException if the kubeconfig cannot be used
	 */
	public static ApiServer load(Path file, @Nullable String context) {
		return load(List.of(file), context);
	}

	/**
	 * Reads several kubeconfigs and merges them like {@code kubectl}. If several
	 * contexts, clusters or users have the same name, the first one is used. If several
	 * files name a current context, the first one is used. A relative path is resolved
	 * against the folder of its file. Files that do not exist are ignored, unless none of
	 * the files exists.
	 * @param files the files, at least one
	 * @param context name of the context, or {@code null} for the current context
	 * @return the server of the context
	 * @throws KubeconfigException if the kubeconfigs cannot be used
	 */
	public static ApiServer load(List<Path> files, @Nullable String context) {
		return load(files, context, true);
	}

	/**
	 * Reads several kubeconfigs as {@link #load(List, String)} does, and can forbid
	 * credential plugins, which are programs.
	 * @param files the files, at least one
	 * @param context name of the context, or {@code null} for the current context
	 * @param execPlugins whether a plugin may be run; if not, the plugin need not be
	 * installed, and requests that need its credentials fail
	 * @return the server of the context
	 * @throws KubeconfigException if the kubeconfigs cannot be used
	 */
	public static ApiServer load(List<Path> files, @Nullable String context, boolean execPlugins) {
		List<Path> copy = copy(files);
		return server((reads) -> read(copy, reads), context, execPlugins);
	}

	/**
	 * Reads several kubeconfigs as {@link #load(List, String)} does, but not the
	 * credentials of the user, which may be missing or expired. The server has no token,
	 * plugin and client certificate, until {@link ApiServer#withToken} adds a token.
	 * @param files the files, at least one
	 * @param context name of the context, or {@code null} for the current context
	 * @return the server of the context
	 * @throws KubeconfigException if the kubeconfigs cannot be used
	 */
	public static ApiServer loadWithoutCredentials(List<Path> files, @Nullable String context) {
		List<Path> copy = copy(files);
		return server((reads) -> read(copy, reads).withoutCredentials(), context, false);
	}

	private static List<Path> copy(List<Path> files) {
		if (files.isEmpty()) {
			throw new IllegalArgumentException("'files' must not be empty");
		}
		return List.copyOf(files);
	}

	/**
	 * Returns whether kubeconfigs name any context. Tools that delete a cluster leave a
	 * kubeconfig without one, which {@code kubectl} treats like a missing file.
	 * @param files the files, at least one
	 * @return whether there is a context or a current context
	 * @throws KubeconfigException if one of the files cannot be read or is no kubeconfig
	 */
	public static boolean hasContext(List<Path> files) {
		return read(files, new FileReads()).hasContext();
	}

	private static KubeconfigFiles read(List<Path> files, FileReads reads) {
		List<Path> existing = files.stream().filter(reads::exists).toList();
		// if no file exists, the first one is read for its message
		Stream<Path> read = existing.isEmpty() ? files.stream().limit(1) : existing.stream();
		return new KubeconfigFiles(read.map((file) -> KubeconfigNode.read(file, reads)).toList());
	}

	/**
	 * Reads the text of a kubeconfig.
	 * @param text the text
	 * @param source where the text comes from, for messages
	 * @param context name of the context, or {@code null} for the current context of the
	 * text
	 * @return the server of the context
	 * @throws KubeconfigException if the kubeconfig cannot be used
	 */
	public static ApiServer parse(String text, String source, @Nullable String context) {
		return server((reads) -> new KubeconfigFiles(List.of(KubeconfigNode.parse(text, source, reads))), context,
				true);
	}

	private static ApiServer server(Function<FileReads, KubeconfigFiles> files, @Nullable String context,
			boolean execPlugins) {
		KubeconfigContexts contexts = new KubeconfigContexts(files, context);
		KubeconfigContext first = contexts.current();
		KubeconfigCluster cluster = first.cluster();
		if (!cluster.isEncrypted()) {
			String unused = first.user().credentials();
			return server(first, SslSource.of(null),
					(unused != null) ? new UnsentToken(cluster.url(), unused) : TokenSource.none());
		}
		// as in kubectl, a plugin is only run if there is no token
		Path tokenFile = first.user().tokenFile();
		boolean asked = tokenFile == null && first.token() == null;
		ExecPlugin named = asked ? first.user().plugin(cluster) : null;
		if (named != null && !execPlugins) {
			return server(first, ssl(contexts, first, null), new DeniedPlugin(named));
		}
		ExecTokenSource plugin = (named != null) ? named.executable() : null;
		TokenSource token = (tokenFile != null) ? TokenSource.file(tokenFile)
				: (plugin != null) ? plugin : (first.token() != null) ? contexts : TokenSource.none();
		return server(first, ssl(contexts, first, plugin), token);
	}

	private static ApiServer server(KubeconfigContext context, SslSource ssl, TokenSource token) {
		return new ApiServer(context.cluster().url(), ssl, token, context.user().impersonation(),
				context.cluster().route(), context.toString(), context.namespace());
	}

	private static SslSource ssl(KubeconfigContexts contexts, KubeconfigContext first,
			@Nullable ExecTokenSource plugin) {
		PemSslSource trust = new PemSslSource(() -> contexts.last().describeTrust(),
				() -> contexts.current().material().withOwn(null, null), contexts::expire);
		if (plugin != null && first.material().certificate() == null) {
			return new PemSslSource(() -> contexts.last().describe(plugin.toString()),
					() -> plugin.material(contexts.current().material()), contexts::expire, trust);
		}
		return new PemSslSource(() -> contexts.last().describe(null), () -> contexts.current().material(),
				contexts::expire, trust);
	}

}
