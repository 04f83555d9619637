package dev.reflector.benchmark.scaling;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Kubeconfig;

/**
 * A Kubernetes API server. The benchmark defines a custom resource there, and deletes it
 * with all objects at the end. The same goes for Leases, if a bare server has no such
 * type.
 */
final class GenuineCluster implements Cluster {

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final String WORKLOADS = "/apis/" + Workload.API_VERSION + "/namespaces/" + Workload.NAMESPACE + "/"
			+ Workload.PLURAL;

	private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/" + Workload.NAMESPACE + "/leases";

	private static final String DEFINITION = """
			{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			 "metadata": {"name": "%2$s.%1$s", "annotations": {"api-approved.kubernetes.io": "unapproved, for a measurement"}},
			 "spec": {"group": "%1$s", "scope": "Namespaced",
			  "names": {"plural": "%2$s", "singular": "%4$s", "kind": "%3$s", "listKind": "%3$sList"},
			  "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
			   {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}""";

	private static final int AT_ONCE = 8;

	private static final Duration PATIENCE = Duration.ofSeconds(180);

	private final ApiServer server;

	private final RelayedKubeconfig kubeconfig;

	private final HttpClient http;

	private final List<String> defined = new ArrayList<>();

	GenuineCluster(Path kubeconfig) throws Exception {
		this.server = Kubeconfig.load(kubeconfig, null);
		this.kubeconfig = new RelayedKubeconfig(kubeconfig, this.server.url());
		// HTTP/1.1 has several connections for several requests
		HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
		if (this.server.ssl().bundle() != null) {
			builder.sslContext(this.server.ssl().bundle().createSslContext());
		}
		this.http = builder.build();
		if (send("GET", LEASES + "?limit=1", "").statusCode() == 404) {
			define("coordination.k8s.io", "leases", "Lease", LEASES);
		}
		remove(Workload.PLURAL + "." + Workload.GROUP);
		define(Workload.GROUP, Workload.PLURAL, Workload.KIND, WORKLOADS);
	}

	private void define(String group, String plural, String kind, String path) throws Exception {
		HttpResponse<String> answer = send("POST", DEFINITIONS,
				DEFINITION.formatted(group, plural, kind, plural.substring(0, plural.length() - 1)));
		if (answer.statusCode() != 201) {
			throw new IllegalStateException("cannot define " + plural + ": " + answer.body());
		}
		this.defined.add(plural + "." + group);
		await(path + "?limit=1", 200);
	}

	private void remove(String definition) throws Exception {
		send("DELETE", DEFINITIONS + "/" + definition, "");
		await(DEFINITIONS + "/" + definition, 404);
	}

	private void await(String path, int status) throws Exception {
		long begin = System.nanoTime();
		while (send("GET", path, "").statusCode() != status) {
			if (System.nanoTime() - begin > PATIENCE.toNanos()) {
				throw new IllegalStateException(path + " is still not answered with " + status);
			}
			TimeUnit.MILLISECONDS.sleep(100);
		}
	}

	private HttpResponse<String> send(String method, String path, String body)
			throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.server.url() + path))
			.method(method, HttpRequest.BodyPublishers.ofString(body))
			.timeout(Duration.ofSeconds(60))
			.header("Content-Type", method.equals("PATCH") ? "application/merge-patch+json" : "application/json");
		String token = this.server.token().token();
		if (token != null) {
			request.header("Authorization", "Bearer " + token);
		}
		return this.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	@Override
	public URI url() {
		return this.server.url();
	}

	@Override
	public String property(int port) throws IOException {
		return "--reflector.api-server.kubeconfig=" + this.kubeconfig.write(port);
	}

	@Override
	public void fill(Objects objects) throws Exception {
		inParallel(objects.size(), (i) -> send("POST", WORKLOADS, objects.object(i, false).toString()), 201);
	}

	@Override
	public void change(Objects objects, int count) throws Exception {
		inParallel(count, (i) -> send("PATCH", WORKLOADS + "/" + Objects.name(i), objects.patch()), 200);
	}

	private static void inParallel(int count, Sending sending, int expected) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
		try {
			List<Future<Boolean>> all = new ArrayList<>();
			for (int part = 0; part < AT_ONCE; part++) {
				int first = part;
				all.add(threads.submit((Callable<Boolean>) () -> {
					for (int i = first; i < count; i += AT_ONCE) {
						HttpResponse<String> answer = sending.send(i);
						if (answer.statusCode() != expected) {
							throw new IllegalStateException("answered " + answer.statusCode() + ": " + answer.body());
						}
					}
					return true;
				}));
			}
			for (Future<Boolean> one : all) {
				one.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * Returns the server's metrics, if they can be read: all requests since its start,
	 * including those of other clients.
	 */
	@Override
	public Map<String, Object> report() throws Exception {
		Map<String, Object> report = new LinkedHashMap<>();
		HttpResponse<String> metrics = send("GET", "/metrics", "");
		if (metrics.statusCode() == 200) {
			List<String> lines = metrics.body().lines().toList();
			report.put("cpu", (long) (1e9 * sum(lines, "process_cpu_seconds_total", "")));
			report.put("requests", (long) sum(lines, "apiserver_request_total", "resource=\"" + Workload.PLURAL + "\"",
					"verb=\"(LIST|WATCH)\""));
			report.put("requestsOfLeases", (long) sum(lines, "apiserver_request_total", "resource=\"leases\"", ""));
			report.put("watches", (long) sum(lines, "apiserver_longrunning_requests",
					"resource=\"" + Workload.PLURAL + "\"", "verb=\"WATCH\""));
		}
		return report;
	}

	private static double sum(List<String> lines, String name, String... labels) {
		return lines.stream()
			.filter((line) -> line.startsWith(name + "{") || line.startsWith(name + " "))
			.filter((line) -> List.of(labels).stream().allMatch((label) -> line.matches(".*" + label + ".*")))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
			.sum();
	}

	@Override
	public void reset() {
		// the counts of the server cannot be reset
	}

	@Override
	public void close() {
		for (String definition : this.defined) {
			try {
				send("DELETE", DEFINITIONS + "/" + definition, "");
			}
			catch (IOException ex) {
				System.err.println("cannot remove " + definition + ": " + ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/** A request about one object. */
	@FunctionalInterface
	private interface Sending {

		HttpResponse<String> send(int number) throws Exception;

	}

}
