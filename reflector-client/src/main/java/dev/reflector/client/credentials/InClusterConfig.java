package dev.reflector.client.credentials;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.reflector.client.internal.pem.PemBundles;
import dev.reflector.client.internal.pem.PemBundles.UnusablePemException;
import dev.reflector.client.internal.pem.PemMaterial;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the API server of the cluster in which this process runs. The credentials are
 * those of the pod's service account.
 *
 * @since 0.1.0
 */
public final class InClusterConfig {

	/** The folder into which the kubelet mounts the service account. */
	public static final Path SERVICE_ACCOUNT_FOLDER = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

	private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9-]{1,63}");

	private static final Logger logger = LoggerFactory.getLogger(InClusterConfig.class);

	private InClusterConfig() {
	}

	/**
	 * Returns the API server of the cluster in which this process runs. Finds the server
	 * with the environment variables {@code KUBERNETES_SERVICE_HOST} and
	 * {@code KUBERNETES_SERVICE_PORT} and the token file of the service account.
	 * @param environment environment variables
	 * @param serviceAccountFolder folder of the service account
	 * @return the server, or empty outside of a cluster
	 * @throws KubeconfigException if the certificate authority of the cluster cannot be
	 * read
	 */
	public static Optional<ApiServer> detect(Map<String, String> environment, Path serviceAccountFolder) {
		String host = environment.get("KUBERNETES_SERVICE_HOST");
		String port = environment.get("KUBERNETES_SERVICE_PORT");
		Path token = serviceAccountFolder.resolve("token");
		if (host == null || host.isBlank() || port == null || port.isBlank() || !Files.isRegularFile(token)) {
			return Optional.empty();
		}
		String authority = (host.indexOf(':') >= 0 && !host.startsWith("[")) ? "[" + host + "]" : host;
		return Optional.of(new ApiServer(URI.create("https://" + authority + ":" + port),
				trust(serviceAccountFolder.resolve("ca.crt")), TokenSource.file(token), Impersonation.NONE,
				Route.DIRECT,
				"service account in " + serviceAccountFolder
						+ namespace(serviceAccountFolder).map((namespace) -> ", namespace " + namespace).orElse(""),
				namespace(serviceAccountFolder).orElse(null)));
	}

	/**
	 * Returns the namespace of the pod.
	 * @param serviceAccountFolder folder of the service account
	 * @return the namespace, or empty outside of a cluster
	 */
	public static Optional<String> namespace(Path serviceAccountFolder) {
		Path file = serviceAccountFolder.resolve("namespace");
		try {
			String namespace = Files.isRegularFile(file) ? new FileReads().read(file).strip() : "";
			return NAMESPACE.matcher(namespace).matches() ? Optional.of(namespace) : Optional.empty();
		}
		catch (IOException ex) {
			logger.debug("Cannot read {}", file, ex);
			return Optional.empty();
		}
	}

	private static SslSource trust(Path file) {
		Reloading<PemMaterial> material = new Reloading<>("The certificate authority of the cluster in " + file,
				(reads, previous) -> read(file, reads, previous), System::nanoTime);
		Supplier<PemMaterial> current = () -> {
			try {
				return material.get();
			}
			catch (IOException ex) {
				throw unreadable(file, ex);
			}
		};
		if (current.get().isEmpty()) {
			logger.warn("{} does not exist, so the certificate authorities of the JVM are trusted", file);
		}
		return new PemSslSource(file::toString, current, material::expire);
	}

	private static PemMaterial read(Path file, FileReads reads, @Nullable PemMaterial previous) {
		if (!reads.exists(file) && (previous == null || previous.isEmpty())) {
			return PemMaterial.NONE;
		}
		try {
			PemMaterial material = new PemMaterial(reads.read(file), null, null, false);
			PemBundles.of(material);
			return material;
		}
		catch (IOException ex) {
			throw unreadable(file, ex);
		}
		catch (UnusablePemException ex) {
			throw new KubeconfigException("cannot use the certificate authority of the cluster in " + file + ": "
					+ ex.getMessage() + "; check how the service account is mounted");
		}
	}

	private static KubeconfigException unreadable(Path file, IOException ex) {
		return new KubeconfigException("cannot read the certificate authority of the cluster in " + file
				+ "; make it readable for this process", ex);
	}

}
