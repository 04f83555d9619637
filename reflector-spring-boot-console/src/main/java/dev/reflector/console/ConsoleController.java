package dev.reflector.console;

import java.net.URI;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves the console, both with Spring MVC and with WebFlux. The code is the same for
 * both.
 */
@RestController
@RequestMapping("${reflector.console.path:/reflectors}")
class ConsoleController extends ConsoleRequests implements DisposableBean {

	private static final String POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
			+ "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

	/**
	 * A header that protects against requests of other sites: a form cannot send it, and
	 * a script needs permission (CORS).
	 */
	private static final String HEADER = "X-Reflector-Console";

	private final Scheduler threads = ConsoleThreads.answering();

	private final Console console;

	private final ConsoleAssets assets = new ConsoleAssets();

	private final Supplier<JsonMapper> mapper;

	private final String application;

	/** Redirect target, relative to the path of the console without a slash. */
	private final URI page;

	ConsoleController(Console console, Supplier<JsonMapper> mapper, String path, String application) {
		this.page = URI.create(path.substring(path.lastIndexOf('/') + 1) + "/");
		this.console = console;
		this.mapper = mapper;
		this.application = application;
	}

	@Override
	public void destroy() {
		this.threads.dispose();
	}

	/**
	 * Redirects to the path with a slash at its end, because the paths of the page's
	 * files are relative to it.
	 */
	@GetMapping("")
	ResponseEntity<Void> redirect() {
		this.console.access().requireReads();
		return ResponseEntity.status(HttpStatus.FOUND).location(this.page).build();
	}

	@GetMapping("/")
	Mono<ResponseEntity<byte[]>> page() {
		return answered("index.html");
	}

	@GetMapping("/assets/{*path}")
	Mono<ResponseEntity<byte[]>> asset(@PathVariable String path) {
		return answered(path.isEmpty() ? path : path.substring(1));
	}

	/**
	 * Answers with a file, on another thread, after the request has been read. Otherwise,
	 * a browser that asks for many files at once may wait forever: Reactor Netty 1.3.6
	 * stops reading a connection if a queued request is answered at once
	 * (reactor-netty#4361).
	 */
	private Mono<ResponseEntity<byte[]>> answered(String path) {
		return allowed(Mono.fromCallable(() -> file(path)));
	}

	private ResponseEntity<byte[]> file(String path) {
		ConsoleAssets.Asset asset = this.assets.get(path);
		return ResponseEntity.ok()
			.eTag(asset.etag())
			.cacheControl(CacheControl.noCache())
			.header("Content-Security-Policy", POLICY)
			.header("X-Content-Type-Options", "nosniff")
			.header("Referrer-Policy", "same-origin")
			.contentType(asset.type())
			.body(asset.content());
	}

	@GetMapping("/api/reflectors")
	Mono<ResponseEntity<byte[]>> reflectors(
			@RequestAttribute(name = CsrfView.SERVLET_ATTRIBUTE, required = false) @Nullable Object servletToken,
			@RequestAttribute(name = CsrfView.REACTIVE_ATTRIBUTE, required = false) @Nullable Object reactiveToken) {
		return allowed(CsrfView.of(servletToken, reactiveToken)
			.map(this::overview)
			.switchIfEmpty(Mono.fromSupplier(() -> overview(null)))).map(ConsoleController::json);
	}

	private Overview overview(@Nullable CsrfView csrf) {
		return new Overview(this.console.writes(), csrf, this.application, System.currentTimeMillis(),
				this.console.summaries());
	}

	@GetMapping("/api/reflectors/{name}/objects")
	Mono<ResponseEntity<byte[]>> objects(@PathVariable String name, @RequestParam Map<String, String> parameters) {
		return answer(() -> this.console.reflector(name).objects(ObjectQuery.of(parameters)));
	}

	@GetMapping("/api/reflectors/{name}/object")
	Mono<ResponseEntity<byte[]>> object(@PathVariable String name,
			@RequestParam(name = "namespace", defaultValue = "") String namespace,
			@RequestParam(name = "name", defaultValue = "") String object) {
		return answer(() -> {
			if (object.isEmpty()) {
				throw ConsoleProblem.badRequest("'name' must not be empty");
			}
			ObjectView view = this.console.reflector(name).object(ResourceKey.of(namespace, object), this.mapper.get());
			if (view == null) {
				throw ConsoleProblem.notFound("the mirror has no such object");
			}
			return view;
		});
	}

	@GetMapping("/api/reflectors/{name}/timeline")
	Mono<ResponseEntity<byte[]>> timeline(@PathVariable String name) {
		return answer(() -> {
			Timeline.Excerpt excerpt = this.console.reflector(name).journal().timeline().since(0);
			long now = System.currentTimeMillis();
			return new TimelineView(now - Timeline.KEPT.toMillis(), now, excerpt.spans(), excerpt.marks());
		});
	}

	@GetMapping("/api/reflectors/{name}/series")
	Mono<ResponseEntity<byte[]>> series(@PathVariable String name) {
		return answer(() -> this.console.reflector(name).journal().series().view());
	}

	@PostMapping("/api/reflectors/{name}/{operation}")
	Mono<ResponseEntity<byte[]>> operate(@PathVariable String name, @PathVariable String operation,
			@RequestHeader(name = HEADER, defaultValue = "") String header,
			@RequestHeader(name = "Sec-Fetch-Site", defaultValue = "") String site, @Nullable Principal user) {
		return allowed(Mono.defer(() -> {
			if (!header.equals("1")) {
				throw ConsoleProblem.forbidden("the header '" + HEADER + ": 1' is missing");
			}
			if (site.equals("cross-site") || site.equals("same-site")) {
				throw ConsoleProblem.forbidden("another site has sent this request");
			}
			Operation order = this.console.writes() ? Operation.named(operation) : null;
			if (order == null) {
				throw ConsoleProblem.notFound("there is no such operation");
			}
			this.console.reflector(name);
			return this.console.endpoint()
				.act(new User(user), name, operation)
				.map(order::outcome)
				.takeUntilOther(this.console.stopped())
				.switchIfEmpty(Mono.error(() -> ConsoleProblem.unavailable("the application is stopping")));
		})).map(ConsoleController::json);
	}

	/**
	 * Answers on threads of the console, because a large table takes some time and the
	 * shared threads of Reactor may be busy with other work.
	 */
	private Mono<ResponseEntity<byte[]>> answer(Callable<?> work) {
		return allowed(Mono.<Object>fromCallable(work)).map(ConsoleController::json);
	}

	private <T> Mono<T> allowed(Mono<T> answer) {
		return Mono.defer(() -> {
			this.console.access().requireReads();
			return answer;
		}).subscribeOn(this.threads);
	}

	private static ResponseEntity<byte[]> json(Object value) {
		return ResponseEntity.ok()
			.headers(ConsoleRequests::secure)
			.contentType(MediaType.APPLICATION_JSON)
			.body(ConsoleJson.bytes(value));
	}

	record Overview(boolean writeOperations, @Nullable CsrfView csrf, String application, long now,
			List<Summary> reflectors) {

	}

	record TimelineView(long from, long to, List<Timeline.Span> spans, List<Timeline.Mark> marks) {

	}

	/** The user of a request, for audit events. */
	private record User(@Nullable Principal principal) implements SecurityContext {

		@Override
		public @Nullable Principal getPrincipal() {
			return this.principal;
		}

		@Override
		public boolean isUserInRole(String role) {
			return false;
		}

	}

}
