package dev.reflector.guide;

import java.time.Duration;

import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.SharedInformer;

import org.springframework.stereotype.Component;

/**
 * Adds handlers that come and go.
 */
@Component
class Followers {

	private final SharedInformer<Deployment> informer;

	Followers(SharedInformer<Deployment> informer) {
		this.informer = informer;
	}

	HandlerRegistration follow(ResourceEventHandler<Deployment> handler) {
		return this.informer.addEventHandler(handler, Duration.ofMinutes(10));
	}

}
