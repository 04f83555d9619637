package dev.reflector.client.internal.exchange;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ConnectionException;
import dev.reflector.cache.source.CredentialsException;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.RequestListener.BrokenAnswer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.http.Cancellation;
import dev.reflector.client.internal.http.ConnectionUse;
import dev.reflector.client.internal.http.HttpClients;
import dev.reflector.client.internal.http.IdleDeadline;
import dev.reflector.client.internal.http.TransportFailures;
import dev.reflector.client.options.ObjectFormat;
import dev.reflector.client.options.Timeouts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClient.RequestBodySpec;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;
import org.springframework.web.reactive.function.client.WebClientRequestException;

/**
 * Sends requests, and passes the responses to readers. Adds credentials and deadlines,
 * and turns failures into exceptions. Repeats a request that the server has refused
 * without reading it. Also repeats a request if its reused connection was lost before the
 * response began. In this case, the server may receive the request twice.
 */
public final class Exchange {

	private static final Logger logger = LoggerFactory.getLogger(Exchange.class);

	// the attribute in which WebClient passes the template to observations
	private static final String URI_TEMPLATE = WebClient.class.getName() + ".uriTemplate";

	/**
	 * The number of times a request is repeated if the server has refused it without
	 * reading it.
	 */
	private static final int REPEATS = 3;

	private static final long MAX_REPEAT_DELAY_MILLIS = 200;

	/**
	 * The number of times a request is repeated because the server has closed its idle
	 * connection.
	 */
	private static final int MAX_KEPT = 16;

	private static final Duration FAILURE_BODY_TIMEOUT = Duration.ofSeconds(5);

	/** The longest time for a request that several callers share. */
	private static final Duration MAX_SHARED = Duration.ofMinutes(5);

	private final HttpClients clients;

	private final TokenSource token;

	private final Timeouts timeouts;

	private final TransportFailures transport;

	private final FailureReader failures = new FailureReader(Instant::now);

	private final AnswerCompression compression;

	private final WarningLog warnings = new WarningLog();

	private final CredentialThreads threads = new CredentialThreads();

	private volatile @Nullable Credentials rejected;

	public Exchange(HttpClients clients, TokenSource token, Timeouts timeouts, TransportFailures transport,
			AnswerCompression compression) {
		this.clients = clients;
		this.token = token;
		this.timeouts = timeouts;
		this.transport = transport;
		this.compression = compression;
	}

	/**
	 * Sends a request whose response has an end. If the server is silent or the
	 * connection is lost, the result is an error. If an idle connection is lost, the
	 * request is sent again, so a write must contain the version that it replaces.
	 * @param <R> the type of the reader's results
	 * @param request the request
	 * @param reader reads the response, and releases its buffers
	 * @return the reader's results
	 */
	public <R> Flux<R> send(ApiRequest request, Function<Answer, Flux<R>> reader) {
		return send(request, REPEATS, MAX_KEPT, HttpClients.Lease::list, UnaryOperator.identity(), reader,
				(idle) -> Mono.error(silence(request, idle)));
	}

	/**
	 * Sends a write that must not be carried out twice. The request is repeated only if
	 * the server has certainly not carried it out, because it has rejected the
	 * credentials. A lost connection or HTTP/2 stream does not show whether the server
	 * has carried out the write.
	 * @param <R> the type of the reader's results
	 * @param request the request
	 * @param reader reads the response, and releases its buffers
	 * @return the reader's results
	 */
	public <R> Flux<R> sendOnce(ApiRequest request, Function<Answer, Flux<R>> reader) {
		return send(request, 0, 0, HttpClients.Lease::list, UnaryOperator.identity(), reader,
				(idle) -> Mono.error(silence(request, idle)));
	}

	/**
	 * Opens a stream. Once the stream is open, it completes without an error if the
	 * server is silent for too long or the connection is lost, as if the server had ended
	 * it (W-32). The caller must limit the duration of the stream (E-35).
	 * @param <R> the type of the reader's results
	 * @param request the request
	 * @param reader reads the response, and releases its buffers
	 * @return the reader's results
	 */
	public <R> Flux<R> stream(ApiRequest request, Function<Answer, Flux<R>> reader) {
		return send(request, REPEATS, MAX_KEPT, HttpClients.Lease::watch, (body) -> untilLost(request, body), reader,
				(idle) -> idle.isFrameOverdue() ? Mono.error(overdue())
						: idle.isOpened() ? silenced(request) : Mono.error(silence(request, idle)));
	}

	private <R> Flux<R> send(ApiRequest request, int repeats, int kept, Function<HttpClients.Lease, WebClient> client,
			UnaryOperator<Flux<DataBuffer>> body, Function<Answer, Flux<R>> reader,
			Function<IdleDeadline, Mono<R>> silence) {
		Predicate<Throwable> rejection = (repeats > 0) ? Exchange::isRejection : Exchange::isUnsentRejection;
		return authorized(rejection, (clients, token) -> {
			Redaction redaction = Redaction.of(token);
			SentCredentials sent = new SentCredentials(this.token, token.isPresent(), clients.ssl(),
					clients.hasClientCertificate());
			return repeated(repeats, kept,
					(idle) -> idle.limit(cancellable(send(client.apply(clients), request, token), (response) -> {
						idle.open();
						this.transport.answered();
						return succeeded(request, response, redaction) ? reader
							.apply(answer(request, response, idle,
									body.apply(idle.over(readable(request, response, redaction)))))
							.map(redaction::ofRead) : failure(request, response, redaction, sent);
					}), () -> silence.apply(idle)));
		});
	}

	/**
	 * Sends a request, and repeats it if it failed only because of its connection. For
	 * example, the server may close an idle connection while a request is sent over it.
	 * As in Go's HTTP client, the request is not repeated if it was the first request on
	 * its connection.
	 */
	private <R> Flux<R> repeated(int repeats, int kept, Function<IdleDeadline, Flux<R>> attempt) {
		IdleDeadline idle = new IdleDeadline(this.timeouts.response(), this.timeouts.idle(), this.timeouts.event());
		ConnectionUse use = new ConnectionUse();
		return attempt.apply(idle)
			.contextWrite((context) -> context.put(ConnectionUse.class, use))
			.onErrorResume((ex) -> {
				if (ex instanceof WebClientRequestException && kept > 0 && use.isKeptAndUnanswered()
						&& TransportFailures.isLost(ex)) {
					logger.debug(
							"The server has closed the connection before it answered. The request is sent " + "again",
							ex);
					return Flux.defer(() -> repeated(repeats, kept - 1, attempt));
				}
				// the loss of a reused connection is no failure to connect
				Throwable failure = (ex instanceof WebClientRequestException && !use.isKeptAndUnanswered())
						? this.transport.explain(ex) : ex;
				if (repeats == 0 || idle.isOpened() || !this.transport.isRefusedStream(failure)) {
					return Flux.error(failure);
				}
				logger.debug("The server has refused the request without reading it. The request is sent again",
						failure);
				// the delay is random, because many requests may have been refused at
				// once
				Duration delay = Duration.ofMillis(ThreadLocalRandom.current().nextLong(MAX_REPEAT_DELAY_MILLIS));
				return Mono.delay(delay).thenMany(Flux.defer(() -> repeated(repeats - 1, kept, attempt)));
			});
	}

	/**
	 * Sends a request with the current credentials. If the credentials are rejected and
	 * there are new ones, sends the request once more.
	 */
	private <R> Flux<R> authorized(Predicate<Throwable> rejection,
			BiFunction<HttpClients.Lease, Optional<String>, Flux<R>> request) {
		return token().flatMapMany((token) -> {
			HttpClients.Lease clients = this.clients.lease();
			return attempt(clients, token, request).onErrorResume(rejection, (ex) -> renewed(clients, token, ex)
				.flatMapMany((renewed) -> renewed ? again(request) : Flux.<R>error(ex)));
		});
	}

	private <R> Flux<R> again(BiFunction<HttpClients.Lease, Optional<String>, Flux<R>> request) {
		return token().flatMapMany((token) -> attempt(this.clients.lease(), token, request));
	}

	private <R> Flux<R> attempt(HttpClients.Lease clients, Optional<String> token,
			BiFunction<HttpClients.Lease, Optional<String>, Flux<R>> request) {
		return Flux.defer(() -> request.apply(clients, token))
			.doOnError(Exchange::isUnauthorized, (ex) -> this.rejected = new Credentials(token, clients.bundle()))
			.doFinally((signal) -> clients.giveBack());
	}

	/**
	 * Limits the time of a request that several callers share, including the time to get
	 * a token. If such a request never ended, all later callers would wait for it, too.
	 * @param <R> the type of the result
	 * @param request the request, whose response is short
	 * @param name the name of the request, for the message
	 * @return the request, which fails if it takes too long
	 */
	public <R> Mono<R> limited(Mono<R> request, String name) {
		Duration usual = this.timeouts.response().plus(this.timeouts.idle()).multipliedBy(2);
		Duration limit = (usual.compareTo(MAX_SHARED) < 0) ? usual : MAX_SHARED;
		return request.timeout(limit,
				Mono.error(() -> new TimeoutException(name + " has not ended within " + limit.toMillis() + " ms")));
	}

	/**
	 * Ends the threads for credentials when they have done their remaining work. The next
	 * request starts new threads.
	 */
	public void releaseThreads() {
		this.threads.shutdown();
	}

	/**
	 * Returns the credentials of the last request with a 401 response, or {@code null}
	 * for none.
	 */
	@Nullable Credentials rejected() {
		return this.rejected;
	}

	/** Returns the current credentials. */
	Mono<Credentials> credentials() {
		return token().map((token) -> new Credentials(token, this.clients.bundle()));
	}

	/**
	 * Gets the token, and continues on a thread for credentials, because tokens and
	 * certificates may be in files, which a network thread must not read.
	 */
	private Mono<Optional<String>> token() {
		return announced(this.token, Mono.defer(this.token::obtain)).subscribeOn(this.threads.scheduler())
			.doOnNext(Exchange::requireSendable)
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			// a token source of the application may complete on any thread
			.publishOn(this.threads.scheduler());
	}

	/** Notifies the listener of the request while the request waits for a token. */
	private static Mono<String> announced(TokenSource source, Mono<String> token) {
		return Mono.deferContextual((context) -> {
			RequestListener listener = RequestListener.of(context);
			return token.doOnSubscribe((subscription) -> listener.waitsFor(source.toString()))
				.doFinally((signal) -> listener.waitsFor(null));
		});
	}

	/**
	 * Checks the token, because the HTTP client would quote an invalid token in its
	 * exception.
	 */
	private static void requireSendable(String token) {
		if (token.isEmpty() || !token.chars().allMatch((character) -> character > ' ' && character < 0x7f)) {
			throw new CredentialsException("the token is empty or has spaces, line breaks or other characters that "
					+ "no token has; correct where it comes from", null);
		}
	}

	private static boolean isRejection(Throwable failure) {
		// a rejected request can be repeated, because the reader has received no response
		return isUnauthorized(failure)
				|| (failure instanceof ConnectionException && TransportFailures.isAboutTrust(failure));
	}

	/**
	 * Returns whether the credentials were rejected and the server has certainly not
	 * carried out the request. A TLS connection may also break after the request was
	 * sent.
	 */
	private static boolean isUnsentRejection(Throwable failure) {
		return isUnauthorized(failure) || (isRejection(failure) && TransportFailures.isUnsent(failure));
	}

	private static boolean isUnauthorized(Throwable failure) {
		return failure instanceof ApiException answered && answered.status().code() == 401;
	}

	private Mono<Boolean> renewed(HttpClients.Lease clients, Optional<String> token, Throwable failure) {
		return Mono.fromCallable(() -> {
			// a TLS failure concerns the credentials only if there is a client
			// certificate
			boolean mine = isUnauthorized(failure)
					|| (clients.hasClientCertificate() && !TransportFailures.isServerRefused(failure));
			boolean otherToken = mine && this.token.renew(token.orElse(null));
			return this.clients.renew(clients) || otherToken;
		}).subscribeOn(this.threads.scheduler());
	}

	private static <R> Flux<R> cancellable(RequestHeadersSpec<?> request, Function<ClientResponse, Flux<R>> reader) {
		Cancellation cancellation = new Cancellation();
		// doFinally runs after WebClient has canceled the request in its own way
		return request.exchangeToFlux((response) -> {
			cancellation.onResponse(response);
			return reader.apply(response);
		}).doFinally((signal) -> {
			if (signal == SignalType.CANCEL || signal == SignalType.ON_ERROR) {
				// on an error, the response may still be arriving
				cancellation.cancel();
			}
		}).contextWrite((context) -> context.put(Cancellation.class, cancellation));
	}

	private static Flux<DataBuffer> untilLost(ApiRequest request, Flux<DataBuffer> body) {
		return body.onErrorResume((ex) -> {
			if (ex instanceof MalformedResponseException) {
				return Flux.error(ex);
			}
			logger.debug("{}: the connection was lost", request, ex);
			return ended(BrokenAnswer.LOST);
		});
	}

	private static <R> Mono<R> silenced(ApiRequest request) {
		logger.debug("{}: the client has closed the connection, because the server sent nothing for too long", request);
		return ended(BrokenAnswer.SILENT);
	}

	private static <R> Mono<R> ended(BrokenAnswer broken) {
		return Mono.deferContextual((context) -> {
			RequestListener.of(context).broken(broken);
			return Mono.empty();
		});
	}

	private MalformedResponseException overdue() {
		return new MalformedResponseException("an event was not complete within " + this.timeouts.event().toMillis()
				+ " ms (reflector.api-server.event-timeout or Timeouts.event)");
	}

	private TimeoutException silence(ApiRequest request, IdleDeadline idle) {
		return new TimeoutException(idle.isOpened()
				? request + ": the server has sent nothing more for " + this.timeouts.idle().toMillis()
						+ " ms (reflector.api-server.idle-timeout or Timeouts.idle)"
				: request + ": the server has not begun to respond within " + this.timeouts.response().toMillis()
						+ " ms (reflector.api-server.response-timeout or Timeouts.response)");
	}

	private RequestHeadersSpec<?> send(WebClient client, ApiRequest request, Optional<String> token) {
		RequestBodySpec spec = client.method(request.method())
			.uri(request.uri())
			.header(HttpHeaders.ACCEPT, request.accept())
			.header(HttpHeaders.ACCEPT_ENCODING, this.compression.acceptEncoding(request))
			.attribute(URI_TEMPLATE, request.template());
		token.ifPresent((value) -> spec.headers((headers) -> headers.setBearerAuth(value)));
		// as bytes, because Spring logs the beginning of a written text at DEBUG
		return (request.body() != null)
				? spec.contentType(request.contentType()).bodyValue(request.body().getBytes(StandardCharsets.UTF_8))
				: spec;
	}

	private boolean succeeded(ApiRequest request, ClientResponse response, Redaction redaction) {
		this.warnings.note(request, response.headers().asHttpHeaders(), redaction);
		return response.statusCode().is2xxSuccessful();
	}

	private Answer answer(ApiRequest request, ClientResponse response, IdleDeadline idle, Flux<DataBuffer> body) {
		HttpHeaders headers = response.headers().asHttpHeaders();
		ObjectFormat format = MediaTypes.format(headers);
		return new Answer((format != null) ? format : ObjectFormat.JSON, this.compression.unpacking(request, headers),
				body, idle::over);
	}

	private Flux<DataBuffer> readable(ApiRequest request, ClientResponse response, Redaction redaction) {
		HttpHeaders headers = response.headers().asHttpHeaders();
		if (!this.compression.accepts(request, headers)) {
			return malformed(response,
					"the body has the content encoding '"
							+ redaction.of(String.valueOf(headers.getFirst(HttpHeaders.CONTENT_ENCODING)))
							+ "', although '" + this.compression.acceptEncoding(request)
							+ "' was requested; a proxy in between may have " + "changed it");
		}
		ObjectFormat format = MediaTypes.format(headers);
		if (format == null || !request.accepts(format)) {
			return malformed(response,
					"the body has the content type '"
							+ redaction.of(String.valueOf(headers.getFirst(HttpHeaders.CONTENT_TYPE)))
							+ "', which is not JSON; a proxy in between may have changed it");
		}
		return buffers(response);
	}

	private static Flux<DataBuffer> malformed(ClientResponse response, String message) {
		// cancels the body before the error; otherwise, WebClient reads the body to its
		// end before it passes the error on, and a watch may have no end
		return buffers(response).take(0, false).concatWith(Mono.error(() -> new MalformedResponseException(message)));
	}

	private static Flux<DataBuffer> buffers(ClientResponse response) {
		return response.body(BodyExtractors.toDataBuffers())
			.doOnDiscard(DataBuffer.class, DataBufferUtils::release)
			.transformDeferredContextual((buffers, context) -> {
				RequestListener listener = RequestListener.of(context);
				return buffers.doOnNext((buffer) -> listener.received(buffer.readableByteCount()));
			});
	}

	private <R> Flux<R> failure(ApiRequest request, ClientResponse response, Redaction redaction,
			SentCredentials sent) {
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		return buffers(response).map(Answer::bytes).takeUntil((bytes) -> {
			body.write(bytes, 0, Math.min(bytes.length, FailureReader.MAX_BODY - body.size()));
			return body.size() >= FailureReader.MAX_BODY;
		})
			.take(FAILURE_BODY_TIMEOUT)
			// the status code suffices
			.onErrorComplete()
			.thenMany(Flux.error(() -> failure(request, response, redaction, sent, body.toByteArray())));
	}

	private ApiException failure(ApiRequest request, ClientResponse response, Redaction redaction, SentCredentials sent,
			byte[] body) {
		HttpHeaders headers = response.headers().asHttpHeaders();
		return this.failures.read(request, response.statusCode().value(), headers,
				this.compression.inflated(request, headers, body, FailureReader.MAX_BODY), redaction, sent);
	}

}
