package dev.reflector.test;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.reflector.cache.Status;
import io.netty.buffer.Unpooled;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A way for the embedded server to misbehave, played with {@link EmbeddedApiServer#fail
 * EmbeddedApiServer.fail(...)}. Never changes; the methods that start with {@code with}
 * return another fault.
 */
public final class Fault {

	private final Map<String, String> headers;

	private final Behaviour behaviour;

	private Fault(Map<String, String> headers, Behaviour behaviour) {
		this.headers = headers;
		this.behaviour = behaviour;
	}

	private static Fault of(Behaviour behaviour) {
		return new Fault(Map.of(), behaviour);
	}

	/**
	 * Answers with a status code and the JSON {@code Status} that goes with it.
	 * @param code the HTTP status code
	 * @return the fault
	 */
	public static Fault status(int code) {
		return status(code, Status.ofHttp(code, "").reason(), "injected fault");
	}

	/**
	 * Answers with a status code and a JSON {@code Status}.
	 * @param code the HTTP status code
	 * @param reason the reason, such as {@code Expired}
	 * @param message text for a person
	 * @return the fault
	 */
	public static Fault status(int code, String reason, String message) {
		return of((exchange) -> exchange.json(code, ApiFailure.of(code, reason, message).body()));
	}

	/**
	 * Answers with a status code and a body of any kind, as proxies and overloaded
	 * servers do.
	 * @param code the HTTP status code
	 * @param contentType the content type
	 * @param body the body
	 * @return the fault
	 */
	public static Fault response(int code, String contentType, String body) {
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		return of((exchange) -> exchange.bytes(code, contentType, bytes));
	}

	/**
	 * Answers 200 and then bytes that are no JSON.
	 * @return the fault
	 */
	public static Fault garbage() {
		return of((exchange) -> exchange.bytes(200, Exchange.JSON, new byte[] { 0x7b, 0x22, (byte) 0xff, 0, 0x0a }));
	}

	/**
	 * Closes the connection without an answer.
	 * @return the fault
	 */
	public static Fault disconnect() {
		return of((exchange) -> {
			exchange.channel().close();
			return Mono.never();
		});
	}

	/**
	 * Accepts a watch and ends it cleanly before the first frame.
	 * @return the fault
	 */
	public static Fault emptyWatch() {
		return of((exchange) -> exchange.stream(Flux.just(Unpooled.EMPTY_BUFFER)));
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
		return new Fault(Map.copyOf(headers), this.behaviour);
	}

	/**
	 * The same fault with a {@code Retry-After} header in the answer.
	 * @param seconds after how many seconds to try again
	 * @return another fault
	 */
	public Fault withRetryAfter(int seconds) {
		return withHeader("Retry-After", Integer.toString(seconds));
	}

	Publisher<Void> play(Exchange exchange) {
		this.headers.forEach(exchange.response()::header);
		return this.behaviour.answer(exchange);
	}

	/**
	 * What is done instead of answering properly.
	 */
	private interface Behaviour {

		Publisher<Void> answer(Exchange exchange);

	}

}
