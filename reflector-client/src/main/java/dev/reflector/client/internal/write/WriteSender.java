package dev.reflector.client.internal.write;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.CredentialsException;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.client.internal.discovery.ApiDiscovery;
import dev.reflector.client.internal.discovery.PluralSource;
import dev.reflector.client.internal.exchange.ApiRequest;
import dev.reflector.client.internal.exchange.CollectionUris;
import dev.reflector.client.internal.exchange.Exchange;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.http.TransportFailures;
import dev.reflector.write.WriteException;
import dev.reflector.write.WriteOperation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import tools.jackson.core.JacksonException;

/**
 * Sends a write until there is a response, within its timeout. A write is sent again if
 * the server has certainly not carried it out, because there was no connection, or
 * because the server had too many requests. If a response was lost, a write is sent again
 * only if it names the uid of its object, because sending such a write twice has the same
 * effect as sending it once, or if it is a dry run, because it has no effect. While a
 * server is silent, it may still be calling admission webhooks, so an attempt ends only
 * after the client's response timeout.
 */
final class WriteSender {

	private static final Logger logger = LoggerFactory.getLogger(WriteSender.class);

	/** Ignores failures of a response that occur after the request has already failed. */
	private static final Context GIVEN_UP = Context.of("reactor.onErrorDropped.local",
			(Consumer<Throwable>) (failure) -> logger.trace("The request has already failed", failure));

	private static final int MAX_ANSWER = 16 * 1024 * 1024;

	private static final long FIRST_DELAY_MILLIS = 50;

	private static final long MAX_DELAY_MILLIS = 2_000;

	/**
	 * The pause after a response that reports too many requests (429) and names no time.
	 */
	private static final Duration THROTTLED = Duration.ofSeconds(1);

	/**
	 * The number of times a write is repeated because other clients change the object at
	 * the same time. The server itself tries five times before it reports such a
	 * conflict.
	 */
	static final int MAX_CONTENTION = 4;

	private final Exchange exchange;

	private final URI server;

	private final ApiDiscovery discovery;

	private final boolean dryRun;

	private final Map<ResourceType, Collection> collections = new ConcurrentHashMap<>();

	/**
	 * Creates a sender.
	 * @param exchange sends requests
	 * @param server the URL of the server
	 * @param discovery asks the server for plurals
	 * @param dryRun whether the server must only check writes
	 */
	WriteSender(Exchange exchange, URI server, ApiDiscovery discovery, boolean dryRun) {
		this.exchange = exchange;
		this.server = server;
		this.discovery = discovery;
		this.dryRun = dryRun;
	}

	/**
	 * Sends a write, and blocks until there is a response.
	 * @param write the write
	 * @return the response
	 * @throws WriteException if the write has failed
	 */
	Answered send(Write write) {
		return send(write, false);
	}

	/**
	 * Sends a write that may already have been sent with another version.
	 * @param write the write
	 * @param lost whether an earlier response was lost
	 * @return the response
	 * @throws WriteException if the write has failed
	 */
	Answered send(Write write, boolean lost) {
		return repeat(write, false, lost, (collection, plural) -> request(write, collection.uris(), plural));
	}

	/** Gets the object of a write. */
	Answered get(Write write) {
		return get(write, false);
	}

	/**
	 * Gets the object of a write.
	 * @param write the write
	 * @param lost whether a response to the write was lost
	 * @return the object
	 * @throws WriteException if the request has failed
	 */
	Answered get(Write write, boolean lost) {
		return repeat(write.reading(), true, lost,
				(collection, plural) -> collection.uris().get(plural, write.key().namespace(), write.key().name()));
	}

	private ApiRequest request(Write write, CollectionUris uris, String plural) {
		return switch (write.operation()) {
			case APPLY, STATUS -> uris.apply(plural, write.key(), write.isStatus() ? "status" : "", write.manager(),
					write.force(), this.dryRun, write.body());
			case CREATE -> uris.create(plural, write.key().namespace(), write.manager(), this.dryRun, write.body());
			case DELETE -> uris.delete(plural, write.key().namespace(), write.key().name(), this.dryRun, write.body());
		};
	}

	private Answered repeat(Write write, boolean reads, boolean before,
			BiFunction<Collection, String, ApiRequest> request) {
		Collection collection = this.collections.computeIfAbsent(write.resource(), this::collection);
		boolean changes = !reads && !this.dryRun;
		boolean lost = before;
		int contention = 0;
		for (int failures = 0;; failures++) {
			AtomicBoolean sent = new AtomicBoolean();
			Throwable failure;
			try {
				return attempt(write, collection, request, sent);
			}
			catch (RuntimeException ex) {
				failure = Exceptions.unwrap(ex);
			}
			JvmFailureException.rethrow(failure);
			if (failure instanceof InterruptedException || Thread.currentThread().isInterrupted()) {
				Thread.currentThread().interrupt();
				throw WriteFailures.unreachable(write, null, lost || (sent.get() && changes));
			}
			Duration delay = delay(failures);
			if (failure instanceof ApiException answered && WriteFailures.isFinal(answered.status())) {
				if (lost && write.operation() == WriteOperation.DELETE && WriteFailures.isGone(write, answered)) {
					return Answered.GONE;
				}
				if (answered.status().isTooManyRequests()) {
					delay = answered.retryAfter().isZero() ? THROTTLED : answered.retryAfter();
					if (write.deadline().isBefore(delay)) {
						throw WriteFailures.throttled(write, answered, lost);
					}
				}
				else if (!WriteFailures.isContention(answered.status()) || write.conditional()
						|| ++contention > MAX_CONTENTION || write.deadline().isBefore(delay)) {
					throw WriteFailures.answered(write.at(collection.plural().known()), answered, lost);
				}
			}
			else if (failure instanceof IllegalArgumentException wrong) {
				throw wrong;
			}
			else {
				if (failure instanceof ApiException unable && unable.retryAfter().compareTo(delay) > 0) {
					delay = unable.retryAfter();
				}
				lost |= sent.get() && changes && !isUnsent(failure);
				if (isHopeless(failure) || (lost && !write.isRepeatable()) || write.deadline().isBefore(delay)) {
					throw WriteFailures.unreachable(write, failure, lost);
				}
			}
			// the server's answer is not logged, because it may quote what was written
			logger.debug("{} has failed and is sent again in {} ms: {}", write, delay.toMillis(),
					(failure instanceof ApiException answered) ? "HTTP " + answered.status().code()
							: failure.toString());
			pause(write, delay, lost);
		}
	}

	private Collection collection(ResourceType type) {
		return new Collection(new CollectionUris(this.server, type, "", ""), new PluralSource(this.discovery, type));
	}

	private Answered attempt(Write write, Collection collection, BiFunction<Collection, String, ApiRequest> request,
			AtomicBoolean sent) {
		String namespace = write.key().namespace();
		Flux<Answered> answer = collection.plural().request(namespace.isEmpty() ? null : namespace, (plural) -> {
			ApiRequest made = request.apply(collection, plural);
			return Flux.defer(() -> {
				sent.set(true);
				return this.exchange.<Answered>sendOnce(made,
						(response) -> response.body(MAX_ANSWER).map((body) -> read(made, body)).flux());
			});
		});
		Answered answered = answer.next()
			.timeout(write.deadline().left(), Mono.error(() -> late(write)))
			.contextWrite(GIVEN_UP)
			.block();
		if (answered == null) {
			throw new MalformedResponseException("the response has no body");
		}
		return answered;
	}

	private static TimeoutException late(Write write) {
		return new TimeoutException("the timeout of " + write.deadline().timeout().toMillis() + " ms has passed");
	}

	private static Answered read(ApiRequest request, byte[] body) {
		try {
			return new Answered(AppliedJson.read(body));
		}
		catch (JacksonException | ClassCastException ex) {
			// the exception is not kept as the cause, because its message quotes the
			// response
			throw new MalformedResponseException("the answer to " + request + " is no object");
		}
	}

	private static boolean isUnsent(Throwable failure) {
		return failure instanceof CredentialsException || TransportFailures.isUnsent(failure);
	}

	private static boolean isHopeless(Throwable failure) {
		return failure instanceof CredentialsException || TransportFailures.isAboutTrust(failure);
	}

	static Duration delay(int failures) {
		long delay = Math.min(MAX_DELAY_MILLIS, FIRST_DELAY_MILLIS << Math.min(failures, 10));
		return Duration.ofMillis(delay / 2 + ThreadLocalRandom.current().nextLong(delay / 2 + 1));
	}

	/** Blocks the calling thread for a pause between two attempts. */
	static void pause(Write write, Duration delay, boolean lost) {
		try {
			Thread.sleep(delay.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw WriteFailures.unreachable(write, null, lost);
		}
	}

	/**
	 * The URLs and the plural of a collection.
	 */
	private record Collection(CollectionUris uris, PluralSource plural) {

	}

}
