package dev.reflector.guide;

import java.time.Duration;

import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceEventStream;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.util.retry.Retry;

import org.springframework.stereotype.Component;

/**
 * Follows as a stream.
 */
@Component
class Names {

	private final ResourceEventStream<Deployment> stream;

	Names(ResourceEventStream<Deployment> stream) {
		this.stream = stream;
	}

	Flux<String> names() {
		return this.stream.events()
			.ofType(ResourceAddedEvent.class)
			.map((event) -> event.key().name())
			.retryWhen(Retry.backoff(Long.MAX_VALUE, Duration.ofSeconds(1)).filter(Exceptions::isOverflow));
	}

}
