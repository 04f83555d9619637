package dev.reflector.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ConnectionException;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.TypeNotServedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

import org.springframework.kafka.core.ConsumerFactory;

/**
 * Reads a topic on a separate thread, until the reading is ended. Failures are reported
 * as exceptions of the engine.
 */
final class TopicReading {

	private final ConsumerFactory<?, ?> consumers;

	private final String topic;

	/** Guarded by this object, like {@code ended}. */
	private @Nullable TopicReader reader;

	private boolean ended;

	/**
	 * The topic from which the mirror was filled, or {@code null} before it was filled.
	 */
	private final AtomicReference<@Nullable TopicFacts> mirrored;

	private @Nullable TopicFacts facts;

	private long factsAt;

	private long beganAt;

	TopicReading(ConsumerFactory<?, ?> consumers, String topic, AtomicReference<@Nullable TopicFacts> mirrored) {
		this.consumers = consumers;
		this.topic = topic;
		this.mirrored = mirrored;
	}

	/**
	 * Starts a task on a new thread.
	 * @param task reads the topic until the reading is ended
	 * @param failures receives the failure of the task; not called after the reading was
	 * ended
	 */
	void begin(Runnable task, Consumer<Throwable> failures) {
		Thread thread = new Thread(() -> run(task, failures), "reflector-kafka-" + this.topic);
		thread.setDaemon(true);
		thread.start();
	}

	private void run(Runnable task, Consumer<Throwable> failures) {
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			if (!isEnded()) {
				failures.accept(explained(ex));
			}
		}
		finally {
			close();
		}
	}

	/**
	 * Opens the topic.
	 * @param position the position at which to continue, {@link TopicPosition#NONE} to
	 * read from the beginning
	 */
	void open(TopicPosition position) {
		TopicReader reader = new TopicReader(this.consumers, this.topic);
		synchronized (this) {
			this.reader = reader;
			if (this.ended) {
				reader.wakeUp();
			}
		}
		if (!reader.open()) {
			throw new UnknownTopicOrPartitionException("it has no partitions");
		}
		requireSameTopic(reader);
		if (position.isNone()) {
			reader.toBeginning();
		}
		else if (!reader.to(position.offsets())) {
			throw expired(this.topic, "it has other partitions than before");
		}
		this.beganAt = now();
	}

	/**
	 * Fails if the topic was deleted and made again, or is not compacted. Such a topic
	 * may lack objects that were not deleted.
	 */
	private void requireSameTopic(TopicReader reader) {
		TopicFacts facts = reader.facts();
		TopicFacts before = this.mirrored.get();
		String problem = facts.problem(before);
		if (problem != null) {
			throw refused("TopicChanged",
					"The Kafka topic '" + this.topic + "' " + problem + ". This mirror keeps the objects that it has. "
							+ "Set cleanup.policy=compact, have the publisher publish all objects again "
							+ "(Reflector.resync())"
							+ (facts.isOther(before) ? ", and then restart this application" : ""));
		}
		this.facts = facts;
		this.factsAt = now();
	}

	/** Checks the topic, as often as clients refresh their metadata. */
	void checkTopic() {
		if (now() - this.factsAt >= reader().metadataAge().toNanos()) {
			requireSameTopic(reader());
		}
	}

	/** Notes that the mirror is filled from this topic. */
	void mirrored() {
		this.mirrored.compareAndSet(null, this.facts);
	}

	private TopicReader reader() {
		synchronized (this) {
			if (this.reader == null) {
				throw new IllegalStateException("the topic was not opened");
			}
			return this.reader;
		}
	}

	/** Reads up to the current end of the topic. */
	void toPresentEnd(Consumer<ConsumerRecord<String, byte[]>> records) {
		reader().toPresentEnd(records, this::isEnded);
	}

	ConsumerRecords<String, byte[]> poll() {
		return reader().poll();
	}

	Map<TopicPartition, Long> ends() {
		return reader().ends();
	}

	TopicPosition position() {
		return new TopicPosition(reader().positions());
	}

	boolean hasReached(Map<TopicPartition, Long> offsets) {
		return reader().hasReached(offsets);
	}

	void requireSamePartitions() {
		if (reader().hasOtherPartitions()) {
			throw expired(this.topic, "partitions were added");
		}
	}

	long now() {
		return System.nanoTime();
	}

	long beganAt() {
		return this.beganAt;
	}

	synchronized boolean isEnded() {
		return this.ended;
	}

	/** Makes the task end. May be called by any thread. */
	synchronized void end() {
		this.ended = true;
		if (this.reader != null) {
			this.reader.wakeUp();
		}
	}

	private void close() {
		TopicReader open;
		synchronized (this) {
			open = this.reader;
			this.reader = null;
		}
		if (open != null) {
			open.close();
		}
	}

	static ApiException expired(String topic, String why) {
		String message = "The Kafka topic '" + topic + "' is read from its beginning: " + why;
		return new ApiException(message, new Status(410, "Expired", message, List.of(), 0, false), Duration.ZERO);
	}

	/**
	 * Makes the exception for a topic that cannot be used. After this exception, the
	 * mirror keeps its objects, and the health of its reflector is {@code DOWN}.
	 */
	private static ApiException refused(String reason, String message) {
		return new ApiException(message, new Status(409, reason, message, List.of(), 0, false), Duration.ZERO);
	}

	private Throwable explained(Throwable failure) {
		String subject = "The Kafka topic '" + this.topic + "' cannot be read: ";
		if (failure instanceof UndecidedStateException) {
			return refused("TopicUndecided", subject + failure.getMessage());
		}
		if (failure instanceof InvalidOffsetException) {
			return expired(this.topic, "it no longer has the records that follow");
		}
		if (failure instanceof UnknownTopicOrPartitionException) {
			return new TypeNotServedException(subject + "it does not exist");
		}
		if (failure instanceof AuthenticationException || failure instanceof AuthorizationException) {
			int code = (failure instanceof AuthenticationException) ? 401 : 403;
			return new ApiException(subject + failure.getMessage(),
					Status.ofHttp(code, String.valueOf(failure.getMessage())), Duration.ZERO);
		}
		if (failure instanceof KafkaException) {
			return new ConnectionException("KafkaUnavailable", subject + ErrorMessages.of(failure), failure);
		}
		return failure;
	}

}
