package dev.reflector.benchmark.scaling;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.yaml.snakeyaml.Yaml;

/**
 * Writes kubeconfigs that lead to another port of this machine, behind which the same
 * server is.
 *
 * @param file the kubeconfig
 * @param url where the server is
 */
record RelayedKubeconfig(Path file, URI url) {

	/** Members that name files, relative to the kubeconfig. */
	private static final List<String> FILES = List.of("certificate-authority", "client-certificate", "client-key",
			"tokenFile");

	/** Writes one that only this user can read, and that is deleted with this process. */
	Path write(int port) throws IOException {
		Map<String, Object> config = new Yaml().load(Files.readString(this.file));
		for (String[] section : new String[][] { { "clusters", "cluster" }, { "users", "user" } }) {
			for (Map<String, Object> entry : entries(config, section[0])) {
				absolute(member(entry, section[1]));
			}
		}
		for (Map<String, Object> entry : entries(config, "clusters")) {
			Map<String, Object> cluster = member(entry, "cluster");
			if (isName(this.url.getHost())) {
				cluster.putIfAbsent("tls-server-name", this.url.getHost());
			}
			cluster.put("server", this.url.getScheme() + "://127.0.0.1:" + port + this.url.getPath());
		}
		Path relayed = Files.createTempFile("benchmark", ".kubeconfig");
		relayed.toFile().deleteOnExit();
		return Files.writeString(relayed, new Yaml().dump(config));
	}

	private void absolute(Map<String, Object> members) {
		Path folder = this.file.toAbsolutePath().getParent();
		for (String name : FILES) {
			members.computeIfPresent(name, (key, path) -> folder.resolve(path.toString()).toString());
		}
	}

	private static boolean isName(String host) {
		return !host.startsWith("[") && !host.matches("[0-9.]+");
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> entries(Map<String, Object> config, String name) {
		return (List<Map<String, Object>>) config.getOrDefault(name, List.of());
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> member(Map<String, Object> entry, String name) {
		return (Map<String, Object>) entry.get(name);
	}

}
