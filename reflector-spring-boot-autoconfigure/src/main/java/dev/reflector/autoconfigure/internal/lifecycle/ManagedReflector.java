package dev.reflector.autoconfigure.internal.lifecycle;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.reflector.Reflector;
import dev.reflector.cache.informer.SharedInformer;

import org.springframework.core.metrics.ApplicationStartup;
import org.springframework.core.metrics.StartupStep;

/**
 * A reflector that the application context starts and stops.
 *
 * @param reflector the reflector
 * @param starter starts the reflector
 * @param stopper stops the reflector, and returns a stage that completes when its threads
 * have ended
 */
public record ManagedReflector(Reflector<?> reflector, Runnable starter, Supplier<CompletionStage<Void>> stopper) {

	/**
	 * Creates a managed reflector that starts and stops a reflector.
	 * @param informer the reflector
	 * @return the managed reflector
	 */
	public static ManagedReflector of(SharedInformer<?> informer) {
		return new ManagedReflector(informer, informer::start, informer::stop);
	}

	/**
	 * Returns a managed reflector whose start is recorded as a step of the start of the
	 * application.
	 * @param startup records the step
	 * @return a managed reflector that records its start
	 */
	public ManagedReflector recordedBy(ApplicationStartup startup) {
		return new ManagedReflector(this.reflector, () -> {
			StartupStep step = startup.start("reflector.start").tag("reflector", this.reflector.name());
			try {
				this.starter.run();
			}
			finally {
				step.end();
			}
		}, this.stopper);
	}

}
