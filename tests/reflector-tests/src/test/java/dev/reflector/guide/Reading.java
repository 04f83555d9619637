package dev.reflector.guide;

import dev.reflector.Lister;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.event.ResourceEventStream;

import org.springframework.stereotype.Component;

/**
 * Injects all that can be injected for a type.
 */
@Component
class Reading {

	private final Lister<Deployment> deployments;

	private final ResourceEventStream<Deployment> stream;

	private final SharedInformer<Deployment> informer;

	Reading(Lister<Deployment> deployments, ResourceEventStream<Deployment> stream,
			SharedInformer<Deployment> informer) {
		this.deployments = deployments;
		this.stream = stream;
		this.informer = informer;
	}

}
