package dev.reflector.kafka;

import java.util.Arrays;

import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.UnusableMetadataException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the objects of a topic.
 *
 * @param <T> the type of the objects
 * @param accessor reads the metadata of objects
 * @param codec reads and writes objects
 */
record TopicObjects<T>(ResourceAccessor<T> accessor, SnapshotCodec<T> codec) {

	/** A mapper that does not change how numbers are written. */
	private static final JsonMapper TREES = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
		.build();

	T read(ResourceKey key, byte[] value) {
		T object = this.codec.read(value);
		ResourceKey own = key(object);
		if (!own.equals(key)) {
			throw new SnapshotCorruptException("the value is the object " + own, null);
		}
		return object;
	}

	private ResourceKey key(T object) {
		try {
			return this.accessor.key(object);
		}
		catch (RuntimeException ex) {
			throw new SnapshotCorruptException(UnusableMetadataException.reason(ex), null);
		}
	}

	String version(T object) {
		return this.accessor.resourceVersion(object);
	}

	String uid(T object) {
		return this.accessor.uid(object);
	}

	/**
	 * Whether two objects have the same content, even if their {@code equals} does not
	 * compare it.
	 */
	boolean isSame(T one, T other) {
		try {
			return one.equals(other) || Arrays.equals(this.codec.write(one), this.codec.write(other));
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Returns a deleted object with the version of its deletion.
	 * @param object the object
	 * @param version the version, empty if it is not known
	 * @return a copy of the object with that version, or the object itself if no such
	 * copy can be made
	 */
	T at(T object, String version) {
		if (version.isEmpty() || version.equals(version(object))) {
			return object;
		}
		try {
			JsonNode tree = TREES.readTree(this.codec.write(object));
			if (tree.path("metadata") instanceof ObjectNode metadata) {
				metadata.put("resourceVersion", version);
				return this.codec.read(TREES.writeValueAsBytes(tree));
			}
			return object;
		}
		catch (RuntimeException ex) {
			return object;
		}
	}

}
