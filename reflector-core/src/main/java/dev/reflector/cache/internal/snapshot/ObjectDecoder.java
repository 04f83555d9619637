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
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.PersistentMapBuilder;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.cache.snapshot.StoredObject;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ResourceAccessor;

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

	private final ResourceAccessor<T> accessor;

	private final Queue<CompletableFuture<List<Decoded<T>>>> pending = new ArrayDeque<>();

	private final PersistentMapBuilder<ResourceKey, T> objects = new PersistentMapBuilder<>();

	private final Map<ResourceKey, T> announced = new HashMap<>();

	private final ClassLoader classLoader = Thread.currentThread().getContextClassLoader();

	private List<StoredObject> batch = new ArrayList<>(BATCH);

	ObjectDecoder(SnapshotCodec<T> codec, ResourceAccessor<T> accessor) {
		this.codec = codec;
		this.accessor = accessor;
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
	Objects<T> finish() {
		decodeBatch();
		while (!this.pending.isEmpty()) {
			takeOldest();
		}
		return new Objects<>(this.objects.build(), this.announced);
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
			for (Decoded<T> decoded : this.pending.remove().join()) {
				if (decoded.stored().announced()) {
					this.announced.put(decoded.stored().key(), decoded.object());
				}
				else {
					this.objects.add(decoded.stored().key(), decoded.object());
				}
			}
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof SnapshotCorruptException corrupt) {
				throw corrupt;
			}
			throw ex;
		}
	}

	/** Threads of the common pool do not have the class loader of the application. */
	private List<Decoded<T>> decode(List<StoredObject> batch) {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(this.classLoader);
		try {
			List<Decoded<T>> decoded = new ArrayList<>(batch.size());
			for (StoredObject object : batch) {
				decoded.add(new Decoded<>(object, decode(object)));
			}
			return decoded;
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private T decode(StoredObject object) {
		try {
			T read = this.codec.read(object.content());
			if (isOther(this.accessor.key(read), object.key()) || isOther(this.accessor.uid(read), object.uid())
					|| isOther(this.accessor.resourceVersion(read), object.resourceVersion())) {
				throw new SnapshotCorruptException("its content is another object", null);
			}
			return read;
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// without the cause, which may quote the object
			throw new SnapshotCorruptException(
					"the stored object " + object.key() + " cannot be read: " + OpenSnapshot.reason(ex), null);
		}
	}

	private static boolean isOther(ResourceKey read, ResourceKey stored) {
		return !read.equals(stored);
	}

	/** The declared fields may have changed, so that one of them is not known. */
	private static boolean isOther(String read, String stored) {
		return !read.isEmpty() && !stored.isEmpty() && !read.equals(stored);
	}

	/**
	 * What was read.
	 *
	 * @param objects the objects of the state at the cursor
	 * @param announced objects that were only announced
	 */
	record Objects<T>(PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> announced) {

	}

	/** A stored object, and what its bytes say. */
	private record Decoded<T>(StoredObject stored, T object) {

	}

}
