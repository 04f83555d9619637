package dev.reflector.console;

import java.security.Principal;
import java.time.Duration;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.http.HttpHeaders;

/**
 * Makes the streams to the pages of the console, both with Spring MVC and with WebFlux.
 */
final class ConsoleStream {

	static final String EVENT = "frame";

	/**
	 * Name of the Spring Security class that represents the user of a request without a
	 * login.
	 */
	private static final String ANONYMOUS = "AnonymousAuthenticationToken";

	/** Shortest time between two frames of a stream. */
	private static final Duration FRAME = Duration.ofMillis(250);

	private final OpenStreams open = new OpenStreams();

	private final Console console;

	ConsoleStream(Console console) {
		this.console = console;
	}

	/**
	 * Returns the identity of a reader, because the number of streams of one reader is
	 * limited. The identity is the user; without a user, the session; without a session,
	 * the address.
	 * @param user the authenticated user, or {@code null}
	 * @param session the session of the request, or {@code null}
	 * @param address the address of the client, or {@code null}
	 * @return the reader
	 */
	static String reader(@Nullable Principal user, @Nullable String session, @Nullable String address) {
		if (user != null && !user.getClass().getSimpleName().equals(ANONYMOUS)) {
			return "user " + user.getName();
		}
		return (session != null) ? "session " + session : "address " + address;
	}

	/**
	 * Returns the frames for a reader, as JSON. A frame is made only when it is
	 * requested, so a slow reader receives the newest state and not a queue of old
	 * frames.
	 * @param reader the reader
	 * @param writer moves the ticks of the timer to the thread that makes and sends
	 * frames
	 * @return the frames, or no frames if other readers have taken the last free streams
	 * since this method was called
	 * @throws ConsoleProblem if the reader, or all readers together, have too many
	 * streams
	 */
	Flux<String> frames(String reader, UnaryOperator<Flux<Long>> writer) {
		this.console.access().requireReads();
		this.open.requireRoom(reader);
		return Flux.defer(() -> {
			// the stream is counted when its frames are requested, because some answers
			// send no frames, for example to HEAD
			if (!this.open.open(reader)) {
				return Flux.empty();
			}
			FrameCursor cursor = new FrameCursor(this.console);
			return writer.apply(Flux.interval(Duration.ZERO, FRAME).onBackpressureDrop())
				.<String>handle((tick, sink) -> {
					FrameCursor.StreamFrame frame = cursor.next();
					if (frame != null) {
						sink.next(ConsoleJson.text(frame));
					}
				})
				.doFinally((signal) -> this.open.close(reader));
		}).takeUntilOther(this.console.stopped());
	}

	static void headers(HttpHeaders headers) {
		ConsoleRequests.secure(headers);
		headers.set("X-Accel-Buffering", "no");
	}

}
