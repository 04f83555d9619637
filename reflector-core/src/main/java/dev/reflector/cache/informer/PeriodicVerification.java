package dev.reflector.cache.informer;

import java.time.Duration;

import dev.reflector.ConsistencyReport;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Periodically compares the mirror with the server, and requests a new list when they
 * differ.
 *
 * @param <T> the type of the objects
 */
final class PeriodicVerification<T> {

	private static final Runnable NOTHING = () -> {
	};

	private final Verifier<T> verifier;

	private final Duration period;

	private final TimeSource time;

	private @Nullable Run<T> run;

	private Runnable timer = NOTHING;

	PeriodicVerification(Duration period, TimeSource time, Verifier<T> verifier) {
		this.period = period;
		this.time = time;
		this.verifier = verifier;
	}

	/** Starts the periodic verification for a run of the reflector. */
	synchronized void begin(Run<T> run) {
		end();
		this.run = run;
		schedule(run);
	}

	synchronized void end() {
		this.run = null;
		this.timer.run();
		this.timer = NOTHING;
	}

	private synchronized void schedule(Run<T> run) {
		if (this.run == run && !this.period.isZero()) {
			this.timer = this.time.schedule(this.period, () -> verify(run));
		}
	}

	private void verify(Run<T> run) {
		this.verifier.verify(run).whenComplete((report, error) -> {
			if (report != null && report.result() == ConsistencyReport.Result.DIFFERENT) {
				run.repair();
			}
			schedule(run);
		});
	}

}
