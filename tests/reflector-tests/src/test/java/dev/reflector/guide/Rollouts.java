package dev.reflector.guide;

import dev.reflector.Lister;
import dev.reflector.Reflector;

import org.springframework.stereotype.Component;

@Component
class Rollouts {

	private final Lister<Deployment> deployments;

	private final Reflector<Deployment> reflector;

	Rollouts(Lister<Deployment> deployments, Reflector<Deployment> reflector) {
		this.deployments = deployments;
		this.reflector = reflector;
	}

	boolean complete(String namespace, String name) {
		Deployment deployment = this.deployments.get(namespace, name);
		return deployment != null && deployment.status() != null
				&& deployment.status().readyReplicas() == deployment.spec().replicas();
	}

	String version() {
		return this.reflector.lastSyncResourceVersion();
	}

}
