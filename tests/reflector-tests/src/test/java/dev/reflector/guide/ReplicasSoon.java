package dev.reflector.guide;

import java.time.Duration;

import dev.reflector.Lister;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reads what was written, on no thread.
 */
@Component
class ReplicasSoon {

	private final Lister<Deployment> deployments;

	private final Replicas replicas;

	ReplicasSoon(Lister<Deployment> deployments, Replicas replicas) {
		this.deployments = deployments;
		this.replicas = replicas;
	}

	Mono<Integer> replicasSoonAfter(String resourceVersion, String name) {
		return this.deployments.reached(resourceVersion)
			.timeout(Duration.ofSeconds(10))
			.then(Mono.fromSupplier(() -> this.replicas.replicas("default", name)));
	}

}
