package dev.reflector.guide;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

import dev.reflector.Lister;
import dev.reflector.Reflector;

import org.springframework.stereotype.Component;

/**
 * Waits until there is something to count.
 */
@Component
class Report {

	private final Lister<Deployment> deployments;

	private final Reflector<Deployment> reflector;

	Report(Lister<Deployment> deployments, Reflector<Deployment> reflector) {
		this.deployments = deployments;
		this.reflector = reflector;
	}

	int count() throws InterruptedException, TimeoutException {
		if (!this.reflector.awaitSynced(Duration.ofSeconds(30))) {
			throw new TimeoutException("no complete mirror: " + this.reflector.state());
		}
		return this.deployments.size();
	}

}
