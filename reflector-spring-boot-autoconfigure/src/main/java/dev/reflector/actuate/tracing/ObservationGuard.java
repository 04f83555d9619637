package dev.reflector.actuate.tracing;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Catches what conventions and observation handlers throw, so that it affects neither
 * lists nor deliveries. The first failure is logged.
 */
final class ObservationGuard {

	private static final Logger logger = LoggerFactory.getLogger(ObservationGuard.class);

	private final String reflector;

	private final AtomicBoolean failed = new AtomicBoolean();

	ObservationGuard(String reflector) {
		this.reflector = reflector;
	}

	/**
	 * Starts an observation.
	 * @param observations creates the observation
	 * @return the observation, or one that does nothing if it cannot be started
	 */
	Observation start(Supplier<Observation> observations) {
		Observation observation = Observation.NOOP;
		try {
			observation = observations.get();
			observation.start();
			return observation;
		}
		catch (Throwable ex) {
			failed(ex);
			// ends what handlers have begun before the failure
			run(observation::stop);
			return Observation.NOOP;
		}
	}

	/**
	 * Makes the observation the current one.
	 * @param observation the observation
	 * @return the scope, or one that does nothing if it cannot be opened
	 */
	Observation.Scope open(Observation observation) {
		try {
			return observation.openScope();
		}
		catch (Throwable ex) {
			failed(ex);
			return Observation.Scope.NOOP;
		}
	}

	void run(Runnable call) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			failed(ex);
		}
	}

	private void failed(Throwable failure) {
		if (this.failed.compareAndSet(false, true)) {
			logger.warn("Reflector '{}': an observation has failed. The reflector continues. Later failures of its "
					+ "observations are not logged", this.reflector, failure);
		}
	}

}
