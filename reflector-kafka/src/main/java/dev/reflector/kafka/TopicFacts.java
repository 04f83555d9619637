package dev.reflector.kafka;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.reflector.PrintableText;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Facts that distinguish a topic from another topic of the same name, and from a topic
 * that forgets objects.
 *
 * @param id identity of the topic
 * @param policy {@code cleanup.policy} of the topic, or {@code null} if this application
 * may not read it
 */
record TopicFacts(Uuid id, @Nullable String policy) {

	private static final Logger logger = LoggerFactory.getLogger(TopicFacts.class);

	/**
	 * Reads the facts from the broker.
	 * @throws ExecutionException if the topic does not exist or cannot be looked up
	 * @throws TimeoutException if the broker does not answer
	 */
	static TopicFacts read(Admin client, String topic, Duration timeout)
			throws ExecutionException, InterruptedException, TimeoutException {
		Uuid id = Objects
			.requireNonNull(client.describeTopics(List.of(topic))
				.allTopicNames()
				.get(timeout.toMillis(), TimeUnit.MILLISECONDS)
				.get(topic))
			.topicId();
		return new TopicFacts(id, policy(client, topic, timeout));
	}

	private static @Nullable String policy(Admin client, String topic, Duration timeout)
			throws ExecutionException, InterruptedException, TimeoutException {
		try {
			ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
			ConfigEntry policy = Objects
				.requireNonNull(client.describeConfigs(List.of(resource))
					.all()
					.get(timeout.toMillis(), TimeUnit.MILLISECONDS)
					.get(resource))
				.get(TopicConfig.CLEANUP_POLICY_CONFIG);
			return (policy != null) ? policy.value() : null;
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RetriableException) {
				throw ex;
			}
			logger.debug("The configuration of the Kafka topic '{}' cannot be read", topic, ex);
			return null;
		}
	}

	/** Whether the topic may lose objects that have not changed for a long time. */
	boolean forgets() {
		return this.policy != null && !TopicConfig.CLEANUP_POLICY_COMPACT.equals(this.policy);
	}

	/** Returns the policy as text that is safe to print. */
	String shownPolicy() {
		return PrintableText.of(String.valueOf(this.policy));
	}

	/** Whether the topic was deleted and created again since an earlier check. */
	boolean isOther(@Nullable TopicFacts before) {
		return before != null && !before.id().equals(this.id);
	}

	/**
	 * Returns what is wrong with the topic.
	 * @param before the facts of an earlier check, or {@code null} for the first check
	 * @return the problem, or {@code null} for none
	 */
	@Nullable String problem(@Nullable TopicFacts before) {
		String policy = "cleanup.policy=" + shownPolicy();
		if (before != null && isOther(before)) {
			return "was deleted and made again" + (forgets() ? ", with " + policy : "") + " (its id is " + this.id
					+ ", and was " + before.id() + "), so it may lack objects";
		}
		boolean compacted = this.policy == null
				|| Arrays.asList(this.policy.split("\\s*,\\s*")).contains(TopicConfig.CLEANUP_POLICY_COMPACT);
		boolean other = before != null && before.policy() != null && this.policy != null && forgets()
				&& !before.policy().equals(this.policy);
		return (!compacted || other) ? "has " + policy + ", so objects that have not changed for long vanish from it"
				: null;
	}

}
