package dev.reflector.benchmark.scaling;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A server with objects that handles commands: {@code relay PORT} answers how a replica
 * reaches the server through that port, {@code change COUNT} changes objects,
 * {@code reset} and {@code report} count what the server has done.
 */
public final class ClusterProcess {

	private ClusterProcess() {
	}

	/**
	 * Runs a server.
	 * @param args {@code count=N}, and {@code kubeconfig=FILE} for an existing server, or
	 * {@code sharding=true} or {@code false} for the embedded one
	 * @throws Exception when the server does not do what it should
	 */
	public static void main(String[] args) throws Exception {
		Lines lines = new Lines();
		String kubeconfig = argument(args, "kubeconfig");
		Objects objects = new Objects(Integer.parseInt(String.valueOf(argument(args, "count"))));
		try (Cluster cluster = (kubeconfig != null) ? new GenuineCluster(Path.of(kubeconfig))
				: new EmbeddedCluster(Boolean.parseBoolean(argument(args, "sharding")))) {
			cluster.fill(objects);
			lines.answer(Map.of("host", cluster.url().getHost(), "port", port(cluster)));
			String question = lines.next();
			while (question != null) {
				lines.answer(answer(cluster, objects, question.split(" ")));
				question = lines.next();
			}
		}
		System.exit(0);
	}

	private static @Nullable String argument(String[] args, String name) {
		return Arrays.stream(args)
			.filter((arg) -> arg.startsWith(name + "="))
			.map((arg) -> arg.substring(name.length() + 1))
			.findFirst()
			.orElse(null);
	}

	private static int port(Cluster cluster) {
		int port = cluster.url().getPort();
		return (port >= 0) ? port : (cluster.url().getScheme().equals("https") ? 443 : 80);
	}

	private static Map<String, ?> answer(Cluster cluster, Objects objects, String[] question) throws Exception {
		switch (question[0]) {
			case "relay" -> {
				return Map.of("property", cluster.property(Integer.parseInt(question[1])));
			}
			case "change" -> {
				cluster.change(objects, Integer.parseInt(question[1]));
				return Map.of();
			}
			case "reset" -> {
				cluster.reset();
				return Map.of();
			}
			default -> {
				return new LinkedHashMap<>(cluster.report());
			}
		}
	}

}
