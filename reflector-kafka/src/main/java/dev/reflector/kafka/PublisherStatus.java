package dev.reflector.kafka;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The state of a publisher at one moment.
 *
 * @param added how many records of additions the broker has acknowledged
 * @param updated how many records of updates the broker has acknowledged
 * @param deleted how many records of deletions the broker has acknowledged
 * @param retried how often a record was sent again
 * @param refused how many records could never be accepted, and were therefore skipped or
 * have stopped the delivery
 * @param inFlight how many records are in flight without an acknowledgement
 * @param waitingSince the time since which the oldest change has been waiting for its
 * acknowledgement, or {@code null} if no change is waiting
 * @param acknowledgedAt when the broker last acknowledged a record, or {@code null} if it
 * never has
 * @param lastError the last failure, or {@code null} for none
 * @since 0.1.0
 */
public record PublisherStatus(long added, long updated, long deleted, long retried, long refused, int inFlight,
		@Nullable Instant waitingSince, @Nullable Instant acknowledgedAt, @Nullable Failure lastError) {

	/**
	 * A failure to publish.
	 *
	 * @param at when the failure was noticed
	 * @param reason name of the exception
	 * @param message what happened, human-readable
	 */
	public record Failure(Instant at, String reason, String message) {

	}

}
