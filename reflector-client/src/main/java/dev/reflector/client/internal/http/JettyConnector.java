package dev.reflector.client.internal.http;

import java.net.URI;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.io.Content;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.ContextView;

import org.springframework.core.io.buffer.JettyDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.reactive.AbstractClientHttpResponse;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.http.support.JettyHeadersAdapter;
import org.springframework.util.LinkedMultiValueMap;

/**
 * Sends requests with Jetty's client. Does not use the library of Spring's connector
 * (jetty-reactive-httpclient). That library fails if one thread requests more of a
 * response while another thread reads the response. This happens because bodies are
 * decoded on another thread. Remembers which connections have already received a
 * response, for {@link ConnectionUse}.
 */
final class JettyConnector implements ClientHttpConnector {

	private final HttpClient client;

	private final JettyDataBufferFactory buffers = new JettyDataBufferFactory();

	private final Set<Connection> answered = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	JettyConnector(HttpClient client) {
		this.client = client;
	}

	@Override
	public Mono<ClientHttpResponse> connect(HttpMethod method, URI uri,
			Function<? super ClientHttpRequest, Mono<Void>> requestCallback) {
		return Mono.deferContextual((context) -> {
			start();
			Request request = this.client.newRequest(uri).method(method.name());
			observe(request, context);
			return requestCallback.apply(new JettyRequest(request, method, this.buffers))
				.then(Mono.create((sink) -> send(request, sink)));
		});
	}

	/** Starts the client, if it is not running. */
	private void start() {
		try {
			this.client.start();
		}
		catch (Exception ex) {
			throw new IllegalStateException("Jetty's client cannot be started", ex);
		}
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
		context.<Cancellation>getOrEmpty(Cancellation.class)
			.ifPresent((cancellation) -> cancellation.onCancel(() -> abort(request)));
	}

	/**
	 * Sends a request. If a failure occurs after the start of the response, the body
	 * reports it.
	 */
	private void send(Request request, MonoSink<ClientHttpResponse> sink) {
		AtomicBoolean settled = new AtomicBoolean();
		sink.onCancel(() -> {
			settled.set(true);
			abort(request);
		});
		request.onResponseContentSource((response, source) -> {
			if (settled.compareAndSet(false, true)) {
				sink.success(new JettyResponse(response, source, this.buffers));
			}
		}).send((result) -> {
			if (result.isFailed() && settled.compareAndSet(false, true)) {
				sink.error(result.getFailure());
			}
		});
	}

	private static void abort(Request request) {
		request.abort(new CancellationException());
	}

	/**
	 * A response whose headers have arrived.
	 */
	private static final class JettyResponse extends AbstractClientHttpResponse {

		JettyResponse(Response response, Content.Source source, JettyDataBufferFactory buffers) {
			super(HttpStatusCode.valueOf(response.getStatus()),
					new HttpHeaders(new JettyHeadersAdapter(response.getHeaders())), new LinkedMultiValueMap<>(),
					new JettyBody(source, buffers, () -> abort(response.getRequest())));
		}

	}

}
