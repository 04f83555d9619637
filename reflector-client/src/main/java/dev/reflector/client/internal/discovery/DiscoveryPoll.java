package dev.reflector.client.internal.discovery;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

import dev.reflector.ResourceType;
import dev.reflector.cache.config.TimeSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Looks for types that are not served yet: one look at a time for all who wait, soon at
 * first and then each few seconds, and none at all when nobody waits.
 */
final class DiscoveryPoll {

	private static final Duration FIRST = Duration.ofMillis(500);

	private static final Duration LONGEST = Duration.ofSeconds(5);

	private final ApiDiscovery discovery;

	private final TimeSource time;

	private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();

	private boolean running;

	private Duration delay = FIRST;

	DiscoveryPoll(ApiDiscovery discovery, TimeSource time) {
		this.discovery = discovery;
		this.time = time;
	}

	Mono<Void> await(ResourceType type, Predicate<ServedTypes> served) {
		return Mono.create((sink) -> {
			Waiter waiter = new Waiter(type, served, sink);
			this.waiters.add(waiter);
			sink.onDispose(() -> this.waiters.remove(waiter));
			begin();
		});
	}

	private synchronized void begin() {
		if (!this.running) {
			this.running = true;
			this.delay = FIRST;
			schedule();
		}
	}

	private void schedule() {
		// E-07: applications that were started together drift apart
		double jitter = 1 + ThreadLocalRandom.current().nextDouble() / 4;
		Duration next = Duration.ofNanos((long) (this.delay.toNanos() * jitter));
		Duration doubled = this.delay.multipliedBy(2);
		this.delay = (doubled.compareTo(LONGEST) < 0) ? doubled : LONGEST;
		this.time.schedule(next, () -> Mono.defer(this::look).subscribe(null, (ex) -> goOn(), this::goOn));
	}

	private Mono<Void> look() {
		Map<String, ResourceType> types = new LinkedHashMap<>();
		this.waiters.forEach((waiter) -> types.put(waiter.type.apiVersion(), waiter.type));
		Collection<ResourceType> awaited = types.values();
		return this.discovery.refresh(awaited).then(Mono.fromRunnable(this::tell));
	}

	private void tell() {
		for (Waiter waiter : this.waiters) {
			ServedTypes known = this.discovery.known(waiter.type);
			if (known != null && waiter.served.test(known)) {
				waiter.sink.success();
			}
		}
	}

	private synchronized void goOn() {
		if (this.waiters.isEmpty()) {
			this.running = false;
		}
		else {
			schedule();
		}
	}

	/** Someone who waits; equal to none but itself. */
	private static final class Waiter {

		private final ResourceType type;

		private final Predicate<ServedTypes> served;

		private final MonoSink<Void> sink;

		Waiter(ResourceType type, Predicate<ServedTypes> served, MonoSink<Void> sink) {
			this.type = type;
			this.served = served;
			this.sink = sink;
		}

	}

}
