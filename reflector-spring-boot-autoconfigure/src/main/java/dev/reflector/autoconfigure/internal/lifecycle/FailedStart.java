package dev.reflector.autoconfigure.internal.lifecycle;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits how long a replica may take to hand over its slots or its lead if the start of
 * the application has failed.
 */
final class FailedStart {

	private static final Logger logger = LoggerFactory.getLogger(FailedStart.class);

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private FailedStart() {
	}

	/**
	 * Limits the time of a handover to 5 seconds.
	 * @param ended completes when the handover has ended
	 * @param what the slots or the lead that should be handed over, for the log
	 * @param abandon gives up the slots or the lead without a handover; called after the
	 * limit
	 * @return a future that completes when the handover has ended, or after the limit
	 */
	static CompletableFuture<Void> limit(CompletionStage<Void> ended, String what, Runnable abandon) {
		return ended.toCompletableFuture()
			.copy()
			.orTimeout(LIMIT.toMillis(), TimeUnit.MILLISECONDS)
			.exceptionally((late) -> {
				logger.warn(
						"The start of the application has failed, and {} could not be handed over within {} ms. "
								+ "Other replicas take over when the Lease of this replica has expired",
						what, LIMIT.toMillis());
				abandon.run();
				return null;
			});
	}

}
