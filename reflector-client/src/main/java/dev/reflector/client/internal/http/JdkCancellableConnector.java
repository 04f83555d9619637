package dev.reflector.client.internal.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.util.function.Function;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.http.client.reactive.JdkClientHttpConnector;

/**
 * Lets the JDK's client end the exchange of a canceled request. Spring's connector does
 * not pass on the cancellation of a body. Without this class, the connection of a
 * canceled watch would stay open, and its events would be read until the server ends the
 * watch.
 */
final class JdkCancellableConnector implements ClientHttpConnector {

	private final HttpClient client;

	JdkCancellableConnector(HttpClient client) {
		this.client = client;
	}

	@Override
	public Mono<ClientHttpResponse> connect(HttpMethod method, URI uri,
			Function<? super ClientHttpRequest, Mono<Void>> requestCallback) {
		return Mono.deferContextual((context) -> {
			HttpClient client = context.<Cancellation>getOrEmpty(Cancellation.class)
				.<HttpClient>map((cancellation) -> new JdkCancellableClient(this.client, cancellation))
				.orElse(this.client);
			return new JdkClientHttpConnector(client).connect(method, uri, requestCallback);
		});
	}

}
