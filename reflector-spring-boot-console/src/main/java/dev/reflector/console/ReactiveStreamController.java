package dev.reflector.console;

import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebSession;

/**
 * The stream of the console with WebFlux. A client that does not read blocks no thread.
 */
@RestController
@RequestMapping("${reflector.console.path:/reflectors}")
class ReactiveStreamController extends ConsoleRequests {

	private final ConsoleStream stream;

	ReactiveStreamController(Console console) {
		this.stream = new ConsoleStream(console);
	}

	@GetMapping(path = "/api/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Mono<ResponseEntity<Flux<ServerSentEvent<String>>>> stream(ServerWebExchange exchange, @Nullable Principal user) {
		InetSocketAddress address = exchange.getRequest().getRemoteAddress();
		return exchange.getSession()
			.map((session) -> ConsoleStream.reader(user, isKnown(session) ? session.getId() : null,
					(address != null) ? address.getHostString() : null))
			.map((reader) -> ResponseEntity.ok()
				.headers(ConsoleStream::headers)
				.body(this.stream.frames(reader, UnaryOperator.identity()).map(ReactiveStreamController::event)));
	}

	/**
	 * Whether a session existed before the request. For a request without a session,
	 * WebFlux makes a new session, which is not kept.
	 */
	private static boolean isKnown(WebSession session) {
		return session.isStarted();
	}

	private static ServerSentEvent<String> event(String frame) {
		return ServerSentEvent.builder(frame).event(ConsoleStream.EVENT).build();
	}

}
