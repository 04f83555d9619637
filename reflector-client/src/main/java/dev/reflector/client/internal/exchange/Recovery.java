package dev.reflector.client.internal.exchange;

import java.net.URI;
import java.time.Duration;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ConnectionException;
import dev.reflector.client.internal.http.TransportFailures;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Signs that a server can be asked again, which all reflectors of the server share: it
 * takes connections again, or the credentials that it has rejected have changed.
 */
public final class Recovery {

	/** Whoever takes the connection is there, however long the answer takes. */
	private static final Duration ANSWER = Duration.ofSeconds(2);

	private final Exchange exchange;

	private final ApiRequest version;

	private final SharedLook connections;

	private final SharedLook credentials;

	public Recovery(Exchange exchange, URI server, TimeSource time) {
		this.exchange = exchange;
		this.version = new ApiRequest("get", URI.create(CollectionUris.base(server) + "/version"), "/version", "", "",
				null);
		this.connections = new SharedLook(this::takesConnections, time);
		this.credentials = new SharedLook(this::haveCredentialsChanged, time);
	}

	/**
	 * Waits for a sign after a failure.
	 * @param failure what has happened
	 * @return completes with the sign, or {@code null} when there is none to wait for
	 */
	@Nullable public Mono<Void> await(Throwable failure) {
		if (isRefused(failure)) {
			return this.connections.await();
		}
		if (failure instanceof ApiException answered && answered.status().code() == 401) {
			return this.credentials.await();
		}
		return null;
	}

	private Mono<Boolean> haveCredentialsChanged() {
		return this.exchange.credentials().map((now) -> !now.equals(this.exchange.rejected())).timeout(ANSWER);
	}

	private static boolean isRefused(Throwable failure) {
		return failure instanceof ConnectionException explained
				&& explained.reason().equals(TransportFailures.CONNECTION_REFUSED);
	}

	private Mono<Boolean> takesConnections() {
		return this.exchange.get(this.version, (answer) -> answer.buffers().map(Exchange::bytes))
			.then(Mono.just(true))
			.timeout(ANSWER)
			.onErrorResume((ex) -> Mono.just(!isRefused(ex)));
	}

}
