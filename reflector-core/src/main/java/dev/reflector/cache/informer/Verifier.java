package dev.reflector.cache.informer;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.reflector.ConsistencyReport.Result;
import dev.reflector.ConsistencyReport.Scope;
import dev.reflector.ConsistencyReport;
import dev.reflector.PrintableText;
import dev.reflector.cache.internal.loop.LoopSetup;
import dev.reflector.cache.internal.store.SkippedVersions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Runs the {@link Verification}s of a reflector, one at a time, and reports their results
 * to the log and the observer.
 *
 * @param <T> the type of the objects
 */
final class Verifier<T> {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private static final int SHOWN = 5;

	private final String name;

	private final List<@Nullable String> scopes;

	private final LoopSetup<T> setup;

	private final SkippedVersions skipped;

	private final Supplier<@Nullable Object> share;

	private @Nullable CompletableFuture<ConsistencyReport> present;

	/**
	 * Creates a verifier.
	 * @param name the name of the reflector
	 * @param scopes the namespaces, each with its own loop; a single {@code null} means
	 * all namespaces
	 * @param setup contains the source to compare with
	 * @param skipped the objects that are not in the mirror because they could not be
	 * read
	 * @param share returns the mirrored share, always the same instance for the same
	 * share; {@code null} while the mirror does not contain all of the share
	 */
	Verifier(String name, List<@Nullable String> scopes, LoopSetup<T> setup, SkippedVersions skipped,
			Supplier<@Nullable Object> share) {
		this.share = share;
		this.name = name;
		this.scopes = scopes;
		this.setup = setup;
		this.skipped = skipped;
	}

	/**
	 * Begins a verification, or joins the one in progress.
	 * @param run the current run of the reflector, or {@code null}
	 * @return a stage that completes with the report
	 */
	CompletionStage<ConsistencyReport> verify(@Nullable Run<T> run) {
		CompletableFuture<ConsistencyReport> result = new CompletableFuture<>();
		synchronized (this) {
			CompletableFuture<ConsistencyReport> inProgress = this.present;
			if (inProgress != null && !inProgress.isDone()) {
				return inProgress.minimalCompletionStage();
			}
			this.present = result;
		}
		begin(run, result);
		return result.minimalCompletionStage();
	}

	private void begin(@Nullable Run<T> run, CompletableFuture<ConsistencyReport> result) {
		AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
		CompletableFuture<Void> ended;
		try {
			ended = (run != null) ? run.runBeside("verify", () -> outcome.set(verification(run))) : null;
		}
		catch (Throwable ex) {
			complete(result, none("there is no thread for it: " + ex.getClass().getSimpleName()));
			return;
		}
		if (ended == null) {
			complete(result, none((run == null || run.stopping()) ? "the reflector does not run"
					: "the reflector has not started yet"));
			return;
		}
		// completes after the thread has ended, because a caller that has the result may
		// wait for the end of the reflector
		ended.whenComplete((nothing, error) -> {
			Outcome there = outcome.get();
			complete(result, (there != null) ? there : none("it failed"));
		});
	}

	private Outcome verification(Run<T> run) {
		try {
			Object share = this.share.get();
			if (share == null) {
				return none("not all objects of its slots are mirrored yet");
			}
			List<Scope> compared = new Verification<>(this.setup, run, this.skipped).compare(this.scopes);
			return (share == this.share.get()) ? new Outcome(report(compared), null)
					: none("its slots have changed since");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return none("it was interrupted");
		}
		catch (Throwable ex) {
			return new Outcome(none("it failed with " + ex.getClass().getName()).report(), ex);
		}
	}

	private void complete(CompletableFuture<ConsistencyReport> result, Outcome outcome) {
		try {
			if (outcome.failure() != null) {
				logger.atWarn()
					.addKeyValue("reflector", this.name)
					.setCause(outcome.failure())
					.log("Reflector '{}': the mirror could not be compared with the server", this.name);
			}
			outcome.report().scopes().forEach(this::log);
			this.setup.observer().verified(outcome.report());
		}
		finally {
			result.complete(outcome.report());
		}
	}

	private Outcome none(String message) {
		return new Outcome(report(List.of(Scope.notComparable(null, "", message))), null);
	}

	private ConsistencyReport report(List<Scope> scopes) {
		return new ConsistencyReport(this.name, this.setup.time().now(), scopes);
	}

	private void log(Scope scope) {
		String where = (scope.namespace() != null) ? " in namespace " + scope.namespace() : "";
		if (scope.result() == Result.DIFFERENT) {
			line(Level.WARN, scope).log(
					"Reflector '{}': the mirror differs from the server at resource version {}{}: {} objects "
							+ "are missing, {} exist only in the mirror, {} have another version ({} compared; {})",
					this.name, PrintableText.of(scope.resourceVersion()), where, scope.missing(), scope.surplus(),
					scope.different(), scope.compared(), examples(scope));
		}
		else if (scope.result() == Result.NOT_COMPARABLE) {
			line(Level.INFO, scope).log("Reflector '{}': the mirror cannot be compared with the server now{}: {}",
					this.name, where, PrintableText.of(scope.message()));
		}
		else {
			line(Level.INFO, scope).log(
					"Reflector '{}': the mirror equals the server at resource version {}{}: {} objects "
							+ "compared, {} of them skipped",
					this.name, PrintableText.of(scope.resourceVersion()), where, scope.compared(), scope.skipped());
		}
	}

	private LoggingEventBuilder line(Level level, Scope scope) {
		LoggingEventBuilder line = logger.atLevel(level)
			.addKeyValue("reflector", this.name)
			.addKeyValue("reason", scope.result());
		line = (scope.namespace() != null) ? line.addKeyValue("namespace", scope.namespace()) : line;
		return scope.resourceVersion().isEmpty() ? line
				: line.addKeyValue("resourceVersion", PrintableText.of(scope.resourceVersion()));
	}

	private static String examples(Scope scope) {
		return scope.differences()
			.stream()
			.limit(SHOWN)
			.map((difference) -> difference.kind() + " " + difference.key())
			.collect(Collectors.joining(", "));
	}

	/** The report of a verification, and its failure. */
	private record Outcome(ConsistencyReport report, @Nullable Throwable failure) {

	}

}
