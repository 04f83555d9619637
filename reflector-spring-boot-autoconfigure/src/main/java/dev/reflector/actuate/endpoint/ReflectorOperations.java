package dev.reflector.actuate.endpoint;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.snapshot.SnapshotException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The operations of the endpoint, by name.
 */
final class ReflectorOperations {

	static final String VERIFY = "verify";

	/**
	 * Longest time to wait for a comparison; shorter than the request timeout of servlet
	 * containers.
	 */
	private static final Duration VERIFY_TIMEOUT = Duration.ofSeconds(25);

	private ReflectorOperations() {
	}

	/**
	 * Returns an operation by its name, except for {@code verify}.
	 * @param action name of the operation
	 * @param sanitizer hides texts of the answer
	 * @return a function that runs the operation on a reflector
	 * @throws InvalidEndpointRequestException if there is no operation of that name
	 */
	static Function<Reflector<?>, Outcome> named(String action, ValueSanitizer sanitizer) {
		return switch (action) {
			case "relist" -> command(Reflector::relist);
			case "resync" -> command(Reflector::resync);
			case "pause" -> command(Reflector::pause);
			case "resume" -> command(Reflector::resume);
			case "reset-snapshot" -> (reflector) -> resetSnapshot(reflector, sanitizer);
			default -> {
				String reason = "'action' must be one of relist, resync, pause, resume, verify, reset-snapshot";
				throw new InvalidEndpointRequestException(reason, reason);
			}
		};
	}

	/**
	 * Resets the snapshot of a reflector. Refuses this if the reflector is running,
	 * because a running reflector would write the snapshot again.
	 */
	private static Outcome resetSnapshot(Reflector<?> reflector, ValueSanitizer sanitizer) {
		if (!(reflector instanceof SharedInformer<?> informer)) {
			return new Outcome(OperationAudit.IGNORED,
					new Refusal("the reflector '" + reflector.name() + "' has no snapshot"));
		}
		try {
			informer.resetSnapshot();
			return new Outcome(OperationAudit.ACCEPTED, null);
		}
		catch (IllegalStateException ex) {
			return new Outcome(OperationAudit.IGNORED, new Refusal(String.valueOf(ex.getMessage())));
		}
		catch (SnapshotException ex) {
			return new Outcome(OperationAudit.FAILED, new Refusal(sanitizer.message(String.valueOf(ex.getMessage()))));
		}
	}

	/**
	 * Returns a function that runs a command on a reflector. If the reflector is stopped,
	 * the function does not run the command.
	 */
	private static Function<Reflector<?>, Outcome> command(Consumer<Reflector<?>> command) {
		return (reflector) -> {
			if (reflector.state() == ReflectorState.STOPPED) {
				return Outcome.IGNORED;
			}
			command.accept(reflector);
			return new Outcome(OperationAudit.ACCEPTED, null);
		};
	}

	/**
	 * Compares a mirror with the server. If a comparison is in progress, uses the result
	 * of this comparison. No thread waits for the result.
	 * @param reflector the reflector
	 * @param sanitizer hides texts of the comparison
	 * @param audit receives the name of the result when the comparison has ended, even if
	 * all requests that waited for the comparison have timed out
	 * @return the result, or a report that there is no result yet
	 */
	static Mono<OperationResponseBody> verify(Reflector<?> reflector, ValueSanitizer sanitizer,
			Consumer<String> audit) {
		CompletableFuture<ConsistencyDescriptor> comparison;
		try {
			comparison = reflector.verify()
				.handle((report, failure) -> (report != null) ? ConsistencyDescriptor.of(report, sanitizer)
						: ConsistencyDescriptor.notComparable(reflector.name(), "the comparison failed with " + failure,
								sanitizer))
				.toCompletableFuture();
		}
		catch (UnsupportedOperationException ex) {
			comparison = CompletableFuture.completedFuture(ConsistencyDescriptor.notComparable(reflector.name(),
					"this kind of reflector cannot compare", sanitizer));
		}
		CompletableFuture<OperationResponseBody> audited = comparison.thenApply((result) -> {
			audit.accept(result.result().name());
			return result;
		});
		String problem = "no result within " + VERIFY_TIMEOUT.toSeconds() + " s; the comparison continues, and another "
				+ "'verify' waits for its result";
		return Mono.fromFuture(audited, true)
			.timeout(VERIFY_TIMEOUT,
					Mono.fromSupplier(() -> ConsistencyDescriptor.notComparable(reflector.name(), problem, sanitizer)));
	}

	/**
	 * Result of an operation.
	 *
	 * @param name name of the result, for the audit event
	 * @param body the answer, or {@code null} to answer with the status of the reflector
	 */
	record Outcome(String name, @Nullable OperationResponseBody body) {

		static final Outcome IGNORED = new Outcome(OperationAudit.IGNORED, null);

	}

	/**
	 * Answer to an operation that cannot be carried out now.
	 *
	 * @param message why the operation cannot be carried out, and what to do
	 */
	record Refusal(String message) implements OperationResponseBody {

	}

}
