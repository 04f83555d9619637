package dev.reflector.kafka;

import java.time.Duration;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.Status;

/**
 * Health of the publishers, by the name of their reflector:
 * <ul>
 * <li>{@code DOWN}: a record has waited for its acknowledgement for longer than a
 * threshold, or a record that can never be accepted has stopped the delivery, or the
 * topic was deleted, made again, or is not compacted;</li>
 * <li>{@code UP}.</li>
 * </ul>
 * The health check sends no request to the broker.
 */
final class KafkaPublishersHealth implements CompositeHealthContributor {

	private final KafkaPublishers publishers;

	private final Duration threshold;

	KafkaPublishersHealth(KafkaPublishers publishers, Duration threshold) {
		this.publishers = publishers;
		this.threshold = threshold;
	}

	@Override
	public @Nullable HealthContributor getContributor(String name) {
		return this.publishers.all()
			.stream()
			.filter((publisher) -> publisher.reflector().equals(name))
			.findFirst()
			.map(Indicator::new)
			.orElse(null);
	}

	@Override
	public Stream<Entry> stream() {
		return this.publishers.all()
			.stream()
			.map((publisher) -> new Entry(publisher.reflector(), new Indicator(publisher)));
	}

	/** Health of one publisher. */
	private final class Indicator extends AbstractHealthIndicator {

		private final KafkaPublisher<?> publisher;

		Indicator(KafkaPublisher<?> publisher) {
			this.publisher = publisher;
		}

		@Override
		protected void doHealthCheck(Health.Builder builder) {
			PublisherStatus status = this.publisher.status();
			boolean failing = this.publisher.lag().compareTo(KafkaPublishersHealth.this.threshold) > 0
					|| this.publisher.isStopped() || this.publisher.topicProblem() != null;
			builder.status(failing ? Status.DOWN : Status.UP)
				.withDetail("topic", this.publisher.topic())
				.withDetail("inFlight", status.inFlight());
			if (this.publisher.topicProblem() != null) {
				builder.withDetail("topicProblem", this.publisher.topicProblem());
			}
			if (status.waitingSince() != null) {
				builder.withDetail("waitingSince", status.waitingSince());
			}
			if (status.acknowledgedAt() != null) {
				builder.withDetail("acknowledgedAt", status.acknowledgedAt());
			}
			if (status.lastError() != null) {
				builder.withDetail("lastError", status.lastError());
			}
		}

	}

}
