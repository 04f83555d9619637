package dev.reflector.client.credentials;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.client.internal.pem.PemBundles;
import dev.reflector.client.internal.pem.PemBundles.UnusablePemException;
import dev.reflector.client.internal.pem.PemMaterial;
import org.jspecify.annotations.Nullable;

/** A user of a kubeconfig, with its credentials. */
final class KubeconfigUser {

	private static final List<String> EXEC_VERSIONS = List.of("client.authentication.k8s.io/v1",
			"client.authentication.k8s.io/v1beta1");

	private static final List<String> CREDENTIALS = List.of("token", "tokenFile", "client-certificate",
			"client-certificate-data", "exec");

	/** The fields that are no credentials: the user to act as. */
	static final List<String> IMPERSONATION = List.of("as", "as-groups", "as-uid", "as-user-extra");

	private final KubeconfigNode node;

	KubeconfigUser(KubeconfigNode node) {
		this.node = node;
	}

	void refuseUnsupported() {
		this.node.refuse("auth-provider", "use 'exec' with the plugin of your provider instead (such as "
				+ "gke-gcloud-auth-plugin, 'kubelogin convert-kubeconfig' or 'kubectl oidc-login'), or a token or "
				+ "client certificate; the 'id-token' of the auth-provider oidc can be the 'token' until it expires");
		this.node.refuse("username",
				"API servers have taken no passwords since Kubernetes 1.19: use a token or a client certificate");
	}

	/**
	 * Returns the file with the token, which has precedence over {@code token}.
	 * @return the file, or {@code null} for none
	 */
	@Nullable Path tokenFile() {
		return this.node.path("tokenFile");
	}

	/**
	 * Returns the token in the kubeconfig itself.
	 * @return the token, or {@code null} for none
	 */
	@Nullable String token() {
		String token = this.node.text("token");
		return (token != null && !token.isBlank()) ? token.strip() : null;
	}

	/**
	 * Returns the names of the credentials that are sent only over an encrypted
	 * connection.
	 * @return the fields and the user, or {@code null} for none
	 */
	@Nullable String credentials() {
		List<String> fields = CREDENTIALS.stream().filter(this::has).toList();
		return fields.isEmpty() ? null : String.join(", ", fields) + " of " + this.node;
	}

	private boolean has(String field) {
		Object value = this.node.value(field);
		return value != null && !value.toString().isBlank();
	}

	/**
	 * Adds the client certificate, from the kubeconfig itself or from files.
	 * @param trust the trusted authorities
	 * @return the authorities, with the client certificate if there is one
	 */
	PemMaterial material(PemMaterial trust) {
		String certificate = this.node.data("client-certificate");
		String key = this.node.data("client-key");
		if ((certificate == null) != (key == null)) {
			throw this.node.failure("has only one of client-certificate and client-key", "give both or none");
		}
		PemMaterial material = trust.withOwn(certificate, key);
		try {
			PemBundles.of(material);
		}
		catch (UnusablePemException ex) {
			throw this.node.failure("has unusable " + place("client-certificate") + " or " + place("client-key") + ": "
					+ ex.getMessage(), "replace them by PEM, or base64 of PEM in the '-data' form");
		}
		return material;
	}

	/**
	 * Checks that the client certificate is valid now.
	 * @param material the result of {@link #material(PemMaterial)}
	 * @param now the current time
	 * @throws KubeconfigException if the certificate has expired, or is not valid yet
	 */
	void requireValid(PemMaterial material, Instant now) {
		String certificate = material.certificate();
		if (certificate != null && PemBundles.start(certificate).isAfter(now)) {
			throw this.node.failure(
					"has a client-certificate that is not valid before " + PemBundles.start(certificate) + " ("
							+ place("client-certificate") + ")",
					"check the clock of this machine, or get another certificate and key for it");
		}
		if (certificate != null && PemBundles.expiry(certificate).isBefore(now)) {
			throw this.node.failure("has a client-certificate that has expired at " + PemBundles.expiry(certificate)
					+ " (" + place("client-certificate") + ")", "get a new certificate and key for it");
		}
	}

	private String place(String field) {
		String place = this.node.place(field);
		return (place != null) ? place : field;
	}

	/**
	 * Returns where the client certificate comes from.
	 * @return the field or file, or {@code null} for none
	 */
	@Nullable String certificatePlace() {
		String place = this.node.place("client-certificate");
		return (place != null) ? place + " of " + this.node.where() : null;
	}

	KubeconfigException failure(String what, String remedy) {
		return this.node.failure(what, remedy);
	}

	Impersonation impersonation() {
		Map<String, List<String>> extra = new LinkedHashMap<>();
		KubeconfigNode extras = this.node.mapping("as-user-extra", "as-user-extra of " + this.node);
		if (extras != null) {
			extras.fields().forEach((field) -> extra.put(field, extras.texts(field)));
		}
		List<String> groups = this.node.texts("as-groups");
		String user = textOrNull("as");
		String uid = textOrNull("as-uid");
		if (user == null && (uid != null || !groups.isEmpty() || !extra.isEmpty())) {
			throw this.node.failure("has as-groups, as-uid or as-user-extra without 'as'",
					"name the user to act as with 'as'");
		}
		boolean broken = extra.values().stream().flatMap(List::stream).anyMatch(KubeconfigUser::isNoHeaderValue)
				|| groups.stream().anyMatch(KubeconfigUser::isNoHeaderValue) || isNoHeaderValue(user)
				|| isNoHeaderValue(uid);
		if (broken) {
			throw this.node.failure(
					"impersonates a name with a line break or another character that is not printable "
							+ "ASCII, and HTTP clients change such characters",
					"correct 'as' and the fields next to it");
		}
		return new Impersonation(user, groups, uid, extra);
	}

	private static boolean isNoHeaderValue(@Nullable String value) {
		return value != null && value.chars().anyMatch((character) -> character < ' ' || character > '~');
	}

	private @Nullable String textOrNull(String field) {
		String text = this.node.text(field);
		return (text != null && !text.isBlank()) ? text : null;
	}

	/**
	 * Returns the credential plugin.
	 * @param cluster the cluster, which may be described to the plugin
	 * @return the plugin, or {@code null} for none
	 * @throws KubeconfigException if the configuration of the plugin cannot be used
	 */
	@Nullable ExecPlugin plugin(KubeconfigCluster cluster) {
		KubeconfigNode exec = this.node.mapping("exec", "exec of " + this.node.where());
		if (exec == null) {
			return null;
		}
		String version = exec.required("apiVersion");
		if (!EXEC_VERSIONS.contains(version)) {
			throw exec.failure("has an 'apiVersion' that is not supported",
					"set it to one of " + EXEC_VERSIONS + "; the plugin may have to be updated");
		}
		if ("Always".equals(exec.text("interactiveMode"))) {
			throw exec.failure("has the 'interactiveMode' Always, but the application cannot ask a user",
					"use a plugin that works without, and 'Never' or 'IfAvailable'");
		}
		Map<String, String> environment = new LinkedHashMap<>();
		exec.mappings("env").forEach((entry) -> environment.put(entry.required("name"), valueOf(entry)));
		List<String> command = new ArrayList<>();
		command.add(command(exec));
		command.addAll(exec.texts("args"));
		return new ExecPlugin(exec.toString(), command, environment,
				new ExecCredentialReader(version, exec.flag("provideClusterInfo") ? cluster.execInfo() : null),
				hint(exec));
	}

	private static String valueOf(KubeconfigNode entry) {
		String value = entry.text("value");
		return (value != null) ? value : "";
	}

	private static @Nullable String hint(KubeconfigNode exec) {
		String hint = exec.text("installHint");
		return (hint != null && !hint.isBlank()) ? hint.strip() : null;
	}

	/**
	 * Returns the command of a plugin. Like kubectl, resolves a relative path against the
	 * folder of the kubeconfig. A name without a path separator is returned unchanged.
	 */
	private static String command(KubeconfigNode exec) {
		String command = exec.required("command");
		Path resolved = exec.path("command");
		return (!Programs.isName(command) && resolved != null) ? resolved.toAbsolutePath().toString() : command;
	}

}
