package dev.reflector.client.credentials;

import java.time.Instant;

import dev.reflector.client.internal.pem.PemMaterial;
import org.jspecify.annotations.Nullable;

/**
 * A context of a kubeconfig, as it was last read. Its content may change while the
 * application runs. Its {@code toString()} shows no secrets.
 *
 * @param name the name of the context
 * @param files the kubeconfig
 * @param cluster the server
 * @param user the credentials
 * @param material trusted authorities and client certificate, from the kubeconfig itself
 * or from files
 * @param token the token in the kubeconfig itself, or {@code null} for none
 */
record KubeconfigContext(String name, KubeconfigFiles files, KubeconfigCluster cluster, KubeconfigUser user,
		PemMaterial material, @Nullable String token) {

	private static final String RESTART = "restart the application to use it";

	/**
	 * Reads a context for the first time.
	 * @param files the kubeconfig
	 * @param context the name of the context, or {@code null} for the current context
	 * @return the context
	 * @throws KubeconfigException if the context cannot be used
	 */
	static KubeconfigContext first(KubeconfigFiles files, @Nullable String context) {
		String name = (context != null && !context.isBlank()) ? context : files.currentContext();
		if (name == null) {
			throw files.failure("names no current-context", "name a context, or run 'kubectl config use-context NAME'");
		}
		KubeconfigContext first = named(files, name);
		first.user.requireValid(first.material, Instant.now());
		return first;
	}

	private static KubeconfigContext named(KubeconfigFiles files, String name) {
		KubeconfigNode selected = files.named("contexts", name, "context");
		KubeconfigCluster cluster = new KubeconfigCluster(
				files.named("clusters", selected.required("cluster"), "cluster"));
		String userName = selected.text("user");
		KubeconfigUser user = new KubeconfigUser((userName != null && !userName.isEmpty()) ? files.user(userName)
				: files.nothing("context '" + name + "' without a user"));
		user.refuseUnsupported();
		PemMaterial material = cluster.isEncrypted() ? user.material(cluster.trust()) : PemMaterial.NONE;
		return new KubeconfigContext(name, files, cluster, user, material, user.token());
	}

	/**
	 * Reads the same context again. Ignores whether the kubeconfig now names another
	 * current context, because the credentials for another cluster must not be sent to
	 * this cluster. Refuses a change that would make the connection less safe. Also
	 * refuses a change of how connections are made, because such a change has no effect
	 * before a restart.
	 * @param changed the changed kubeconfig
	 * @return the new content of the context
	 * @throws KubeconfigException if the context cannot be used, or if the change needs a
	 * restart
	 */
	KubeconfigContext again(KubeconfigFiles changed) {
		KubeconfigContext next = named(changed, this.name);
		if (!next.cluster.url().equals(this.cluster.url())) {
			throw next.cluster.failure("now names another server than " + this.cluster.url(), RESTART);
		}
		if (this.cluster.isVerified() && !next.cluster.isVerified()) {
			throw next.cluster.failure("now has insecure-skip-tls-verify, which turns verification off", RESTART);
		}
		if (!next.cluster.route().equals(this.cluster.route())) {
			throw next.cluster.failure("now has another tls-server-name or proxy-url", RESTART);
		}
		if (this.material.authority() != null && next.material.authority() == null) {
			throw next.cluster.failure("no longer has a certificate-authority, so those of the JVM would be trusted",
					RESTART);
		}
		if (this.token != null && next.token == null) {
			throw next.user.failure("no longer has a token",
					"restart the application to use other credentials, or give it one");
		}
		if (this.material.certificate() != null && next.material.certificate() == null) {
			throw next.user.failure("no longer has a client-certificate",
					"restart the application to use other credentials, or give it one");
		}
		return next;
	}

	/**
	 * Returns the namespace of the context.
	 * @return the name of the namespace, or {@code null} for none
	 */
	@Nullable String namespace() {
		String namespace = this.files.named("contexts", this.name, "context").text("namespace");
		return (namespace != null && !namespace.isBlank()) ? namespace.strip() : null;
	}

	/**
	 * Describes where the trusted authorities and the client certificate come from.
	 * @param other the source of a client certificate that is not from the kubeconfig, or
	 * {@code null} for none
	 * @return the fields and files
	 */
	String describe(@Nullable String other) {
		String own = this.user.certificatePlace();
		String client = (own != null) ? own : other;
		return this.cluster.trustPlace() + ((client != null) ? ", " + client : "") + ", " + this.files;
	}

	/**
	 * Describes where the trusted authorities come from.
	 * @return the field or file, and the kubeconfig
	 */
	String describeTrust() {
		return this.cluster.trustPlace() + ", " + this.files;
	}

	@Override
	public String toString() {
		return this.files + ", context " + this.name;
	}

}
