package dev.reflector.cache.internal.snapshot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.cache.snapshot.StoredObject;

/**
 * Reads stored objects in batches on the common pool, while the caller reads the next
 * ones from the store. A bounded number of batches waits, so the bytes of all objects are
 * never in memory at once. Used by one thread.
 *
 * @param <T> the type of the objects
 */
final class ObjectDecoder<T> {

	private static final int BATCH = 256;

	private static final int MOST_BATCHES = 16;

	private final SnapshotCodec<T> codec;

	private final Queue<CompletableFuture<List<Map.Entry<ResourceKey, T>>>> pending = new ArrayDeque<>();

	private final Map<ResourceKey, T> objects = new HashMap<>();

	private final ClassLoader classLoader = Thread.currentThread().getContextClassLoader();

	private List<StoredObject> batch = new ArrayList<>(BATCH);

	ObjectDecoder(SnapshotCodec<T> codec) {
		this.codec = codec;
	}

	/**
	 * Takes an object.
	 * @param object the object
	 * @throws SnapshotCorruptException when an earlier object cannot be read
	 */
	void add(StoredObject object) {
		this.batch.add(object);
		if (this.batch.size() == BATCH) {
			decodeBatch();
		}
	}

	/**
	 * Waits for all objects.
	 * @return the objects
	 * @throws SnapshotCorruptException when an object cannot be read
	 */
	Map<ResourceKey, T> finish() {
		decodeBatch();
		while (!this.pending.isEmpty()) {
			takeOldest();
		}
		return this.objects;
	}

	private void decodeBatch() {
		List<StoredObject> full = this.batch;
		this.batch = new ArrayList<>(BATCH);
		this.pending.add(CompletableFuture.supplyAsync(() -> decode(full)));
		if (this.pending.size() > MOST_BATCHES) {
			takeOldest();
		}
	}

	private void takeOldest() {
		try {
			this.pending.remove().join().forEach((entry) -> this.objects.put(entry.getKey(), entry.getValue()));
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof SnapshotCorruptException corrupt) {
				throw corrupt;
			}
			throw ex;
		}
	}

	/** Threads of the common pool do not have the class loader of the application. */
	private List<Map.Entry<ResourceKey, T>> decode(List<StoredObject> batch) {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(this.classLoader);
		try {
			return batch.stream().map(this::decode).toList();
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private Map.Entry<ResourceKey, T> decode(StoredObject object) {
		try {
			return Map.entry(object.key(), this.codec.read(object.content()));
		}
		catch (RuntimeException ex) {
			throw new SnapshotCorruptException("the stored object " + object.key() + " makes no sense", ex);
		}
	}

}
