package dev.reflector.client;

import java.net.URI;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.Request;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;

/**
 * Remembers which connections of Jetty's client have answered, and tells requests that
 * are sent over one of them.
 */
final class JettyKeptConnections implements ClientHttpConnector {

	private final ClientHttpConnector connector;

	private final Set<Connection> answered = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	JettyKeptConnections(ClientHttpConnector connector) {
		this.connector = connector;
	}

	@Override
	public Mono<ClientHttpResponse> connect(HttpMethod method, URI uri,
			Function<? super ClientHttpRequest, Mono<Void>> requestCallback) {
		return Mono.deferContextual((context) -> this.connector.connect(method, uri, (request) -> {
			Request sent = request.getNativeRequest();
			observe(sent, context);
			return requestCallback.apply(request);
		}));
	}

	private void observe(Request request, ContextView context) {
		AtomicBoolean begun = new AtomicBoolean();
		request.onRequestBegin((sent) -> {
			if (this.answered.contains(sent.getConnection())) {
				ConnectionUse.kept(context, () -> !begun.get());
			}
		});
		request.onResponseBegin((response) -> {
			begun.set(true);
			this.answered.add(response.getRequest().getConnection());
		});
	}

}
