package dev.reflector.test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.reflector.cache.source.Status;
import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.RetryAfter;
import dev.reflector.test.internal.exchange.ServerControl;
import dev.reflector.test.internal.exchange.ServerExchange;
import dev.reflector.test.internal.fault.Behaviour;
import dev.reflector.test.internal.fault.Cut;
import dev.reflector.test.internal.fault.Drip;
import dev.reflector.test.internal.fault.EventRange;
import dev.reflector.test.internal.fault.FramePlay;
import dev.reflector.test.internal.fault.ProperAnswer;
import dev.reflector.test.internal.format.Representation;
import dev.reflector.test.internal.format.WireFormat;
import dev.reflector.test.internal.read.WatchFrame;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A fault that the embedded server plays when it answers a request.
 * {@link EmbeddedApiServer#fail EmbeddedApiServer.fail(...)} chooses the requests. Faults
 * are immutable; the methods {@code with...}, {@code atEvent} and {@code and} return a
 * new fault.
 * <p>
 * A fault is played in place of the proper answer to a request. With {@link #atEvent} or
 * {@link #fromEvent}, it is played within the proper answer, when an event of the watch
 * or an item of the list is sent. The faults of single events in {@link EventFault} are
 * always played within the proper answer. The faults of whole lists are in
 * {@link ListFault}.
 *
 * @since 0.1.0
 */
public final class Fault {

	private final Map<String, String> headers;

	private final Duration delay;

	private final EventRange events;

	private final @Nullable Behaviour answer;

	private final @Nullable Function<ServerExchange, FramePlay> frames;

	private Fault(Map<String, String> headers, Duration delay, EventRange events, @Nullable Behaviour answer,
			@Nullable Function<ServerExchange, FramePlay> frames) {
		this.headers = headers;
		this.delay = delay;
		this.events = events;
		this.answer = answer;
		this.frames = frames;
	}

	private static Fault of(Behaviour answer, Function<ServerExchange, FramePlay> frames) {
		return new Fault(Map.of(), Duration.ZERO, EventRange.WHOLE, answer, frames);
	}

	static Fault ofFrames(Function<ServerExchange, FramePlay> frames) {
		return new Fault(Map.of(), Duration.ZERO, EventRange.FIRST, null, frames);
	}

	/**
	 * Creates a fault that replaces the whole answer, so {@link #atEvent} and
	 * {@link #fromEvent} are refused.
	 */
	static Fault ofAnswer(Behaviour answer) {
		return new Fault(Map.of(), Duration.ZERO, EventRange.WHOLE, answer, null);
	}

	/**
	 * Answers with a status code and the {@code Status} for that code. With
	 * {@link #atEvent}, sends an {@code ERROR} frame with that {@code Status} as the last
	 * frame of the stream.
	 * @param code the HTTP status code
	 * @return the fault
	 */
	public static Fault status(int code) {
		return status(code, Status.ofHttp(code, "").reason(), "injected fault");
	}

	/**
	 * Answers with a status code and a {@code Status}, in CBOR if the client wants CBOR
	 * and the server supports it, otherwise in JSON. With {@link #atEvent}, sends an
	 * {@code ERROR} frame with that {@code Status} as the last frame of the stream.
	 * @param code the HTTP status code
	 * @param reason the reason, such as {@code Expired}
	 * @param message human-readable text
	 * @return the fault
	 */
	public static Fault status(int code, String reason, String message) {
		return of((exchange, proper) -> exchange.failure(code, body(exchange, code, reason, message).body()),
				(exchange) -> FramePlay
					.last((frame) -> Mono.just(WatchFrame.error(body(exchange, code, reason, message))
						.bytes(Representation.of(exchange.format())))));
	}

	private static ApiFailure body(ServerExchange exchange, int code, String reason, String message) {
		return ApiFailure.of(code, reason, message)
			.withRetryAfter(exchange.response().responseHeaders().get("Retry-After", ""));
	}

	/**
	 * Answers with a status code and plain text, like proxies, servers whose API group is
	 * gone (404), and overloaded servers (429, with {@code Retry-After: 1}).
	 * @param code the HTTP status code
	 * @return the fault
	 */
	public static Fault plainText(int code) {
		Fault fault = response(code, "text/plain; charset=utf-8", switch (code) {
			case 404 -> "404 page not found\n";
			case 429 -> "Too many requests, please try again later.\n";
			default -> Status.ofHttp(code, "").reason() + "\n";
		});
		return (code == 429) ? fault.withRetryAfter(1) : fault;
	}

	/**
	 * Answers with a status code and any body, as proxies and overloaded servers do. With
	 * {@link #atEvent}, sends the body as the last part of the stream.
	 * @param code the HTTP status code
	 * @param contentType the content type
	 * @param body the body
	 * @return the fault
	 */
	public static Fault response(int code, String contentType, String body) {
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		return of((exchange, proper) -> exchange.bytes(code, contentType, bytes),
				(exchange) -> FramePlay.last((frame) -> Mono.just(bytes)));
	}

	/**
	 * Answers with status 200 and bytes that are no JSON, or no CBOR for clients that
	 * want CBOR. With {@link #atEvent}, sends the bytes before the chosen event.
	 * @return the fault
	 */
	public static Fault garbage() {
		return of((exchange, proper) -> {
			WireFormat format = exchange.format();
			return exchange.bytes(200, format.contentType(), format.garbage());
		}, (exchange) -> FramePlay.insert(exchange.format().garbage()));
	}

	/**
	 * Closes the connection, or with HTTP/2 only the stream, without an answer or, with
	 * {@link #atEvent}, in the middle of the answer. The server has read the request
	 * before it closes the connection. To close connections without reading, use
	 * {@link #closeAtAccept(int)}.
	 * @return the fault
	 */
	public static Fault disconnect() {
		return cut(Cut::close);
	}

	/**
	 * Closes the connection of the request. Then closes new connections as soon as they
	 * are accepted, before a TLS handshake or a request is read, like a load balancer
	 * without a backend. No requests of these connections are recorded. After
	 * {@link EmbeddedApiServer#clearFaults()}, connections are accepted again.
	 * @param connections how many new connections to close
	 * @return the fault
	 */
	public static Fault closeAtAccept(int connections) {
		if (connections < 1) {
			throw new IllegalArgumentException("'connections' must be positive");
		}
		return cut((exchange) -> {
			exchange.control().turnAway(connections);
			Cut.closeConnection(exchange);
		});
	}

	/**
	 * Resets the connection (TCP RST) without an answer or, with {@link #atEvent}, in the
	 * middle of the answer.
	 * @return the fault
	 */
	public static Fault reset() {
		return cut(Cut::abort);
	}

	/**
	 * With HTTP/2, refuses the request (REFUSED_STREAM), so the client may assume that it
	 * was not processed. The connection stays open. With HTTP/1.1, closes the connection.
	 * @return the fault
	 */
	public static Fault refuseStream() {
		return cut(Cut::refuse);
	}

	private static Fault cut(Consumer<ServerExchange> cut) {
		return of((exchange, proper) -> {
			cut.accept(exchange);
			return Mono.never();
		}, (exchange) -> FramePlay.once((frame) -> Cut.soon(exchange, cut)));
	}

	/**
	 * Accepts a watch and ends it cleanly, before the first frame or, with
	 * {@link #atEvent}, in place of the chosen event.
	 * @return the fault
	 */
	public static Fault emptyWatch() {
		return of((exchange, proper) -> exchange.stream(exchange.format().streamType(),
				Flux.just(Unpooled.EMPTY_BUFFER), null), (exchange) -> FramePlay.once((frame) -> FramePlay.end()));
	}

	/**
	 * Keeps the connection open, but sends no answer. With {@link #atEvent}, sends
	 * neither the chosen event nor anything after it. To a client, a half-open connection
	 * looks the same.
	 * @return the fault
	 */
	public static Fault silence() {
		return of((exchange, proper) -> Mono.never(), (exchange) -> FramePlay.once((frame) -> Mono.never()));
	}

	/**
	 * Answers properly, but only after some time. With {@link #atEvent}, delays the
	 * chosen event and all later events.
	 * @param delay the time
	 * @return the fault
	 */
	public static Fault slow(Duration delay) {
		return of((exchange, proper) -> exchange.later(delay, proper::answer),
				(exchange) -> FramePlay.once((frame) -> Mono.delay(delay, exchange.clock()).thenReturn(frame)));
	}

	/**
	 * Answers properly, but with a limited number of bytes each second. With
	 * {@link #atEvent}, the limit applies to the chosen event and to everything after it.
	 * @param bytesPerSecond how many bytes to send each second
	 * @return the fault
	 */
	public static Fault drip(int bytesPerSecond) {
		Drip drip = new Drip(bytesPerSecond);
		return of((exchange, proper) -> proper.answer(exchange.tampered((chunks) -> drip.slow(chunks, exchange))),
				(exchange) -> (position, frame) -> drip.pieces(frame, exchange));
	}

	/**
	 * Sends only the first bytes of the body of a list or, with {@link #atEvent}, of the
	 * frame of the chosen event. Then closes the connection.
	 * @param bytes how many bytes to send
	 * @return the fault
	 */
	public static Fault truncate(int bytes) {
		return truncated(bytes, (exchange) -> Cut.soon(exchange, Cut::close));
	}

	/**
	 * Sends only the first bytes of the body of a list or, with {@link #atEvent}, of the
	 * frame of the chosen event. Then ends the answer as if it were complete.
	 * @param bytes how many bytes to send
	 * @return the fault
	 */
	public static Fault endWithin(int bytes) {
		return truncated(bytes, (exchange) -> FramePlay.end());
	}

	private static Fault truncated(int bytes, Function<ServerExchange, Mono<byte[]>> end) {
		return of(
				(exchange, proper) -> proper
					.answer(exchange.tampered((chunks) -> Drip.take(chunks, bytes, end.apply(exchange)))),
				(exchange) -> FramePlay.once((frame) -> Flux
					.concat(Mono.just(Arrays.copyOf(frame, Math.min(bytes, frame.length))), end.apply(exchange))));
	}

	/**
	 * Forgets all history (see {@link EmbeddedApiServer#compact()}) and then answers
	 * properly. With {@link #atEvent}, forgets the history when the chosen event is due.
	 * @return the fault
	 */
	public static Fault compaction() {
		return before(ServerControl::compact);
	}

	/**
	 * Restores a backup (see {@link EmbeddedApiServer#restore(Backup)}), which ends all
	 * watches, and then answers properly. With {@link #atEvent}, restores the backup when
	 * the chosen event is due. With a backup of another server, this server answers from
	 * now on with the state that the other server had.
	 * @param backup the backup
	 * @return the fault
	 */
	public static Fault restoration(Backup backup) {
		return before((control) -> control.restore(backup.state()));
	}

	private static Fault before(Consumer<ServerControl> action) {
		return of((exchange, proper) -> {
			action.accept(exchange.control());
			return proper.answer(exchange);
		}, (exchange) -> FramePlay.once((frame) -> {
			action.accept(exchange.control());
			return Mono.just(frame);
		}));
	}

	/**
	 * Refuses new connections for some time, like a port without a listener. Resets the
	 * connection of the request, so that the client must open a new connection. Other
	 * connections continue, unlike in an {@link #outage}.
	 * @param duration how long to refuse connections
	 * @return the fault
	 */
	public static Fault refuse(Duration duration) {
		return cut((exchange) -> exchange.control().refuse(duration, () -> Cut.abort(exchange)));
	}

	/**
	 * Breaks all connections, refuses new connections for some time, and then listens
	 * again on the same port, like a server that is restarted.
	 * @param duration how long to refuse connections
	 * @return the fault
	 */
	public static Fault outage(Duration duration) {
		return cut((exchange) -> exchange.control().interrupt(duration));
	}

	/**
	 * Returns a copy of this fault that adds a header to the answer.
	 * @param name name of the header
	 * @param value value of the header
	 * @return a new fault
	 */
	public Fault withHeader(String name, String value) {
		Map<String, String> headers = new LinkedHashMap<>(this.headers);
		headers.put(name, value);
		return new Fault(Map.copyOf(headers), this.delay, this.events, this.answer, this.frames);
	}

	/**
	 * Returns a copy of this fault that adds a {@code Retry-After} header to the answer,
	 * and the same delay to the {@code Status}.
	 * @param seconds after how many seconds the client should try again
	 * @return a new fault
	 */
	public Fault withRetryAfter(int seconds) {
		return withHeader("Retry-After", Integer.toString(seconds));
	}

	/**
	 * Returns a copy of this fault that adds a {@code Retry-After} header with a date, as
	 * proxies write it. The {@code Status} contains the number of seconds between the
	 * answer and this time.
	 * @param time when the client should try again; a fraction of a second is rounded up
	 * @return a new fault
	 */
	public Fault withRetryAfter(Instant time) {
		return withHeader("Retry-After", RetryAfter.date(time));
	}

	/**
	 * Returns a copy of this fault that is played only after a delay.
	 * @param delay the time
	 * @return a new fault
	 */
	public Fault withDelay(Duration delay) {
		return new Fault(this.headers, delay, this.events, this.answer, this.frames);
	}

	/**
	 * Returns a copy of this fault that is played at the given event of the proper
	 * answer, instead of replacing the answer. On a watch, bookmarks and the events of a
	 * streamed list are counted, too. On a list, each item counts as an event.
	 * @param number the number of the event at which the fault is played, 1 for the first
	 * event of the answer
	 * @return a new fault
	 * @throws IllegalStateException if this fault is already a combination of faults, or
	 * a fault of a whole list
	 */
	public Fault atEvent(int number) {
		return at(number, false);
	}

	/**
	 * Returns a copy of this fault that is played at the given event of the proper answer
	 * and at each event after it. If the fault ends the answer, it is played only at the
	 * first of these events.
	 * @param number the number of the first event at which the fault is played, 1 for the
	 * first event of the answer; events are counted as for {@link #atEvent}
	 * @return a new fault
	 * @throws IllegalStateException if this fault is already a combination of faults, or
	 * a fault of a whole list
	 */
	public Fault fromEvent(int number) {
		return at(number, true);
	}

	private Fault at(int number, boolean open) {
		if (number < 1) {
			throw new IllegalArgumentException("'number' must be positive");
		}
		if (this.frames == null) {
			throw new IllegalStateException(
					"There is no choice of events for faults of whole lists and faults that are put together");
		}
		return new Fault(this.headers, this.delay, new EventRange(number, open), this.answer, this.frames);
	}

	/**
	 * Returns a fault that plays this fault, and then another fault on the rest of the
	 * answer. If this fault replaces the proper answer, the other fault is not played.
	 * @param other the other fault
	 * @return a new fault
	 */
	public Fault and(Fault other) {
		return ofAnswer((exchange, proper) -> play(exchange, (later) -> other.play(later, proper)));
	}

	Publisher<Void> play(ServerExchange exchange, ProperAnswer proper) {
		this.headers.forEach(exchange.response()::header);
		return this.delay.isZero() ? begin(exchange, proper)
				: exchange.later(this.delay, (later) -> begin(later, proper));
	}

	private Publisher<Void> begin(ServerExchange exchange, ProperAnswer proper) {
		if (this.answer != null && this.events == EventRange.WHOLE) {
			return this.answer.answer(exchange, proper);
		}
		FramePlay play = Objects.requireNonNull(this.frames).apply(exchange);
		return proper.answer(exchange.tampered(this.events.tamper(exchange, play)));
	}

}
