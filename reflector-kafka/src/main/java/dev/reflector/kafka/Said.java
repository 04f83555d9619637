package dev.reflector.kafka;

import org.jspecify.annotations.Nullable;

/**
 * The state of a key according to the last record of the key in one partition.
 *
 * @param <T> the type of the objects
 * @param partition the partition
 * @param object the object, or {@code null} if it was deleted
 * @param uid the uid of the object, empty when it is not known
 * @param version the version of the object or of its deletion, empty when it is not known
 */
record Said<T>(int partition, @Nullable T object, String uid, String version) {

	boolean isDeletion() {
		return this.object == null;
	}

}
