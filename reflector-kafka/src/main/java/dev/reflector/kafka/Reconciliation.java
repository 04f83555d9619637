package dev.reflector.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
 * Finds the objects that are on a topic but no longer exist, because they were deleted
 * while no publisher ran. Keeps only keys and versions in memory. Used by the thread of
 * the handler.
 */
final class Reconciliation {

	private static final Logger logger = LoggerFactory.getLogger(KafkaPublisher.class);

	private static final Duration PAUSE = Duration.ofSeconds(2);

	/** How long the mirror may take to reach the versions of the topic. */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final ConsumerFactory<?, ?> consumers;

	private final String topic;

	private final SharedInformer<?> mirror;

	Reconciliation(ConsumerFactory<?, ?> consumers, String topic, SharedInformer<?> mirror) {
		this.consumers = consumers;
		this.topic = topic;
		this.mirror = mirror;
	}

	/**
	 * Reads the topic up to its current end, and repeats this until it succeeds. Then
	 * deletes each object that no longer exists. An object that is not in the mirror may
	 * still exist if the mirror cannot read it or is behind. Such an object stays, after
	 * the mirror was given some time to catch up.
	 * @param failures receives each failure to read the topic
	 * @param deletion called for each key to delete, with a function that checks again
	 * whether the object is gone
	 * @throws InterruptedException if the thread is interrupted
	 */
	void run(Consumer<Throwable> failures, Deletion deletion) throws InterruptedException {
		if (this.mirror.shard() != null) {
			logger.warn("Reflector '{}': objects that are gone are not deleted from the topic '{}', because "
					+ "this replica mirrors only a part of the objects", this.mirror.name(), this.topic);
			return;
		}
		List<Missing> missing = missing(versions(failures));
		List<Missing> undecided = delete(missing, deletion);
		awaitVersions(undecided);
		List<Missing> kept = delete(undecided, deletion);
		logger.atInfo()
			.addKeyValue("reflector", this.mirror.name())
			.log("Reflector '{}': the topic '{}' was compared with the mirror. {} objects no longer exist and "
					+ "are deleted from the topic", this.mirror.name(), this.topic, missing.size() - kept.size());
		long left = kept.stream().filter((object) -> this.mirror.lister().get(object.key()) == null).count();
		if (left > 0) {
			logger.atWarn()
				.addKeyValue("reflector", this.mirror.name())
				.log("Reflector '{}': {} objects of the topic '{}' are not in the mirror, but stay on the topic. The "
						+ "server may still have them, because they cannot be read, or because the mirror has not "
						+ "reached their versions", this.mirror.name(), left, this.topic);
		}
	}

	/** Returns the objects that are not in the mirror. */
	private List<Missing> missing(Map<Integer, Map<String, String>> versions) {
		List<Missing> missing = new ArrayList<>();
		versions.forEach((partition, objects) -> objects.forEach((text, version) -> {
			ResourceKey key = parsed(text);
			if (key != null && isCovered(this.mirror, key) && this.mirror.lister().get(key) == null) {
				missing.add(new Missing(partition, text, key, version));
			}
		}));
		return missing;
	}

	/**
	 * Deletes the objects that no longer exist. Returns the objects that may still exist.
	 */
	private List<Missing> delete(List<Missing> missing, Deletion deletion) throws InterruptedException {
		List<Missing> others = new ArrayList<>();
		for (Missing object : missing) {
			if (isGone(object)) {
				deletion.delete(object.text(), object.partition(), () -> isGone(object));
			}
			else {
				others.add(object);
			}
		}
		return others;
	}

	private boolean isGone(Missing object) {
		return !this.mirror.mayExist(object.key(), object.version());
	}

	/**
	 * Waits until the mirror has reached the versions of the given objects. The time is
	 * limited, because the mirror may in turn wait for the thread of this handler, and
	 * because a server that was restored from a backup may not reach a version for long.
	 */
	private void awaitVersions(List<Missing> undecided) throws InterruptedException {
		long until = System.nanoTime() + PATIENCE.toNanos();
		for (Missing object : undecided) {
			if (!object.version().isEmpty()) {
				this.mirror.lister()
					.awaitResourceVersion(object.key().namespace(), object.version(),
							Duration.ofNanos(until - System.nanoTime()));
			}
		}
	}

	private Map<Integer, Map<String, String>> versions(Consumer<Throwable> failures) throws InterruptedException {
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

	/**
	 * Returns the keys and versions of the objects in each partition. A key whose last
	 * record is a deletion is left out.
	 */
	private Map<Integer, Map<String, String>> read() {
		Map<Integer, Map<String, String>> versions = new TreeMap<>();
		try (TopicReader reader = new TopicReader(this.consumers, this.topic)) {
			if (!reader.open()) {
				return versions;
			}
			reader.toBeginning();
			reader.toPresentEnd((record) -> {
				// sorted and not hashed, because users may create objects whose keys
				// share a hash code
				Map<String, String> objects = versions.computeIfAbsent(record.partition(),
						(partition) -> new TreeMap<>());
				if (record.key() != null && record.value() != null) {
					objects.put(record.key(), TopicState.header(record, PublishedHeaders.RESOURCE_VERSION));
				}
				else if (record.key() != null) {
					objects.remove(record.key());
				}
			}, () -> false);
			return versions;
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

	/** Deletes a key from a partition of the topic. */
	@FunctionalInterface
	interface Deletion {

		void delete(String key, int partition, BooleanSupplier gone) throws InterruptedException;

	}

	/**
	 * An object that is on the topic but not in the mirror.
	 *
	 * @param partition the partition that has the object
	 * @param text the key as it is on the topic
	 * @param key the key
	 * @param version the version of the object, empty if it is not known
	 */
	private record Missing(int partition, String text, ResourceKey key, String version) {

	}

}
