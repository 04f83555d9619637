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
 * A way for the embedded server to misbehave, played with {@link EmbeddedApiServer#fail
 * EmbeddedApiServer.fail(...)}. Never changes; the methods {@code with...}, {@code
 * atEvent} and {@code and} return another fault.
 * <p>
 * A fault is played to a request as a whole, in place of the proper answer, or with
 * {@link #atEvent} or {@link #fromEvent} within the proper answer. The faults of single
 * events, those of {@link EventFault}, are always played within it; those of whole lists
 * are in {@link ListFault}.
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

	/** A fault of the answer as a whole, which has no part to be played at an event. */
	static Fault ofAnswer(Behaviour answer) {
		return new Fault(Map.of(), Duration.ZERO, EventRange.WHOLE, answer, null);
	}

	/**
	 * Answers with a status code and the {@code Status} that goes with it; at an event,
	 * an {@code ERROR} frame with that {@code Status} is the last of the stream.
	 * @param code the HTTP status code
	 * @return the fault
	 */
	public static Fault status(int code) {
		return status(code, Status.ofHttp(code, "").reason(), "injected fault");
	}

	/**
	 * Answers with a status code and a {@code Status}, in CBOR for those who want that
	 * and get it from this server, else in JSON; at an event, an {@code ERROR} frame with
	 * that {@code Status} is the last of the stream.
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
	 * Answers with a status code and plain text, as servers do whose API group is gone
	 * (404) or which are overloaded (429, with {@code Retry-After: 1}), and the proxies
	 * ahead of them.
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
	 * Answers with a status code and a body of any kind, as proxies and overloaded
	 * servers do; at an event, the body is the last of the stream.
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
	 * Answers 200 and then bytes that are no JSON, or no CBOR for those who want that; at
	 * an event, they go ahead of it.
	 * @return the fault
	 */
	public static Fault garbage() {
		return of((exchange, proper) -> {
			WireFormat format = exchange.format();
			return exchange.bytes(200, format.contentType(), format.garbage());
		}, (exchange) -> FramePlay.insert(exchange.format().garbage()));
	}

	/**
	 * Closes the connection, with HTTP/2 the stream, without an answer or in the middle
	 * of it. The request has been read then; {@link #closeAtAccept(int)} reads nothing.
	 * @return the fault
	 */
	public static Fault disconnect() {
		return cut(Cut::close);
	}

	/**
	 * Closes the connection of the request, and then each new one as soon as it is
	 * accepted, before anything is read of it, be it a TLS handshake: as a load balancer
	 * does that has no backend for them. No request is recorded of those.
	 * {@link EmbeddedApiServer#clearFaults()} accepts again.
	 * @param connections how many new connections
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
	 * Resets the connection (TCP RST) without an answer, or in the middle of it.
	 * @return the fault
	 */
	public static Fault reset() {
		return cut(Cut::abort);
	}

	/**
	 * Refuses a request of HTTP/2 unread (REFUSED_STREAM), as a server does that is about
	 * to close the connection; the connection stays open. With HTTP/1.1, closes it.
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
	 * Accepts a watch and ends it cleanly: before the first frame, or at an event.
	 * @return the fault
	 */
	public static Fault emptyWatch() {
		return of((exchange, proper) -> exchange.stream(exchange.format().streamType(),
				Flux.just(Unpooled.EMPTY_BUFFER), null), (exchange) -> FramePlay.once((frame) -> FramePlay.end()));
	}

	/**
	 * Sends nothing more, but keeps the connection: no answer at all, or none from an
	 * event on. This is what half-open connections look like.
	 * @return the fault
	 */
	public static Fault silence() {
		return of((exchange, proper) -> Mono.never(), (exchange) -> FramePlay.once((frame) -> Mono.never()));
	}

	/**
	 * Answers properly, but only after some time; at an event, it is held back with all
	 * that follows.
	 * @param delay the time
	 * @return the fault
	 */
	public static Fault slow(Duration delay) {
		return of((exchange, proper) -> exchange.later(delay, proper::answer),
				(exchange) -> FramePlay.once((frame) -> Mono.delay(delay, exchange.clock()).thenReturn(frame)));
	}

	/**
	 * Answers properly, but only so many bytes each second, from the first on or from an
	 * event on.
	 * @param bytesPerSecond how many bytes
	 * @return the fault
	 */
	public static Fault drip(int bytesPerSecond) {
		Drip drip = new Drip(bytesPerSecond);
		return of((exchange, proper) -> proper.answer(exchange.tampered((chunks) -> drip.slow(chunks, exchange))),
				(exchange) -> (position, frame) -> drip.pieces(frame, exchange));
	}

	/**
	 * Breaks an answer off after some bytes: the body of a list, or the frame of an
	 * event. The connection is closed.
	 * @param bytes how many bytes are sent
	 * @return the fault
	 */
	public static Fault truncate(int bytes) {
		return truncated(bytes, (exchange) -> Cut.soon(exchange, Cut::close));
	}

	/**
	 * Ends an answer after some bytes as if it was complete: the body of a list, or the
	 * frame of an event and with it the stream.
	 * @param bytes how many bytes are sent
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
	 * properly; at an event, when it is due.
	 * @return the fault
	 */
	public static Fault compaction() {
		return before(ServerControl::compact);
	}

	/**
	 * Goes back to a backup (see {@link EmbeddedApiServer#restore(Backup)}), which ends
	 * all watches, and then answers properly; at an event, when it is due. With the
	 * backup of another server, that one answers from now on.
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
	 * Refuses new connections for some time, as a port without a listener does, and
	 * resets the connection of the request, so that its client has to make a new one.
	 * Other connections continue, unlike in an {@link #outage}.
	 * @param duration for how long
	 * @return the fault
	 */
	public static Fault refuse(Duration duration) {
		return cut((exchange) -> exchange.control().refuse(duration, () -> Cut.abort(exchange)));
	}

	/**
	 * Breaks off all connections, refuses new ones for some time and then listens again
	 * on the same port, as a server does that is restarted.
	 * @param duration for how long
	 * @return the fault
	 */
	public static Fault outage(Duration duration) {
		return cut((exchange) -> exchange.control().interrupt(duration));
	}

	/**
	 * The same fault with a header in the answer.
	 * @param name name of the header
	 * @param value value of the header
	 * @return another fault
	 */
	public Fault withHeader(String name, String value) {
		Map<String, String> headers = new LinkedHashMap<>(this.headers);
		headers.put(name, value);
		return new Fault(Map.copyOf(headers), this.delay, this.events, this.answer, this.frames);
	}

	/**
	 * The same fault with a {@code Retry-After} header in the answer, and the same in the
	 * {@code Status}.
	 * @param seconds after how many seconds to try again
	 * @return another fault
	 */
	public Fault withRetryAfter(int seconds) {
		return withHeader("Retry-After", Integer.toString(seconds));
	}

	/**
	 * The same fault with a {@code Retry-After} header that holds a date, as proxies
	 * write it; the {@code Status} holds the seconds until then, when it is sent.
	 * @param time when to try again; a second that has begun counts
	 * @return another fault
	 */
	public Fault withRetryAfter(Instant time) {
		return withHeader("Retry-After", RetryAfter.date(time));
	}

	/**
	 * The same fault after some time in which nothing happens.
	 * @param delay the time
	 * @return another fault
	 */
	public Fault withDelay(Duration delay) {
		return new Fault(this.headers, delay, this.events, this.answer, this.frames);
	}

	/**
	 * The same fault within the proper answer. On a watch, bookmarks and the events of a
	 * streamed list count; on a list, each item counts as an event.
	 * @param number the number of the event at which the fault is played, 1 for the first
	 * @return another fault
	 * @throws IllegalStateException when faults have been put together already, or when
	 * this is a fault of a list as a whole
	 */
	public Fault atEvent(int number) {
		return at(number, false);
	}

	/**
	 * The same fault within the proper answer, at an event and at each event after it. A
	 * fault that ends the answer ends it at the first of them.
	 * @param number the number of the first event at which the fault is played, 1 for the
	 * first of all; events count as for {@link #atEvent}
	 * @return another fault
	 * @throws IllegalStateException when faults have been put together already, or when
	 * this is a fault of a list as a whole
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
	 * Plays this fault, then the other one on what is left of the answer. A fault that
	 * does not answer properly leaves nothing.
	 * @param other the other fault
	 * @return another fault
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
