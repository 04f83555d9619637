package dev.reflector.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The stream of the console with Spring MVC. In a servlet container, a write blocks its
 * thread while the client does not read. Therefore, the console writes the streams with
 * separate threads. By default, Spring MVC would block threads of the application's
 * {@code applicationTaskExecutor}.
 */
@RestController
@RequestMapping("${reflector.console.path:/reflectors}")
class ServletStreamController extends ConsoleRequests implements DisposableBean {

	private static final long WITHOUT_END = -1;

	private static final MediaType TEXT = new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8);

	private final ConsoleStream stream;

	private final Scheduler threads = ConsoleThreads.streaming();

	ServletStreamController(Console console) {
		this.stream = new ConsoleStream(console);
	}

	@GetMapping(path = "/api/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	ResponseEntity<SseEmitter> stream(HttpServletRequest request) {
		HttpSession session = request.getSession(false);
		Flux<String> frames = this.stream.frames(ConsoleStream.reader(request.getUserPrincipal(),
				(session != null) ? session.getId() : null, request.getRemoteAddr()),
				(ticks) -> ticks.publishOn(this.threads, 1));
		boolean wanted = !request.getMethod().equals(HttpMethod.HEAD.name());
		return ResponseEntity.ok()
			.headers(ConsoleStream::headers)
			.contentType(MediaType.TEXT_EVENT_STREAM)
			.body(wanted ? emitter(frames) : null);
	}

	private static SseEmitter emitter(Flux<String> frames) {
		SseEmitter emitter = new SseEmitter(WITHOUT_END);
		Disposable.Swap writing = Disposables.swap();
		emitter.onCompletion(writing::dispose);
		emitter.onError((ex) -> writing.dispose());
		writing
			.update(frames.subscribe((frame) -> send(emitter, frame), emitter::completeWithError, emitter::complete));
		return emitter;
	}

	private static void send(SseEmitter emitter, String frame) {
		try {
			emitter.send(SseEmitter.event().name(ConsoleStream.EVENT).data(frame, TEXT));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void destroy() {
		this.threads.dispose();
	}

}
