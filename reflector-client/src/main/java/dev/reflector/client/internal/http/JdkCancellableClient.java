package dev.reflector.client.internal.http;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow.Subscription;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

import org.jspecify.annotations.Nullable;

/**
 * A client for one request. Stops reading the body of the response when the request is
 * canceled.
 */
final class JdkCancellableClient extends HttpClient {

	private final HttpClient client;

	private final Cancellation cancellation;

	JdkCancellableClient(HttpClient client, Cancellation cancellation) {
		this.client = client;
		this.cancellation = cancellation;
	}

	@Override
	public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
			throws IOException, InterruptedException {
		return this.client.send(request, cancellable(handler));
	}

	@Override
	public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
		return this.client.sendAsync(request, cancellable(handler));
	}

	@Override
	public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler,
			@Nullable PushPromiseHandler<T> pushPromiseHandler) {
		return this.client.sendAsync(request, cancellable(handler), pushPromiseHandler);
	}

	private <T> BodyHandler<T> cancellable(BodyHandler<T> handler) {
		return (head) -> new Body<>(handler.apply(head), this.cancellation);
	}

	@Override
	public Optional<CookieHandler> cookieHandler() {
		return this.client.cookieHandler();
	}

	@Override
	public Optional<Duration> connectTimeout() {
		return this.client.connectTimeout();
	}

	@Override
	public Redirect followRedirects() {
		return this.client.followRedirects();
	}

	@Override
	public Optional<ProxySelector> proxy() {
		return this.client.proxy();
	}

	@Override
	public SSLContext sslContext() {
		return this.client.sslContext();
	}

	@Override
	public SSLParameters sslParameters() {
		return this.client.sslParameters();
	}

	@Override
	public Optional<Authenticator> authenticator() {
		return this.client.authenticator();
	}

	@Override
	public Version version() {
		return this.client.version();
	}

	@Override
	public Optional<Executor> executor() {
		return this.client.executor();
	}

	/**
	 * A subscriber of a body. Stops reading when the request is canceled.
	 *
	 * @param reader reads the body
	 * @param cancellation the cancellation
	 */
	private record Body<T>(BodySubscriber<T> reader, Cancellation cancellation) implements BodySubscriber<T> {

		@Override
		public CompletionStage<T> getBody() {
			return this.reader.getBody();
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			this.reader.onSubscribe(subscription);
			this.cancellation.onCancel(subscription::cancel);
		}

		@Override
		public void onNext(List<ByteBuffer> buffers) {
			this.reader.onNext(buffers);
		}

		@Override
		public void onError(Throwable failure) {
			this.reader.onError(failure);
		}

		@Override
		public void onComplete() {
			this.reader.onComplete();
		}

	}

}
