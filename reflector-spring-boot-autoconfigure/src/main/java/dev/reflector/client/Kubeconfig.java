package dev.reflector.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;

import dev.reflector.client.PemBundles.UnusablePemException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.SslBundle;

/**
 * Reads the API server and the credentials out of a kubeconfig, the file that
 * {@code kubectl} uses. Understands certificates, keys, tokens and token files;
 * credential plug-ins and proxies are refused with a message that says what to use
 * instead.
 */
public final class Kubeconfig {

	private static final Logger logger = LoggerFactory.getLogger(Kubeconfig.class);

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
		return server(KubeconfigNode.read(file), context);
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
		return server(KubeconfigNode.parse(text, source), context);
	}

	private static ApiServer server(KubeconfigNode root, @Nullable String context) {
		String name = (context != null && !context.isBlank()) ? context : root.text("current-context");
		if (name == null || name.isBlank()) {
			throw root.failure("names no current-context",
					"set reflector.api-server.context or run 'kubectl config use-context NAME'");
		}
		KubeconfigNode selected = root.named("contexts", name, "context");
		KubeconfigNode cluster = root.named("clusters", selected.required("cluster"), "cluster");
		String userName = selected.text("user");
		KubeconfigNode user = (userName != null && !userName.isEmpty()) ? root.named("users", userName, "user")
				: root.empty("context '" + name + "' without a user");
		refuse(cluster, user);
		URI url = url(cluster);
		return new ApiServer(url, sslBundle(cluster, user, url), token(user), root + ", context " + name);
	}

	private static void refuse(KubeconfigNode cluster, KubeconfigNode user) {
		cluster.refuse("proxy-url", "reach the server directly, or set the proxy with a "
				+ "ClientHttpConnectorBuilderCustomizer and remove the field");
		cluster.refuse("tls-server-name",
				"use a server URL whose host is in the server's certificate and remove the field");
		for (String plugin : List.of("exec", "auth-provider")) {
			user.refuse(plugin,
					"use a user with a token or a client certificate (for example that of a service account: "
							+ "'kubectl create token NAME'), or set reflector.api-server.token-file");
		}
		user.refuse("username", "basic authentication is gone from Kubernetes: use a token or a client certificate");
		user.refuse("as", "impersonation is not supported: use the credentials of that user");
	}

	private static URI url(KubeconfigNode cluster) {
		String server = cluster.required("server");
		try {
			URI url = new URI(server);
			return new ApiServer(url, null, TokenSource.none(), cluster.toString()).url();
		}
		catch (URISyntaxException | IllegalArgumentException ex) {
			// not repeated: it may hold a password
			throw cluster.failure("has a 'server' that is no http or https URL without user, query and fragment",
					"write it like https://127.0.0.1:6443");
		}
	}

	private static @Nullable SslBundle sslBundle(KubeconfigNode cluster, KubeconfigNode user, URI url) {
		if (!"https".equalsIgnoreCase(url.getScheme())) {
			return null;
		}
		String authority = cluster.data("certificate-authority");
		String certificate = user.data("client-certificate");
		String key = user.data("client-key");
		if ((certificate == null) != (key == null)) {
			throw user.failure("has only one of client-certificate and client-key", "give both or none");
		}
		boolean insecure = "true".equals(cluster.text("insecure-skip-tls-verify"));
		if (insecure) {
			logger.warn("The certificate of {} is not verified: insecure-skip-tls-verify is set in {}", url, cluster);
		}
		try {
			if (insecure) {
				return PemBundles.trustingEveryone(certificate, key);
			}
			if (authority == null && certificate == null) {
				return null;
			}
			return PemBundles.bundle(authority, certificate, key);
		}
		catch (UnusablePemException ex) {
			KubeconfigNode node = ex.isAuthority() ? cluster : user;
			throw node.failure(
					"has unusable " + (ex.isAuthority() ? "certificate-authority" : "client-certificate or client-key")
							+ ": " + ex.getMessage(),
					"replace it by PEM, or base64 of PEM in the '-data' form");
		}
	}

	private static TokenSource token(KubeconfigNode user) {
		Path file = user.path("tokenFile");
		if (file != null) {
			return TokenSource.file(file);
		}
		String token = user.text("token");
		return (token != null && !token.isBlank()) ? TokenSource.of(token.strip()) : TokenSource.none();
	}

}
