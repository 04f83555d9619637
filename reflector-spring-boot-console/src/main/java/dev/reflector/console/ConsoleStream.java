package dev.reflector.console;

import java.security.Principal;
import java.time.Duration;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.http.HttpHeaders;

/**
 * What the pages of the console get in their streams, with Spring MVC and with WebFlux
 * alike.
 */
final class ConsoleStream {

	static final String EVENT = "frame";

	/** The user that Spring Security makes of a request without one. */
	private static final String ANONYMOUS = "AnonymousAuthenticationToken";

	/** Four frames a second at most. */
	private static final Duration FRAME = Duration.ofMillis(250);

	private final OpenStreams open = new OpenStreams();

	private final Console console;

	ConsoleStream(Console console) {
		this.console = console;
	}

	/**
	 * Distinguishes readers.
	 * @param user the authenticated user, if there is one
	 * @param session the session that the request belongs to, if there is one
	 * @param address where the request comes from
	 * @return the reader
	 */
	static String reader(@Nullable Principal user, @Nullable String session, @Nullable String address) {
		if (user != null && !user.getClass().getSimpleName().equals(ANONYMOUS)) {
			return "user " + user.getName();
		}
		return (session != null) ? "session " + session : "address " + address;
	}

	/**
	 * The frames for a reader, as JSON. A frame is made when it is wanted; a slow reader
	 * gets the newest state and no queue.
	 * @param reader the reader
	 * @param writer moves the ticks to the thread that makes and sends frames
	 * @return the frames; there are none when others have taken the last place before
	 * @throws ConsoleProblem when there is no room
	 */
	Flux<String> frames(String reader, UnaryOperator<Flux<Long>> writer) {
		this.console.access().requireReads();
		this.open.requireRoom(reader);
		return Flux.defer(() -> {
			// counted here, because not every answer is sent: that to a HEAD is not
			if (!this.open.open(reader)) {
				return Flux.empty();
			}
			FrameCursor cursor = new FrameCursor(this.console);
			return writer.apply(Flux.interval(Duration.ZERO, FRAME).onBackpressureDrop())
				.<String>handle((tick, sink) -> {
					FrameCursor.Frame frame = cursor.next();
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
