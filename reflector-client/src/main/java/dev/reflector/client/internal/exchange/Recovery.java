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
 * Notices when a failure is over: the server accepts connections again, or the rejected
 * credentials have changed. Requests can then be sent again. All reflectors of a server
 * share one instance.
 */
public final class Recovery {

	/**
	 * The time to wait for a response, or for the credentials. If the server has accepted
	 * the connection, it counts as recovered even if it does not respond in this time.
	 */
	private static final Duration ANSWER = Duration.ofSeconds(2);

	private final Exchange exchange;

	private final ApiRequest version;

	private final RecoveryPoll connections;

	private final RecoveryPoll credentials;

	public Recovery(Exchange exchange, URI server, TimeSource time) {
		this.exchange = exchange;
		this.version = ApiRequest.get(server, "/version");
		this.connections = new RecoveryPoll(this::takesConnections, time);
		this.credentials = new RecoveryPoll(this::haveCredentialsChanged, time);
	}

	/**
	 * Waits for the end of a failure.
	 * @param failure the failure
	 * @return a publisher that completes when the failure is over, or {@code null} if the
	 * end of such a failure cannot be noticed
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
		return this.exchange.send(this.version, Answer::bytes)
			.then(Mono.just(true))
			.timeout(ANSWER)
			.onErrorResume((ex) -> Mono.just(!isRefused(ex)));
	}

}
