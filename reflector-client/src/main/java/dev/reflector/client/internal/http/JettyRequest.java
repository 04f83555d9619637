package dev.reflector.client.internal.http;

import java.net.URI;

import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpCookie;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.AbstractClientHttpRequest;

/**
 * A request of Jetty's client. A body is sent in one piece, because bodies are small.
 */
final class JettyRequest extends AbstractClientHttpRequest {

	private final Request request;

	private final HttpMethod method;

	private final DataBufferFactory buffers;

	JettyRequest(Request request, HttpMethod method, DataBufferFactory buffers) {
		this.request = request;
		this.method = method;
		this.buffers = buffers;
	}

	@Override
	public HttpMethod getMethod() {
		return this.method;
	}

	@Override
	public URI getURI() {
		return this.request.getURI();
	}

	@Override
	public DataBufferFactory bufferFactory() {
		return this.buffers;
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T> T getNativeRequest() {
		return (T) this.request;
	}

	@Override
	public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
		return doCommit(() -> DataBufferUtils.join(body).doOnNext((buffer) -> {
			byte[] bytes = new byte[buffer.readableByteCount()];
			buffer.read(bytes);
			DataBufferUtils.release(buffer);
			this.request.body(new BytesRequestContent(bytes));
		}).then());
	}

	@Override
	public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
		return writeWith(Flux.from(body).concatMap((part) -> part));
	}

	@Override
	public Mono<Void> setComplete() {
		return doCommit();
	}

	@Override
	protected void applyHeaders() {
		this.request.headers((fields) -> getHeaders().forEach(fields::put));
	}

	@Override
	protected void applyCookies() {
		getCookies().values()
			.forEach((cookies) -> cookies
				.forEach((cookie) -> this.request.cookie(HttpCookie.from(cookie.getName(), cookie.getValue()))));
	}

}
