package dev.reflector.sample.console;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Serves the fault panel of the page. Without the embedded server, there are no faults.
 */
@RestController
@RequestMapping("/faults")
class FaultController {

	/**
	 * A header that protects against requests of other sites: a form cannot send it, and
	 * a script needs permission (CORS).
	 */
	private static final String HEADER = "X-Reflector-Sample";

	private final ObjectProvider<FaultPanel> panel;

	FaultController(ObjectProvider<FaultPanel> panel) {
		this.panel = panel;
	}

	@GetMapping
	Map<String, List<FaultPanel.FaultView>> faults() {
		FaultPanel panel = this.panel.getIfAvailable();
		return Map.of("faults", (panel != null) ? panel.faults() : List.of());
	}

	@PostMapping("/{id}")
	Mono<Answer> begin(@PathVariable String id, @RequestHeader(name = HEADER, defaultValue = "") String header) {
		if (!header.equals("1")) {
			throw new ResponseStatusException(HttpStatus.FORBIDDEN, "the header '" + HEADER + ": 1' is missing");
		}
		FaultPanel panel = panel();
		return answer(panel, () -> panel.begin(id));
	}

	@DeleteMapping("/{id}")
	Mono<Answer> end(@PathVariable String id) {
		FaultPanel panel = panel();
		return answer(panel, () -> panel.end(id));
	}

	/**
	 * Answers on another thread, because the server must not be called on a thread of the
	 * network.
	 */
	private static Mono<Answer> answer(FaultPanel panel, Callable<@Nullable String> work) {
		return Mono.<String>fromCallable(work)
			.subscribeOn(Schedulers.boundedElastic())
			.map((message) -> new Answer(message, panel.faults()))
			.switchIfEmpty(Mono.error(() -> new ResponseStatusException(HttpStatus.NOT_FOUND)));
	}

	private FaultPanel panel() {
		FaultPanel panel = this.panel.getIfAvailable();
		if (panel == null) {
			throw new ResponseStatusException(HttpStatus.CONFLICT, "there is no embedded server");
		}
		return panel;
	}

	record Answer(String message, List<FaultPanel.FaultView> faults) {

	}

}
