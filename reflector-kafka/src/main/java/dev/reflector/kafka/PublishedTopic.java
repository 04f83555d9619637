package dev.reflector.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topic of a publisher. If the topic is missing, it is created as a compacted topic.
 * A topic that a broker creates automatically would not be compacted.
 */
final class PublishedTopic {

	private static final Logger logger = LoggerFactory.getLogger(KafkaPublisher.class);

	private static final Duration PAUSE = Duration.ofSeconds(2);

	private final String name;

	private final @Nullable NewTopic wanted;

	private final Map<String, Object> admin;

	private final Duration timeout;

	private volatile boolean ready;

	/**
	 * The facts of the topic to which all objects were published. Guarded by this object.
	 */
	private @Nullable TopicFacts complete;

	/** The facts of the topic at the last check. Guarded by this object. */
	private @Nullable TopicFacts present;

	private volatile @Nullable String problem;

	/**
	 * Describes a topic.
	 * @param name name of the topic
	 * @param wanted how to create the topic, or {@code null} not to create it
	 * @param admin settings of Kafka's admin client
	 * @param timeout how long to wait for the broker
	 */
	PublishedTopic(String name, @Nullable NewTopic wanted, Map<String, Object> admin, Duration timeout) {
		this.name = name;
		this.wanted = wanted;
		this.admin = new HashMap<>(admin);
		this.admin.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) timeout.toMillis());
		this.admin.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) timeout.toMillis());
		this.timeout = timeout;
	}

	/** Describes how to create a compacted topic. */
	static NewTopic compacted(String name, @Nullable Integer partitions, @Nullable Short replicationFactor) {
		return new NewTopic(name, Optional.ofNullable(partitions), Optional.ofNullable(replicationFactor))
			.configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT));
	}

	/**
	 * Creates the topic if it does not exist.
	 * @return the failure if the broker was not reached, or {@code null} if the topic
	 * exists
	 * @throws KafkaTopicException if the topic does not exist and cannot be created
	 */
	@Nullable Throwable check() throws InterruptedException {
		try (Admin client = client()) {
			TopicFacts facts = facts(client);
			if (facts == null) {
				facts = make(client);
			}
			if (facts != null) {
				warnOfPolicy(facts);
				note(facts);
			}
			this.ready = true;
			return null;
		}
		catch (TimeoutException ex) {
			return ex;
		}
		catch (ExecutionException ex) {
			Throwable cause = (ex.getCause() != null) ? ex.getCause() : ex;
			if (cause instanceof RetriableException) {
				return cause;
			}
			throw new KafkaTopicException("The Kafka topic '" + this.name + "' cannot be looked up: " + cause,
					"Correct the settings of the brokers and of their security under 'spring.kafka', or the "
							+ "name of the topic at " + "'reflector.publish.kafka.topics'.",
					cause);
		}
	}

	private Admin client() {
		try {
			return Admin.create(this.admin);
		}
		catch (KafkaException ex) {
			throw new KafkaTopicException("Kafka's client cannot be made: " + ErrorMessages.of(ex),
					"Correct the settings of the brokers and of their security under 'spring.kafka'.", ex);
		}
	}

	private @Nullable TopicFacts facts(Admin client) throws ExecutionException, InterruptedException, TimeoutException {
		try {
			return TopicFacts.read(client, this.name, this.timeout);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof UnknownTopicOrPartitionException) {
				return null;
			}
			throw ex;
		}
	}

	/**
	 * Creates the topic. Returns its facts, or {@code null} if they are not known yet.
	 */
	private @Nullable TopicFacts make(Admin client) throws ExecutionException, InterruptedException, TimeoutException {
		if (this.wanted == null) {
			throw new KafkaTopicException(
					"The Kafka topic '" + this.name + "' does not exist, and is not created, because "
							+ "'reflector.publish.kafka.create-topics' is false.",
					"Make the topic with 'cleanup.policy=compact', or correct its name at "
							+ "'reflector.publish.kafka.topics'.",
					null);
		}
		try {
			CreateTopicsResult result = client.createTopics(List.of(this.wanted));
			get(result.all());
			logger.info("Created the compacted Kafka topic '{}'", this.name);
			return new TopicFacts(get(result.topicId(this.name)), TopicConfig.CLEANUP_POLICY_COMPACT);
		}
		catch (ExecutionException ex) {
			Throwable cause = ex.getCause();
			if (cause instanceof RetriableException) {
				throw ex;
			}
			if (!(cause instanceof TopicExistsException)) {
				throw new KafkaTopicException(
						"The Kafka topic '" + this.name + "' does not exist, and the broker does not create it: " + ""
								+ cause,
						"Make the topic with 'cleanup.policy=compact', or allow this application to create it "
								+ "with 'reflector.publish.kafka.partitions' and '.replication-factor'.",
						cause);
			}
			return facts(client);
		}
	}

	private void warnOfPolicy(TopicFacts facts) {
		if (facts.forgets()) {
			logger.warn(
					"The Kafka topic '{}' has cleanup.policy={}, so objects that have not changed for long may "
							+ "be removed from it. Set cleanup.policy=compact, which mirrors of the topic need",
					this.name, facts.shownPolicy());
		}
	}

	/**
	 * Checks whether the topic is still the one to which all objects were published, and
	 * was not deleted and made again.
	 * @return what was wrong with the topic according to the broker's most recent answer,
	 * or {@code null} if nothing was wrong
	 */
	@Nullable String look() throws InterruptedException {
		if (!this.ready) {
			return null;
		}
		try (Admin client = Admin.create(this.admin)) {
			TopicFacts facts = facts(client);
			if (facts != null) {
				note(facts);
			}
			else {
				noteDeleted();
			}
		}
		catch (ExecutionException | TimeoutException | KafkaException ex) {
			logger.debug("The Kafka topic '{}' cannot be looked up", this.name, ex);
		}
		return this.problem;
	}

	private synchronized void note(TopicFacts facts) {
		this.present = facts;
		if (this.complete == null) {
			this.complete = facts;
		}
		this.problem = facts.problem(this.complete);
	}

	private synchronized void noteDeleted() {
		this.present = null;
		this.problem = "was deleted";
	}

	/**
	 * Returns what was wrong with the topic at the last check, or {@code null} if nothing
	 * was wrong.
	 */
	@Nullable String problem() {
		return this.problem;
	}

	/** Called when all objects are being published again, to the current topic. */
	void publishedAgain() {
		if (this.problem != null) {
			acceptPresent();
		}
	}

	private synchronized void acceptPresent() {
		TopicFacts facts = this.present;
		if (facts != null) {
			this.complete = facts;
			this.problem = facts.problem(facts);
		}
	}

	/**
	 * Returns how many records were written to the topic since it was made. Waits until
	 * the broker answers.
	 * @param failures receives each failure to ask the broker
	 * @param ended returns whether to give up
	 * @return the number, or {@code null} if this was given up
	 * @throws InterruptedException if the thread is interrupted
	 */
	@Nullable Long awaitWritten(Consumer<Throwable> failures, BooleanSupplier ended) throws InterruptedException {
		while (!ended.getAsBoolean()) {
			try (Admin client = client()) {
				return written(client);
			}
			catch (ExecutionException ex) {
				failures.accept((ex.getCause() != null) ? ex.getCause() : ex);
			}
			catch (TimeoutException | KafkaTopicException ex) {
				failures.accept(ex);
			}
			// the pause before the next attempt, on a thread of the publisher
			Thread.sleep(PAUSE.toMillis());
		}
		return null;
	}

	private long written(Admin client) throws ExecutionException, InterruptedException, TimeoutException {
		TopicDescription topic = Objects
			.requireNonNull(get(client.describeTopics(List.of(this.name)).allTopicNames()).get(this.name));
		Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
		topic.partitions()
			.forEach((info) -> ends.put(new TopicPartition(this.name, info.partition()), OffsetSpec.latest()));
		return get(client.listOffsets(ends).all()).values()
			.stream()
			.mapToLong(ListOffsetsResult.ListOffsetsResultInfo::offset)
			.sum();
	}

	private <V> V get(KafkaFuture<V> answer) throws ExecutionException, InterruptedException, TimeoutException {
		return answer.get(this.timeout.toMillis(), TimeUnit.MILLISECONDS);
	}

	boolean isReady() {
		return this.ready;
	}

	/**
	 * Waits until the topic exists.
	 * @param failures receives each failure to find or create the topic
	 * @throws InterruptedException if the thread is interrupted
	 */
	void await(Consumer<Throwable> failures) throws InterruptedException {
		while (!this.ready) {
			Throwable failure;
			try {
				failure = check();
			}
			catch (KafkaTopicException ex) {
				failure = ex;
			}
			if (failure != null) {
				failures.accept(failure);
				// the pause before the next attempt, on a thread of the publisher
				Thread.sleep(PAUSE.toMillis());
			}
		}
	}

}
