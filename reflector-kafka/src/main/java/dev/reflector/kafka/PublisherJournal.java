package dev.reflector.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

import dev.reflector.PrintableText;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.Change;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what happens to the records of a publisher: counts, the last error, and one log
 * line for each change an operator should see. Thread-safe.
 */
final class PublisherJournal {

	private static final Logger logger = LoggerFactory.getLogger(KafkaPublisher.class);

	private final String reflector;

	private final String topic;

	private final TimeSource time;

	private final Map<Change.Type, LongAdder> acknowledged = new EnumMap<>(Change.Type.class);

	private final LongAdder retried = new LongAdder();

	private final LongAdder refused = new LongAdder();

	private volatile @Nullable Instant acknowledgedAt;

	private volatile PublisherStatus.@Nullable Failure lastError;

	/**
	 * The logged problem of the topic, or {@code null} if there is none or it was solved.
	 * Used by one thread.
	 */
	private @Nullable String reportedProblem;

	/**
	 * Whether a record has failed since the last acknowledgement. Only the first failure
	 * after an acknowledgement is logged.
	 */
	private volatile boolean failing;

	PublisherJournal(String reflector, String topic, TimeSource time) {
		this.reflector = reflector;
		this.topic = topic;
		this.time = time;
		for (Change.Type type : Change.Type.values()) {
			this.acknowledged.put(type, new LongAdder());
		}
	}

	/** Notes that the broker has acknowledged a record. */
	void acknowledged(Change.Type type) {
		count(type).increment();
		this.acknowledgedAt = this.time.now();
		if (this.failing) {
			this.failing = false;
			logger.atInfo()
				.addKeyValue("reflector", this.reflector)
				.log("Reflector '{}': Kafka accepts records for the topic '{}' again", this.reflector, this.topic);
		}
	}

	/** Returns how many records the broker has acknowledged. */
	long acknowledged() {
		return this.acknowledged.values().stream().mapToLong(LongAdder::sum).sum();
	}

	private LongAdder count(Change.Type type) {
		return Objects.requireNonNull(this.acknowledged.get(type));
	}

	/** Notes that a record is sent again. */
	void retried() {
		this.retried.increment();
	}

	/** Notes a failure after which the same is tried again. */
	void failed(Throwable failure) {
		String message = note(failure);
		if (!this.failing) {
			this.failing = true;
			logger.atWarn()
				.addKeyValue("reflector", this.reflector)
				.log("Reflector '{}': Kafka does not accept records for the topic '{}'. Retrying until it does: "
						+ "{}: {}", this.reflector, this.topic, failure.getClass().getSimpleName(), message);
		}
	}

	/** Notes that a record can never be written, and returns the reason. */
	String refused(Throwable failure) {
		this.refused.increment();
		return note(failure);
	}

	private String note(Throwable failure) {
		String message = PrintableText.of(String.valueOf(failure.getMessage()));
		this.lastError = new PublisherStatus.Failure(this.time.now(), failure.getClass().getSimpleName(), message);
		return message;
	}

	/**
	 * Logs that a record is skipped.
	 * @param subject the record, human-readable
	 * @param message the reason
	 * @param failure the failure of the record
	 */
	void passedOver(Object subject, String message, Throwable failure) {
		logger.atError()
			.addKeyValue("reflector", this.reflector)
			.setCause(failure)
			.log("Reflector '{}': {} is skipped, because it can never be written to the topic '{}': {}", this.reflector,
					PrintableText.of(subject), this.topic, message);
	}

	/**
	 * Logs that the topic lacks objects, so that all are delivered again.
	 * @param written how many records were ever written to the topic
	 */
	void lacking(long written) {
		logger.atInfo()
			.addKeyValue("reflector", this.reflector)
			.log("Reflector '{}': the topic '{}' lacks objects, because only {} records were ever written to it. "
					+ "All objects are delivered again", this.reflector, this.topic, written);
	}

	/**
	 * Notes the problem of the topic. Logs a problem when it is found, and when it is
	 * solved. Called by one thread.
	 * @param problem the problem, or {@code null} if there is none
	 */
	void checked(@Nullable String problem) {
		if (Objects.equals(problem, this.reportedProblem)) {
			return;
		}
		this.reportedProblem = problem;
		if (problem == null) {
			logger.atInfo()
				.addKeyValue("reflector", this.reflector)
				.log("Reflector '{}': the Kafka topic '{}' is correct again", this.reflector, this.topic);
			return;
		}
		String message = "The Kafka topic '" + this.topic + "' " + problem
				+ ". Make sure that it exists with cleanup.policy=compact, and publish all objects again with "
				+ "Reflector.resync(). Then restart the applications that mirror from it";
		this.lastError = new PublisherStatus.Failure(this.time.now(), "TopicChanged", message);
		logger.atError().addKeyValue("reflector", this.reflector).log("Reflector '{}': {}", this.reflector, message);
	}

	/**
	 * Returns the status of the publisher.
	 * @param inFlight how many records are in flight
	 * @param lag how long the oldest change has been waiting, zero if none is
	 * @return the status
	 */
	PublisherStatus status(int inFlight, Duration lag) {
		return new PublisherStatus(count(Change.Type.ADDED).sum(), count(Change.Type.UPDATED).sum(),
				count(Change.Type.DELETED).sum(), this.retried.sum(), this.refused.sum(), inFlight,
				lag.isZero() ? null : this.time.now().minus(lag), this.acknowledgedAt, this.lastError);
	}

}
