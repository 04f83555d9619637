package dev.reflector.guide;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

import dev.reflector.Lister;
import dev.reflector.ResourceKey;
import dev.reflector.cache.HandlerRegistration;
import dev.reflector.cache.ResourceEventHandler;
import dev.reflector.cache.SharedInformer;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceEventStream;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.stereotype.Component;

// tag::beans[]
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
	// end::beans[]

	// tag::lookup[]
	int replicas(String namespace, String name) {
		Deployment deployment = this.deployments.get(ResourceKey.of(namespace, name));
		return (deployment != null) ? deployment.spec().replicas() : 0;
	}

	List<Deployment> large() {
		return this.deployments.byIndex("size", "large");
	}
	// end::lookup[]

	// tag::blocking[]
	int replicasAfter(String resourceVersion, String name) throws InterruptedException, TimeoutException {
		if (!this.deployments.awaitResourceVersion(resourceVersion, Duration.ofSeconds(10))) {
			throw new TimeoutException("the mirror has not reached " + resourceVersion);
		}
		return replicas("default", name);
	}
	// end::blocking[]

	// tag::reactive[]
	Mono<Integer> replicasSoonAfter(String resourceVersion, String name) {
		return this.deployments.reached(resourceVersion)
			.timeout(Duration.ofSeconds(10))
			.then(Mono.fromSupplier(() -> replicas("default", name)));
	}
	// end::reactive[]

	// tag::stream[]
	Flux<String> names() {
		return this.stream.events()
			.ofType(ResourceAddedEvent.class)
			.map((event) -> event.key().name())
			.retryWhen(Retry.backoff(Long.MAX_VALUE, Duration.ofSeconds(1)).filter(Exceptions::isOverflow));
	}
	// end::stream[]

	// tag::handler[]
	HandlerRegistration follow(ResourceEventHandler<Deployment> handler) {
		return this.informer.addEventHandler(handler, Duration.ofMinutes(10));
	}
	// end::handler[]

}
