package dev.reflector.client.internal.discovery;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import dev.reflector.ResourceType;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.client.internal.exchange.SharedPoll;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Polls the server for types that are not served yet, on behalf of all callers that wait
 * for a type. The first pauses between two polls are short, and later pauses last a few
 * seconds.
 */
final class DiscoveryPoll {

	private static final Duration FIRST = Duration.ofMillis(500);

	private static final Duration LONGEST = Duration.ofSeconds(5);

	private final ApiDiscovery discovery;

	private final SharedPoll poll;

	private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();

	DiscoveryPoll(ApiDiscovery discovery, TimeSource time) {
		this.discovery = discovery;
		this.poll = new SharedPoll(this::request, () -> !this.waiters.isEmpty(), FIRST, LONGEST, time);
	}

	Mono<Void> await(ResourceType type, Predicate<ServedTypes> served) {
		return Mono.create((sink) -> {
			Waiter waiter = new Waiter(type, served, sink);
			this.waiters.add(waiter);
			sink.onDispose(() -> this.waiters.remove(waiter));
			this.poll.start();
		});
	}

	private Mono<Void> request() {
		Map<String, ResourceType> types = new LinkedHashMap<>();
		this.waiters.forEach((waiter) -> types.put(waiter.type.apiVersion(), waiter.type));
		return this.discovery.refresh(types.values()).then(Mono.fromRunnable(this::tell));
	}

	private void tell() {
		for (Waiter waiter : this.waiters) {
			ServedTypes known = this.discovery.known(waiter.type);
			if (known != null && waiter.served.test(known)) {
				waiter.sink.success();
			}
		}
	}

	/**
	 * A subscriber that waits for a type. It is not a record, because two waiters must
	 * never be equal.
	 */
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
