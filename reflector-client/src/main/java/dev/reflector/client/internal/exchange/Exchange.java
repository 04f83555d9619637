package dev.reflector.client.internal.exchange;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.BrokenAnswer;
import dev.reflector.cache.source.ConnectionException;
import dev.reflector.cache.source.CredentialsException;
import dev.reflector.cache.source.Preparation;
import dev.reflector.cache.source.ReceivedBytes;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.client.internal.decode.StatusReader;
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
import reactor.core.scheduler.Schedulers;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;
import org.springframework.web.reactive.function.client.WebClientRequestException;

/**
 * Sends requests and hands out the bytes of the answers, with deadlines and with failures
 * turned into exceptions.
 */
public final class Exchange {

	private static final Logger logger = LoggerFactory.getLogger(Exchange.class);

	// how WebClient itself passes the template on to observations
	private static final String URI_TEMPLATE = WebClient.class.getName() + ".uriTemplate";

	/** How often a request is sent again that nobody has begun to answer. */
	private static final int REPEATS = 3;

	private static final long MAX_REPEAT_DELAY_MILLIS = 200;

	/** How many connections in a row may have been closed by the server while idle. */
	private static final int MAX_KEPT = 16;

	private static final Duration FAILURE_BODY_TIMEOUT = Duration.ofSeconds(5);

	private final HttpClients clients;

	private final TokenSource token;

	private final Timeouts timeouts;

	private final TransportFailures transport;

	private final FailureReader failures;

	private final AnswerCompression compression;

	private final WarningLog warnings = new WarningLog();

	private volatile @Nullable Credentials rejected;

	public Exchange(HttpClients clients, ApiServer server, Timeouts timeouts, TransportFailures transport,
			StatusReader statusReader, AnswerCompression compression) {
		this.clients = clients;
		this.token = server.token();
		this.timeouts = timeouts;
		this.transport = transport;
		this.compression = compression;
		this.failures = new FailureReader(statusReader, Instant::now);
	}

	/**
	 * Gets an answer that has an end. Silence and a broken connection are errors.
	 * @param <R> what is made of the bytes
	 * @param request the request
	 * @param reader makes something of the answer; its buffers are the reader's to
	 * release
	 * @return what the reader makes
	 */
	public <R> Flux<R> get(ApiRequest request, Function<Answer, Flux<R>> reader) {
		return authorized((clients, token) -> repeated(REPEATS, MAX_KEPT,
				(idle) -> idle.limit(cancellable(send(clients.list(), request, token), (response) -> {
					idle.open();
					return succeeded(request, response)
							? reader.apply(answer(request, response, idle, idle.over(readable(request, response))))
							: failure(request, response);
				}), () -> Mono.error(silence(request, idle)))));
	}

	/**
	 * Opens a stream. Once it is open, silence and a broken connection end it like the
	 * server would (W-32). That it lasts too long is for others to notice (E-35).
	 * @param <R> what is made of the bytes
	 * @param request the request
	 * @param reader makes something of the answer; its buffers are the reader's to
	 * release
	 * @return what the reader makes
	 */
	public <R> Flux<R> stream(ApiRequest request, Function<Answer, Flux<R>> reader) {
		return authorized((clients, token) -> repeated(REPEATS, MAX_KEPT,
				(idle) -> idle.limit(cancellable(send(clients.watch(), request, token), (response) -> {
					idle.open();
					return succeeded(request, response)
							? reader.apply(answer(request, response, idle,
									untilLost(request, idle.over(readable(request, response)))))
							: failure(request, response);
				}), () -> idle.isFrameOverdue() ? Mono.error(overdue())
						: idle.isOpened() ? silenced(request) : Mono.error(silence(request, idle)))));
	}

	/**
	 * Sends a request, and again when it was refused for the sake of its connection. A
	 * server may close a connection in the moment in which another request is sent over
	 * it; on a new connection the same failure stands for itself (as in Go's HTTP
	 * client).
	 */
	private <R> Flux<R> repeated(int repeats, int kept, Function<IdleDeadline, Flux<R>> attempt) {
		IdleDeadline idle = new IdleDeadline(this.timeouts.response(), this.timeouts.idle(), this.timeouts.event());
		ConnectionUse use = new ConnectionUse();
		return attempt.apply(idle)
			.contextWrite((context) -> context.put(ConnectionUse.class, use))
			.onErrorResume((ex) -> {
				if (ex instanceof WebClientRequestException && kept > 0 && use.isKeptAndUnanswered()
						&& TransportFailures.isLost(ex)) {
					logger.debug("The server has closed the connection, and the request is sent again", ex);
					return Flux.defer(() -> repeated(repeats, kept - 1, attempt));
				}
				Throwable failure = (ex instanceof WebClientRequestException) ? this.transport.explain(ex) : ex;
				if (repeats == 0 || idle.isOpened() || !this.transport.isRefusedStream(failure)) {
					return Flux.error(failure);
				}
				logger.debug("Refused before it was answered, and sent again", failure);
				// many may have been refused at once
				Duration delay = Duration.ofMillis(ThreadLocalRandom.current().nextLong(MAX_REPEAT_DELAY_MILLIS));
				return Mono.delay(delay).thenMany(Flux.defer(() -> repeated(repeats - 1, kept, attempt)));
			});
	}

	/**
	 * Sends a request with the credentials of the moment, and once more when they were
	 * rejected and there are others.
	 */
	private <R> Flux<R> authorized(BiFunction<HttpClients.Lease, Optional<String>, Flux<R>> request) {
		return token().flatMapMany((token) -> {
			HttpClients.Lease clients = this.clients.lease();
			return attempt(clients, token, request).onErrorResume(Exchange::isRejection,
					(ex) -> renewed(clients, token, ex)
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

	/** What the latest request was sent with that the server has answered with 401. */
	@Nullable Credentials rejected() {
		return this.rejected;
	}

	/** What requests are sent with now. */
	Mono<Credentials> credentials() {
		return token().map((token) -> new Credentials(token, this.clients.bundle()));
	}

	/** Tokens and certificates are files, which no thread of the network may read. */
	private Mono<Optional<String>> token() {
		return Preparation.of(this.token, Mono.defer(this.token::obtain))
			.subscribeOn(Schedulers.boundedElastic())
			.doOnNext(Exchange::requireSendable)
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			// a source of one's own may answer on any thread
			.publishOn(Schedulers.boundedElastic());
	}

	/** The HTTP client would quote the token when it refuses it. */
	private static void requireSendable(String token) {
		if (token.isEmpty() || !token.chars().allMatch((character) -> character > ' ' && character < 0x7f)) {
			throw new CredentialsException("the token is empty or has spaces, line breaks or other characters that "
					+ "no token has; correct where it comes from", null);
		}
	}

	private static boolean isRejection(Throwable failure) {
		// once something was answered, it is not repeated
		return isUnauthorized(failure)
				|| (failure instanceof ConnectionException && TransportFailures.isAboutTrust(failure));
	}

	private static boolean isUnauthorized(Throwable failure) {
		return failure instanceof ApiException answered && answered.status().code() == 401;
	}

	private Mono<Boolean> renewed(HttpClients.Lease clients, Optional<String> token, Throwable failure) {
		return Mono.fromCallable(() -> {
			// without a certificate, there was nothing yet that the server could reject
			boolean mine = isUnauthorized(failure)
					|| (clients.hasClientCertificate() && !TransportFailures.isServerRefused(failure));
			boolean otherToken = mine && this.token.renew(token.orElse(null));
			return this.clients.renew(clients) || otherToken;
		}).subscribeOn(Schedulers.boundedElastic());
	}

	private static <R> Flux<R> cancellable(RequestHeadersSpec<?> request, Function<ClientResponse, Flux<R>> reader) {
		Cancellation cancellation = new Cancellation();
		// after the client has cancelled in its own way
		return request.exchangeToFlux((response) -> {
			cancellation.onResponse(response);
			return reader.apply(response);
		}).doFinally((signal) -> {
			if (signal == SignalType.CANCEL || signal == SignalType.ON_ERROR) {
				// or given up for what the answer says, which may go on
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
		logger.debug("{}: closed by the client after silence", request);
		return ended(BrokenAnswer.SILENT);
	}

	private static <R> Mono<R> ended(BrokenAnswer broken) {
		return Mono.deferContextual((context) -> {
			broken.tell(context);
			return Mono.empty();
		});
	}

	private MalformedResponseException overdue() {
		return new MalformedResponseException("an event that has begun has not ended within "
				+ this.timeouts.event().toMillis() + " ms (reflector.api-server.event-timeout)");
	}

	private TimeoutException silence(ApiRequest request, IdleDeadline idle) {
		return new TimeoutException(idle.isOpened()
				? request + ": nothing more came from the server for " + this.timeouts.idle().toMillis()
						+ " ms (reflector.api-server.idle-timeout)"
				: request + ": the server did not begin to answer for " + this.timeouts.response().toMillis()
						+ " ms (reflector.api-server.response-timeout)");
	}

	private RequestHeadersSpec<?> send(WebClient client, ApiRequest request, Optional<String> token) {
		RequestHeadersSpec<?> spec = client.get()
			.uri(request.uri())
			.header(HttpHeaders.ACCEPT, request.accept())
			.header(HttpHeaders.ACCEPT_ENCODING, this.compression.acceptEncoding(request))
			.attribute(URI_TEMPLATE, request.template());
		return token.<RequestHeadersSpec<?>>map((value) -> spec.headers((headers) -> headers.setBearerAuth(value)))
			.orElse(spec);
	}

	private boolean succeeded(ApiRequest request, ClientResponse response) {
		this.warnings.note(request, response.headers().asHttpHeaders());
		return response.statusCode().is2xxSuccessful();
	}

	private Answer answer(ApiRequest request, ClientResponse response, IdleDeadline idle, Flux<DataBuffer> body) {
		HttpHeaders headers = response.headers().asHttpHeaders();
		ObjectFormat format = MediaTypes.format(headers);
		return new Answer((format != null) ? format : ObjectFormat.JSON, this.compression.unpacking(request, headers),
				body, idle::over);
	}

	private Flux<DataBuffer> readable(ApiRequest request, ClientResponse response) {
		HttpHeaders headers = response.headers().asHttpHeaders();
		if (!this.compression.accepts(request, headers)) {
			return malformed(response,
					"the body has the content encoding '" + headers.getFirst(HttpHeaders.CONTENT_ENCODING)
							+ "', although '" + this.compression.acceptEncoding(request)
							+ "' was asked for; a proxy in between may do that");
		}
		ObjectFormat format = MediaTypes.format(headers);
		if (format == null || (format == ObjectFormat.CBOR && !CborOffer.isMade(request))) {
			return malformed(response, "the body has the content type '" + headers.getFirst(HttpHeaders.CONTENT_TYPE)
					+ "', which is no JSON; a proxy in between may do that");
		}
		return buffers(response);
	}

	private static Flux<DataBuffer> malformed(ClientResponse response, String message) {
		// cancels the body, and only then fails: a body that is left alone, the client
		// reads to its end before it lets an error through, and a watch may have none
		return buffers(response).take(0, false).concatWith(Mono.error(() -> new MalformedResponseException(message)));
	}

	private static Flux<DataBuffer> buffers(ClientResponse response) {
		return response.body(BodyExtractors.toDataBuffers())
			.doOnDiscard(DataBuffer.class, DataBufferUtils::release)
			.transformDeferredContextual((buffers, context) -> ReceivedBytes.counter(context)
				.map((counter) -> counted(buffers, counter))
				.orElse(buffers));
	}

	private static Flux<DataBuffer> counted(Flux<DataBuffer> buffers, LongConsumer counter) {
		return buffers.doOnNext((buffer) -> counter.accept(buffer.readableByteCount()));
	}

	/** Takes the bytes of a buffer, and releases it. */
	public static byte[] bytes(DataBuffer buffer) {
		try {
			byte[] bytes = new byte[buffer.readableByteCount()];
			buffer.read(bytes);
			return bytes;
		}
		finally {
			DataBufferUtils.release(buffer);
		}
	}

	private <R> Flux<R> failure(ApiRequest request, ClientResponse response) {
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		return buffers(response).map(Exchange::bytes).takeUntil((bytes) -> {
			body.write(bytes, 0, Math.min(bytes.length, FailureReader.MAX_BODY - body.size()));
			return body.size() >= FailureReader.MAX_BODY;
		})
			.take(FAILURE_BODY_TIMEOUT)
			// the code alone says enough
			.onErrorComplete()
			.thenMany(Flux.error(() -> failure(request, response, body.toByteArray())));
	}

	private ApiException failure(ApiRequest request, ClientResponse response, byte[] body) {
		HttpHeaders headers = response.headers().asHttpHeaders();
		return this.failures.read(request, response.statusCode().value(), headers,
				this.compression.inflated(request, headers, body, FailureReader.MAX_BODY));
	}

}
