package dev.reflector.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import dev.reflector.Reflector;
import dev.reflector.ResourceKey;
import dev.reflector.cache.informer.SharedInformer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.kafka.core.ConsumerFactory;

/**
 * Finds the objects that are on a topic but not in the mirror, because they were deleted
 * while no publisher ran. Keeps only keys in memory. Used by the thread of the handler.
 */
final class Reconciliation {

	private static final Logger logger = LoggerFactory.getLogger(KafkaPublisher.class);

	private static final Duration PAUSE = Duration.ofSeconds(2);

	private final ConsumerFactory<?, ?> consumers;

	private final String topic;

	private final SharedInformer<?> mirror;

	Reconciliation(ConsumerFactory<?, ?> consumers, String topic, SharedInformer<?> mirror) {
		this.consumers = consumers;
		this.topic = topic;
		this.mirror = mirror;
	}

	/**
	 * Reads the topic up to its current end. After a failure, tries again. Then deletes
	 * each object from the topic that is not in the mirror.
	 * @param failures receives each failure to read the topic
	 * @param deletion called for each key to delete, with a function that checks again
	 * whether the object is missing from the mirror
	 * @throws InterruptedException if the thread is interrupted
	 */
	void run(Consumer<Throwable> failures, Deletion deletion) throws InterruptedException {
		if (this.mirror.shard() != null) {
			logger.warn("Reflector '{}': objects that are gone are not deleted from the topic '{}', because "
					+ "this replica mirrors only a part of the objects", this.mirror.name(), this.topic);
			return;
		}
		int deleted = 0;
		for (Map.Entry<Integer, Set<String>> partition : keys(failures).entrySet()) {
			for (String text : partition.getValue()) {
				ResourceKey key = parsed(text);
				if (key != null && isCovered(this.mirror, key) && isGone(key)) {
					deletion.delete(text, partition.getKey(), () -> isGone(key));
					deleted++;
				}
			}
		}
		logger.atInfo()
			.addKeyValue("reflector", this.mirror.name())
			.log("Reflector '{}': the topic '{}' was compared with the mirror. {} objects no longer exist and "
					+ "are deleted from the topic", this.mirror.name(), this.topic, deleted);
	}

	private Map<Integer, Set<String>> keys(Consumer<Throwable> failures) throws InterruptedException {
		while (true) {
			try {
				return read();
			}
			catch (InterruptException ex) {
				Thread.interrupted();
				throw new InterruptedException();
			}
			catch (KafkaException ex) {
				failures.accept(ex);
				// the pause before the next attempt, on a thread of the publisher
				Thread.sleep(PAUSE.toMillis());
			}
		}
	}

	/** Returns, for each partition, the keys whose last record is not a deletion. */
	private Map<Integer, Set<String>> read() {
		Map<Integer, Set<String>> keys = new TreeMap<>();
		try (TopicReader reader = new TopicReader(this.consumers, this.topic)) {
			if (!reader.open()) {
				return keys;
			}
			reader.toBeginning();
			reader.toPresentEnd((record) -> {
				// sorted and not hashed, because users may create objects whose keys
				// share a hash code
				Set<String> present = keys.computeIfAbsent(record.partition(), (partition) -> new TreeSet<>());
				if (record.key() != null && record.value() != null) {
					present.add(record.key());
				}
				else if (record.key() != null) {
					present.remove(record.key());
				}
			}, () -> false);
			return keys;
		}
	}

	private static @Nullable ResourceKey parsed(String key) {
		try {
			return ResourceKey.parse(key);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private static boolean isCovered(Reflector<?> mirror, ResourceKey key) {
		List<String> namespaces = mirror.namespaces();
		return namespaces.isEmpty() || namespaces.contains(key.namespace());
	}

	private boolean isGone(ResourceKey key) {
		return this.mirror.lister().get(key) == null;
	}

	/** Deletes a key from a partition of the topic. */
	@FunctionalInterface
	interface Deletion {

		void delete(String key, int partition, BooleanSupplier gone) throws InterruptedException;

	}

}
