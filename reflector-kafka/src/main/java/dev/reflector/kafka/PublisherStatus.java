package dev.reflector.kafka;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The state of a publisher at a moment.
 *
 * @param added how many records of additions the broker has acknowledged
 * @param updated how many records of updates
 * @param deleted how many records of deletions
 * @param retried how often a record was sent again
 * @param refused how many records can never be accepted, and were passed over or have
 * stopped the delivery
 * @param inFlight how many records were sent and are not acknowledged
 * @param waitingSince since when the oldest change waits for its acknowledgement,
 * {@code null} when none does
 * @param acknowledgedAt when the broker has last acknowledged a record, {@code null} when
 * it never has
 * @param lastError what has failed last, {@code null} for nothing
 * @since 0.1.0
 */
public record PublisherStatus(long added, long updated, long deleted, long retried, long refused, int inFlight,
		@Nullable Instant waitingSince, @Nullable Instant acknowledgedAt, @Nullable Failure lastError) {

	/**
	 * A failure to publish.
	 *
	 * @param at when it was noticed
	 * @param reason name of the exception
	 * @param message what happened, human-readable
	 */
	public record Failure(Instant at, String reason, String message) {

	}

}
