package dev.reflector.benchmark.scaling;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;

/**
 * The embedded server, in this process.
 */
final class EmbeddedCluster implements Cluster {

	/** Changes between two pauses, so few that no watch is ended for being behind. */
	private static final int AT_ONCE = 50;

	private static final long PAUSE_MILLIS = 20;

	private final EmbeddedApiServer server;

	private final ResourceCollection workloads;

	EmbeddedCluster(boolean sharding) {
		this.server = EmbeddedApiServer.builder()
			.type(Workload.API_VERSION, Workload.KIND, Workload.PLURAL, true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.sharding(sharding)
			.start();
		this.workloads = this.server.resources(Workload.PLURAL);
	}

	@Override
	public URI url() {
		return this.server.url();
	}

	@Override
	public String property(int port) {
		return "--reflector.api-server.url=http://127.0.0.1:" + port;
	}

	@Override
	public void fill(Objects objects) {
		for (int i = 0; i < objects.size(); i++) {
			this.workloads.create(objects.object(i, true));
		}
	}

	@Override
	public void change(Objects objects, int count) throws InterruptedException {
		for (int i = 0; i < count; i++) {
			this.workloads.mergePatch(Workload.NAMESPACE, Objects.name(i), objects.patch());
			if (i % AT_ONCE == 0) {
				TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
			}
		}
	}

	@Override
	public Map<String, Object> report() {
		Map<String, Object> report = new LinkedHashMap<>();
		report.put("requests", this.server.requests().size());
		report.put("requestsOfLeases",
				this.server.requests((RecordedRequest request) -> request.isAbout("leases")).size());
		report.put("watches", this.server.activeWatches());
		report.put("cpu", Processor.used());
		return report;
	}

	@Override
	public void reset() {
		this.server.clearRequests();
	}

	@Override
	public void close() {
		this.server.close();
	}

}
