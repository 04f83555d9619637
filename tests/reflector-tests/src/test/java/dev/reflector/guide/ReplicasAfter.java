package dev.reflector.guide;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

import dev.reflector.Lister;

import org.springframework.stereotype.Component;

/**
 * Reads what was written, on a thread that waits.
 */
@Component
class ReplicasAfter {

	private final Lister<Deployment> deployments;

	private final Replicas replicas;

	ReplicasAfter(Lister<Deployment> deployments, Replicas replicas) {
		this.deployments = deployments;
		this.replicas = replicas;
	}

	int replicasAfter(String resourceVersion, String name) throws InterruptedException, TimeoutException {
		if (!this.deployments.awaitResourceVersion(resourceVersion, Duration.ofSeconds(10))) {
			throw new TimeoutException("the mirror has not reached " + resourceVersion);
		}
		return this.replicas.replicas("default", name);
	}

}
