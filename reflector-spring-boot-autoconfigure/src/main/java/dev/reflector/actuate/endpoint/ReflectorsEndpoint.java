package dev.reflector.actuate.endpoint;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.context.ApplicationEventPublisher;

/**
 * {@link Endpoint @Endpoint} that reports the status of the reflectors and runs
 * operations on them: relist, resync, pause, resume, and verify, which compares a mirror
 * with the server. The endpoint shows keys of mirrored objects, for example of objects
 * that differ from the server, but never their content. The endpoint is read-only unless
 * {@code management.endpoint.reflectors.access} is set. Each operation is published as an
 * audit event.
 *
 * @since 0.1.0
 */
// listed here, because the signature of act() does not name these types
@RegisterReflectionForBinding({ ConsistencyDescriptor.class, ReflectorOperations.Refusal.class })
@Endpoint(id = "reflectors", defaultAccess = Access.READ_ONLY)
public final class ReflectorsEndpoint {

	private final Supplier<? extends Stream<? extends Reflector<?>>> reflectors;

	private final Sanitizer sanitizer;

	private final Show showValues;

	private final OperationAudit audit;

	/**
	 * Creates an endpoint that shows all values and publishes no audit events.
	 * @param reflectors supplies the reflectors of the application
	 */
	public ReflectorsEndpoint(Supplier<? extends Stream<? extends Reflector<?>>> reflectors) {
		this(reflectors, new Sanitizer(), Show.ALWAYS, (event) -> {
		});
	}

	/**
	 * Creates the endpoint.
	 * @param reflectors supplies the reflectors of the application
	 * @param sanitizer hides texts that come from the server, and keys of objects
	 * @param showValues which users see the texts and keys that the sanitizer does not
	 * hide
	 * @param publisher publishes the audit events
	 */
	public ReflectorsEndpoint(Supplier<? extends Stream<? extends Reflector<?>>> reflectors, Sanitizer sanitizer,
			Show showValues, ApplicationEventPublisher publisher) {
		this.reflectors = reflectors;
		this.sanitizer = sanitizer;
		this.showValues = showValues;
		this.audit = new OperationAudit(publisher);
	}

	/**
	 * Reports all reflectors.
	 * @return the report
	 */
	@ReadOperation
	public ReflectorsDescriptor reflectors() {
		return reflectors(shownToAnyone());
	}

	ReflectorsDescriptor reflectors(boolean showValues) {
		Map<String, ReflectorDescriptor> descriptors = new LinkedHashMap<>();
		this.reflectors.get()
			.sorted(Comparator.comparing(Reflector::name))
			.forEach((reflector) -> descriptors.put(reflector.name(), describe(reflector, showValues)));
		return new ReflectorsDescriptor(descriptors);
	}

	/**
	 * Reports one reflector.
	 * @param name name of the reflector
	 * @return the report, or {@code null} if there is no reflector of that name
	 */
	@ReadOperation
	public @Nullable ReflectorDescriptor reflector(@Selector String name) {
		return reflector(name, shownToAnyone());
	}

	@Nullable ReflectorDescriptor reflector(String name, boolean showValues) {
		Reflector<?> reflector = find(name);
		return (reflector != null) ? describe(reflector, showValues) : null;
	}

	private ReflectorDescriptor describe(Reflector<?> reflector, boolean showValues) {
		return ReflectorDescriptor.of(reflector, sanitizer(reflector, showValues));
	}

	private ValueSanitizer sanitizer(Reflector<?> reflector, boolean showValues) {
		return new ValueSanitizer(reflector.name(), this.sanitizer, showValues);
	}

	/**
	 * Runs an operation of a reflector. Returns at once, except that {@code verify} waits
	 * up to 25 seconds for the result. If a comparison is in progress, {@code verify}
	 * waits for the result of that comparison.
	 * @param name name of the reflector
	 * @param action {@code relist}, {@code resync}, {@code pause}, {@code resume},
	 * {@code verify} or, for a stopped reflector, {@code reset-snapshot}
	 * @return the status of the reflector after the operation, or the result of
	 * {@code verify}; {@code null} if there is no reflector of that name
	 * @throws InvalidEndpointRequestException if there is no action of that name
	 * @throws IllegalStateException if the reflector is stopped and ignores the
	 * operation, or if the snapshot cannot be reset now
	 */
	@WriteOperation
	public @Nullable OperationResponseBody act(@Selector String name, String action) {
		Mono<Answer> operation = act(SecurityContext.NONE, name, action, shownToAnyone());
		Answer answer = (operation != null) ? operation.block() : null;
		if (answer != null && answer.ignored()) {
			throw new IllegalStateException((answer.body() instanceof ReflectorOperations.Refusal refusal)
					? refusal.message() : "The reflector '" + name + "' is stopped and ignores '" + action + "'");
		}
		return (answer != null) ? answer.body() : null;
	}

	/**
	 * Runs an operation of a reflector.
	 * @param who the user who sent the request
	 * @param name name of the reflector
	 * @param action name of the operation
	 * @param showValues whether the user may see the values that the sanitizer does not
	 * hide
	 * @return a publisher that runs the operation when it is subscribed to, or
	 * {@code null} if there is no reflector of that name. The publisher emits the answer
	 * at once; for {@code verify}, it emits the answer later, on another thread
	 */
	@Nullable Mono<Answer> act(SecurityContext who, String name, String action, boolean showValues) {
		Reflector<?> reflector = find(name);
		if (reflector == null) {
			return null;
		}
		Consumer<String> audit = (outcome) -> this.audit.performed(who, name, action, outcome);
		ValueSanitizer sanitizer = sanitizer(reflector, showValues);
		if (action.equals(ReflectorOperations.VERIFY)) {
			return Mono.defer(() -> ReflectorOperations.verify(reflector, sanitizer, audit))
				.map((result) -> new Answer(result, false));
		}
		Function<Reflector<?>, ReflectorOperations.Outcome> operation = ReflectorOperations.named(action, sanitizer);
		return Mono.fromCallable(() -> answer(reflector, operation, audit, sanitizer));
	}

	private static Answer answer(Reflector<?> reflector, Function<Reflector<?>, ReflectorOperations.Outcome> operation,
			Consumer<String> audit, ValueSanitizer sanitizer) {
		String audited = OperationAudit.FAILED;
		try {
			ReflectorOperations.Outcome outcome = operation.apply(reflector);
			audited = outcome.name();
			OperationResponseBody body = outcome.body();
			return new Answer((body != null) ? body : ReflectorDescriptor.of(reflector, sanitizer),
					outcome == ReflectorOperations.Outcome.IGNORED || body instanceof ReflectorOperations.Refusal);
		}
		finally {
			audit.accept(audited);
		}
	}

	private boolean shownToAnyone() {
		return this.showValues.isShown(SecurityContext.NONE, Set.of());
	}

	private @Nullable Reflector<?> find(String name) {
		return this.reflectors.get()
			.filter((reflector) -> reflector.name().equals(name))
			.findFirst()
			.<Reflector<?>>map((reflector) -> reflector)
			.orElse(null);
	}

	/**
	 * Answer to an operation.
	 *
	 * @param body status of the reflector, result of the comparison, or reason for a
	 * refusal
	 * @param ignored whether the operation had no effect
	 */
	record Answer(OperationResponseBody body, boolean ignored) {

		private static final int STATUS_CONFLICT = 409;

		WebEndpointResponse<OperationResponseBody> response() {
			return new WebEndpointResponse<>(this.body, this.ignored ? STATUS_CONFLICT : WebEndpointResponse.STATUS_OK);
		}

	}

	/**
	 * The reflectors of the application.
	 *
	 * @param reflectors the reports, by the name of the reflector
	 */
	public record ReflectorsDescriptor(Map<String, ReflectorDescriptor> reflectors) implements OperationResponseBody {

	}

}
