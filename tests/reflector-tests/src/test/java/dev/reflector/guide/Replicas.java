package dev.reflector.guide;

import java.util.List;
import java.util.Optional;

import dev.reflector.Lister;
import dev.reflector.ResourceKey;

import org.springframework.stereotype.Component;

/**
 * Looks objects up.
 */
@Component
class Replicas {

	private final Lister<Deployment> deployments;

	Replicas(Lister<Deployment> deployments) {
		this.deployments = deployments;
	}

	int replicas(String namespace, String name) {
		Deployment deployment = this.deployments.get(ResourceKey.of(namespace, name));
		return (deployment != null) ? deployment.spec().replicas() : 0;
	}

	int total(String namespace) {
		return this.deployments.stream(namespace).mapToInt((deployment) -> deployment.spec().replicas()).sum();
	}

	Optional<Integer> wanted(String namespace, String name) {
		return this.deployments.find(namespace, name).map((deployment) -> deployment.spec().replicas());
	}

	List<Deployment> large() {
		return this.deployments.byIndex("size", "large");
	}

}
