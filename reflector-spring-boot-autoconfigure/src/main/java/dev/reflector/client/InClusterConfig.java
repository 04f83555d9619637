package dev.reflector.client;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Placeholder. */
public final class InClusterConfig {

	private InClusterConfig() {
	}

	public static Optional<ApiServer> detect(Map<String, String> environment, Path serviceAccountFolder) {
		String host = environment.get("KUBERNETES_SERVICE_HOST");
		Path token = serviceAccountFolder.resolve("token");
		if (host == null || !Files.exists(token)) {
			return Optional.empty();
		}
		URI url = URI.create("https://" + host + ":" + environment.get("KUBERNETES_SERVICE_PORT"));
		return Optional.of(new ApiServer(url, null, TokenSource.file(token), "in-cluster service account"));
	}

}
