package dev.reflector.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * {@link Endpoint @Endpoint} that reports the publishers to Kafka. It shows no content of
 * objects.
 *
 * @since 0.1.0
 */
@Endpoint(id = "reflectorkafka", defaultAccess = Access.READ_ONLY)
public final class KafkaPublishersEndpoint {

	private final KafkaPublishers publishers;

	/**
	 * Creates the endpoint.
	 * @param publishers the publishers of the application
	 */
	public KafkaPublishersEndpoint(KafkaPublishers publishers) {
		this.publishers = publishers;
	}

	/**
	 * Reports all publishers.
	 * @return the report
	 */
	@ReadOperation
	public Report publishers() {
		Map<String, Entry> entries = new LinkedHashMap<>();
		this.publishers.all().forEach((publisher) -> entries.put(publisher.reflector(), Entry.of(publisher)));
		return new Report(entries);
	}

	/**
	 * Reports one publisher.
	 * @param reflector name of the publisher's reflector
	 * @return the report, or {@code null} if there is no such publisher
	 */
	@ReadOperation
	public @Nullable Entry publisher(@Selector String reflector) {
		return this.publishers.all()
			.stream()
			.filter((publisher) -> publisher.reflector().equals(reflector))
			.findFirst()
			.map(Entry::of)
			.orElse(null);
	}

	/**
	 * The report on all publishers.
	 *
	 * @param publishers the reports, by the name of the publisher's reflector
	 */
	public record Report(Map<String, Entry> publishers) implements OperationResponseBody {

	}

	/**
	 * The report on one publisher.
	 *
	 * @param topic name of the topic
	 * @param stopped whether a record that can never be accepted has stopped the delivery
	 * @param inFlight number of records that were sent but are not acknowledged
	 * @param lag how long the oldest change has been waiting for its acknowledgement
	 * @param acknowledgedAt when a record was last acknowledged
	 * @param published how many records were acknowledged
	 * @param retried how often a record was sent again
	 * @param refused how many records can never be accepted
	 * @param lastError the last failure
	 */
	public record Entry(String topic, boolean stopped, int inFlight, Duration lag, @Nullable Instant acknowledgedAt,
			Published published, long retried, long refused,
			PublisherStatus.@Nullable Failure lastError) implements OperationResponseBody {

		static Entry of(KafkaPublisher<?> publisher) {
			PublisherStatus status = publisher.status();
			return new Entry(publisher.topic(), publisher.isStopped(), status.inFlight(), publisher.lag(),
					status.acknowledgedAt(), new Published(status.added(), status.updated(), status.deleted()),
					status.retried(), status.refused(), status.lastError());
		}

	}

	/**
	 * How many records were acknowledged.
	 *
	 * @param added of additions
	 * @param updated of updates
	 * @param deleted of deletions
	 */
	public record Published(long added, long updated, long deleted) {

	}

}
