package dev.reflector.cache.internal.snapshot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.PersistentMapBuilder;
import dev.reflector.cache.internal.store.UnknownObject;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.StoredObject;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Reads stored objects in batches on the common pool, while the caller reads the next
 * ones from the store. A bounded number of batches waits, so the bytes of all objects are
 * never in memory at once. Of one that cannot be read, key, uid and version are known.
 * Used by one thread.
 *
 * @param <T> the type of the objects
 */
final class StoredObjectDecoder<T> {

	private static final int BATCH = 256;

	private static final int MOST_BATCHES = 16;

	private final SnapshotCodec<T> codec;

	private final ResourceAccessor<T> accessor;

	private final Queue<CompletableFuture<List<Decoded<T>>>> pending = new ArrayDeque<>();

	private final PersistentMapBuilder<ResourceKey, T> objects = new PersistentMapBuilder<>();

	private final Map<ResourceKey, T> announced = new HashMap<>();

	private final Map<ResourceKey, UnknownObject> unknown = new HashMap<>();

	/** Why the first object cannot be read, that is not stored without content. */
	private @Nullable String reason;

	private final ClassLoader classLoader = Thread.currentThread().getContextClassLoader();

	private List<StoredObject> batch = new ArrayList<>(BATCH);

	StoredObjectDecoder(SnapshotCodec<T> codec, ResourceAccessor<T> accessor) {
		this.codec = codec;
		this.accessor = accessor;
	}

	/** Takes an object. */
	void add(StoredObject object) {
		this.batch.add(object);
		if (this.batch.size() == BATCH) {
			decodeBatch();
		}
	}

	/** Waits for all objects. */
	Objects<T> finish() {
		decodeBatch();
		while (!this.pending.isEmpty()) {
			takeOldest();
		}
		return new Objects<>(this.objects.build(), this.announced, this.unknown, this.reason);
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
		for (Decoded<T> decoded : this.pending.remove().join()) {
			StoredObject stored = decoded.stored();
			T object = decoded.object();
			if (object == null) {
				this.unknown.put(stored.key(),
						new UnknownObject(stored.uid(), stored.resourceVersion(), stored.announced()));
				this.reason = (this.reason != null) ? this.reason : decoded.failure();
			}
			else if (stored.announced()) {
				this.announced.put(stored.key(), object);
			}
			else {
				this.objects.add(stored.key(), object);
			}
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
				decoded.add(decode(object));
			}
			return decoded;
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private Decoded<T> decode(StoredObject object) {
		if (object.contentUnknown()) {
			return new Decoded<>(object, null, null);
		}
		try {
			T read = this.codec.read(object.content());
			if (isOther(this.accessor.key(read), object.key()) || isOther(this.accessor.uid(read), object.uid())
					|| isOther(this.accessor.resourceVersion(read), object.resourceVersion())) {
				return new Decoded<>(object, null, object.key() + " has the content of another object");
			}
			return new Decoded<>(object, read, null);
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// without the cause, which may quote the object
			return new Decoded<>(object, null, object.key() + ": " + OpenSnapshot.reason(ex));
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
	 * @param unknown objects that cannot be read
	 * @param reason which of them cannot be read, and why; {@code null} when those that
	 * were written can be read
	 */
	record Objects<T>(PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> announced,
			Map<ResourceKey, UnknownObject> unknown, @Nullable String reason) {

	}

	/**
	 * A stored object, and what its bytes say.
	 *
	 * @param object the object, {@code null} when there is none in the bytes
	 * @param failure why not, {@code null} when there are no bytes
	 */
	private record Decoded<T>(StoredObject stored, @Nullable T object, @Nullable String failure) {

	}

}
