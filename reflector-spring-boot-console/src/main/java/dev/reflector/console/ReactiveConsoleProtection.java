package dev.reflector.console;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import org.springframework.web.server.session.DefaultWebSessionManager;

/**
 * Sends a request without a user through the filters of Spring Security, in memory, and
 * checks whether the filters let it pass.
 *
 * @param filters the filters of Spring Security
 * @param path path of the console
 */
record ReactiveConsoleProtection(WebFilter filters, String path) implements ConsoleProtection {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	@Override
	public boolean isOpen() {
		AtomicBoolean reached = new AtomicBoolean();
		ServerWebExchange exchange = new DefaultServerWebExchange(new Request(this.path + REQUEST), new Response(),
				new DefaultWebSessionManager(), ServerCodecConfigurer.create(),
				new AcceptHeaderLocaleContextResolver());
		try {
			this.filters.filter(exchange, (request) -> Mono.fromRunnable(() -> reached.set(true))).block(PATIENCE);
		}
		catch (RuntimeException ex) {
			ConsoleProtection.failed(ex);
		}
		return reached.get();
	}

	/** A request without a user. */
	private static final class Request extends AbstractServerHttpRequest {

		Request(String path) {
			super(HttpMethod.GET, URI.create("https://localhost" + path), null, new HttpHeaders());
		}

		@Override
		protected MultiValueMap<String, HttpCookie> initCookies() {
			return new LinkedMultiValueMap<>();
		}

		@Override
		protected @Nullable SslInfo initSslInfo() {
			return null;
		}

		@Override
		public Flux<DataBuffer> getBody() {
			return Flux.empty();
		}

		@Override
		public <T> T getNativeRequest() {
			throw new IllegalStateException("there is no request of a server");
		}

	}

	/** A response that is discarded. */
	private static final class Response extends AbstractServerHttpResponse {

		Response() {
			super(DefaultDataBufferFactory.sharedInstance);
		}

		@Override
		protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> body) {
			return Flux.from(body).doOnNext(DataBufferUtils::release).then();
		}

		@Override
		protected Mono<Void> writeAndFlushWithInternal(Publisher<? extends Publisher<? extends DataBuffer>> body) {
			return Flux.from(body).concatMap(this::writeWithInternal).then();
		}

		@Override
		protected void applyStatusCode() {
		}

		@Override
		protected void applyHeaders() {
		}

		@Override
		protected void applyCookies() {
		}

		@Override
		public <T> T getNativeResponse() {
			throw new IllegalStateException("there is no response of a server");
		}

	}

}
