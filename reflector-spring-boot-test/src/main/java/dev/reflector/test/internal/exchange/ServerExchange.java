package dev.reflector.test.internal.exchange;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.Parameters;
import dev.reflector.test.internal.format.Negotiation;
import dev.reflector.test.internal.format.Representation;
import dev.reflector.test.internal.format.WireFormat;
import dev.reflector.test.internal.store.ObjectRevision;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One request, with methods to answer it.
 *
 * @param received the recorded data of the request
 * @param request the request
 * @param response the response
 * @param channel the connection
 * @param control actions on the whole server
 * @param negotiation finds the format for request and answer
 * @param tamper changes the body of a successful answer
 */
public record ServerExchange(ReceivedRequest received, HttpServerRequest request, HttpServerResponse response,
		Channel channel, ServerControl control, Negotiation negotiation,
		@Nullable UnaryOperator<Flux<ByteBuf>> tamper) {

	private static final String ACCEPT = "Accept";

	private static final String WARNING = "Warning";

	/** The largest body that real servers read, in bytes. */
	private static final int LARGEST_BODY = 3 * 1024 * 1024;

	public static ServerExchange of(HttpServerRequest request, HttpServerResponse response, ServerControl control,
			Negotiation negotiation) {
		AtomicReference<Channel> channel = new AtomicReference<>();
		request.withConnection((connection) -> channel.set(connection.channel()));
		return new ServerExchange(ReceivedRequest.of(request), request, response, channel.get(), control, negotiation,
				null);
	}

	/**
	 * Returns a copy of this exchange with a further change to the body of the answer.
	 * @param tamper changes the body, after all changes that this exchange already makes
	 * @return a new exchange
	 */
	public ServerExchange tampered(UnaryOperator<Flux<ByteBuf>> tamper) {
		UnaryOperator<Flux<ByteBuf>> before = this.tamper;
		return new ServerExchange(this.received, this.request, this.response, this.channel, this.control,
				this.negotiation, (before != null) ? (chunks) -> tamper.apply(before.apply(chunks)) : tamper);
	}

	EventLoop eventLoop() {
		return this.channel.eventLoop();
	}

	/**
	 * Returns a scheduler on the event loop of the connection. After the server has
	 * stopped, it runs no more tasks.
	 * @return the scheduler for delays of the answer
	 */
	public Scheduler clock() {
		return Schedulers.fromExecutorService(eventLoop());
	}

	public Parameters parameters() {
		return new Parameters(this.received.parameters());
	}

	public String header(String name) {
		return this.received.headers().getOrDefault(name, "");
	}

	/**
	 * Whether the client accepts gzip.
	 * @return whether the client accepts gzip
	 */
	public boolean acceptsGzip() {
		return Gzip.accepted(header("Accept-Encoding"));
	}

	/**
	 * Answers after the body of the request has been read.
	 * @param answer makes the answer from the body
	 * @return the answer
	 */
	public Publisher<Void> withBody(Function<byte[], Publisher<Void>> answer) {
		return this.request.receive().aggregate().asByteArray().defaultIfEmpty(new byte[0]).flatMap((bytes) -> {
			try {
				this.received.body().set(bytes);
				if (bytes.length > LARGEST_BODY) {
					throw ApiFailure.tooLarge(LARGEST_BODY);
				}
				return Mono.from(answer.apply(bytes));
			}
			catch (RuntimeException ex) {
				return Mono.from(failure(ApiFailure.from(ex)));
			}
		});
	}

	/**
	 * Answers after a delay.
	 * @param delay the delay
	 * @param answer makes the answer
	 * @return the answer
	 */
	public Publisher<Void> later(Duration delay, Function<ServerExchange, Publisher<Void>> answer) {
		return after(Mono.delay(delay, clock()).then(), answer);
	}

	/**
	 * Answers after an event.
	 * @param event completes when the event has happened
	 * @param answer makes the answer
	 * @return the answer
	 */
	public Publisher<Void> after(Mono<Void> event, Function<ServerExchange, Publisher<Void>> answer) {
		return event.then(Mono.defer(() -> {
			try {
				return Mono.from(answer.apply(this));
			}
			catch (RuntimeException ex) {
				return Mono.from(failure(ApiFailure.from(ex)));
			}
		}));
	}

	/**
	 * Returns the representation of objects that the client wants.
	 * @return the representation
	 * @throws ApiFailure if the server supports no representation that the client accepts
	 */
	public Representation representation() {
		return this.negotiation.representation(header(ACCEPT));
	}

	/**
	 * Returns the format for a successful answer to this request.
	 * @return the format; JSON if the client can read no supported format
	 */
	public WireFormat format() {
		try {
			return representation().format();
		}
		catch (ApiFailure ex) {
			return WireFormat.JSON;
		}
	}

	/**
	 * Adds a warning to the answer, even if the answer is a failure.
	 * @param text the text of the warning
	 */
	public void warn(String text) {
		String value = "299 - \"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
		if (!this.response.responseHeaders().contains(WARNING, value, false)) {
			this.response.addHeader(WARNING, value);
		}
	}

	/**
	 * Answers with JSON, whatever format the client wants.
	 * @param status the HTTP status code
	 * @param body the body
	 * @return the answer
	 */
	public Publisher<Void> json(int status, JsonNode body) {
		return bytes(status, WireFormat.JSON.contentType(), Json.bytes(body));
	}

	/**
	 * Answers a request for aggregated discovery.
	 * @param body the body
	 * @return the answer
	 */
	public Publisher<Void> discovery(JsonNode body) {
		this.response.header(HttpHeaderNames.VARY, ACCEPT);
		return bytes(200, Negotiation.AGGREGATED_DISCOVERY, Json.bytes(body));
	}

	public Publisher<Void> object(int status, ObjectRevision object) {
		Representation representation = representation().forObject();
		return bytes(status, representation.format().contentType(), object.as(representation));
	}

	/**
	 * Answers with the result of a deletion.
	 * @param body the object, if it still exists, or a {@code Status}
	 * @return the answer
	 */
	public Publisher<Void> success(ObjectNode body) {
		Representation representation = representation();
		return "Status".equals(Json.text(body, "kind")) ? written(200, representation.format(), body)
				: bytes(200, representation.format().contentType(), representation.forObject().write(body, 0));
	}

	/**
	 * Answers with a {@code Status}.
	 * @param status the HTTP status code
	 * @param body the {@code Status}
	 * @return the answer
	 */
	public Publisher<Void> failure(int status, ObjectNode body) {
		return written(status, this.negotiation.ofFailures(header(ACCEPT)), body);
	}

	private Publisher<Void> written(int status, WireFormat format, ObjectNode body) {
		return bytes(status, format.contentType(), format.bytes(body, status));
	}

	public Publisher<Void> failure(ApiFailure failure) {
		int retryAfter = failure.status().retryAfterSeconds();
		if (retryAfter > 0) {
			this.response.header(HttpHeaderNames.RETRY_AFTER, Integer.toString(retryAfter));
		}
		return failure(failure.status().code(), failure.body());
	}

	public Publisher<Void> text(int status, String body) {
		this.response.header("X-Content-Type-Options", "nosniff");
		return bytes(status, "text/plain; charset=utf-8", body.getBytes(StandardCharsets.UTF_8));
	}

	public Publisher<Void> bytes(int status, String contentType, byte[] body) {
		if (this.tamper != null && (status == 200 || status == 201)) {
			return stream(status, contentType, Flux.defer(() -> Flux.just(Unpooled.wrappedBuffer(body))), null);
		}
		if (status == 200 && body.length > Gzip.WORTHWHILE && acceptsGzip()) {
			return stream(contentType, Flux.defer(() -> Flux.just(Unpooled.wrappedBuffer(body))), Gzip.WHOLE);
		}
		head(status, contentType).header(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.length));
		return (body.length > 0) ? this.response.send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body)))
				: this.response.send();
	}

	private HttpServerResponse head(int status, String contentType) {
		return this.response.status(status)
			.header(HttpHeaderNames.CONTENT_TYPE, contentType)
			.header(HttpHeaderNames.CACHE_CONTROL, "no-cache, private");
	}

	/**
	 * Answers with a body that is sent in parts.
	 * @param contentType the content type
	 * @param chunks the parts of the body; each is flushed
	 * @param gzip how to compress the body, or {@code null} for no compression
	 * @return the answer
	 */
	public Publisher<Void> stream(String contentType, Flux<ByteBuf> chunks, @Nullable Gzip gzip) {
		return stream(200, contentType, chunks, gzip);
	}

	private Publisher<Void> stream(int status, String contentType, Flux<ByteBuf> chunks, @Nullable Gzip gzip) {
		head(status, contentType);
		Flux<ByteBuf> body = (this.tamper != null) ? this.tamper.apply(chunks) : chunks;
		if (gzip != null) {
			this.response.header(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP)
				.header(HttpHeaderNames.VARY, "Accept-Encoding");
			body = gzip.compress(body);
		}
		return this.response.send(body, (chunk) -> true);
	}

}
