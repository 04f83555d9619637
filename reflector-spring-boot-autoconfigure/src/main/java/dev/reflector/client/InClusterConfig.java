package dev.reflector.client;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * The API server of the cluster that the application runs in, as a pod finds it.
 */
public final class InClusterConfig {

	private InClusterConfig() {
	}

	/**
	 * Looks for the server.
	 * @param environment environment variables
	 * @param serviceAccountFolder where the files {@code token} and {@code ca.crt} of the
	 * service account are
	 * @return the server, empty when the application runs in no pod with a service
	 * account
	 */
	public static Optional<ApiServer> detect(Map<String, String> environment, Path serviceAccountFolder) {
		String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
		String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
		Path token = serviceAccountFolder.resolve("token");
		Path certificates = serviceAccountFolder.resolve("ca.crt");
		if (host.isEmpty() || port.isEmpty() || !Files.isReadable(token)) {
			return Optional.empty();
		}
		String address = host.contains(":") ? "[" + host + "]" : host;
		SslBundle bundle = Files.isReadable(certificates)
				? SslBundle
					.of(new PemSslStoreBundle(null, PemSslStoreDetails.forCertificate(certificates.toUri().toString())))
				: null;
		return Optional.of(new ApiServer(URI.create("https://" + address + ":" + port), bundle, TokenSource.file(token),
				"the service account of the pod"));
	}

}
