package dev.reflector.console;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Base class of all controllers of the console. It answers requests for which a
 * controller has thrown a {@link ConsoleProblem}.
 */
abstract class ConsoleRequests {

	@ExceptionHandler
	ResponseEntity<byte[]> problem(ConsoleProblem problem) {
		return ResponseEntity.status(problem.status())
			.headers(ConsoleRequests::secure)
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.body(ConsoleJson.bytes(problem.body()));
	}

	static void secure(HttpHeaders headers) {
		headers.setCacheControl("no-store");
		headers.set("X-Content-Type-Options", "nosniff");
	}

}
