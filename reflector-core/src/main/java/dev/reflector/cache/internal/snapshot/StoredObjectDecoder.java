package dev.reflector.cache.internal.snapshot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

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
 * Decodes stored objects in batches on the common pool, while the caller reads the next
 * objects from the store. The caller decodes what the pool has not begun when it is
 * needed, because the application may keep all threads of the pool busy. The number of
 * undecoded batches is bounded, so the bytes of all objects are never in memory at once.
 * If an object cannot be decoded, only its key, uid and version are known. Used by one
 * thread.
 *
 * @param <T> the type of the objects
 */
final class StoredObjectDecoder<T> {

	private static final int BATCH = 256;

	private static final int MOST_BATCHES = 16;

	private final SnapshotCodec<T> codec;

	private final ResourceAccessor<T> accessor;

	private final Queue<Batch> pending = new ArrayDeque<>();

	private final PersistentMapBuilder<ResourceKey, T> objects = new PersistentMapBuilder<>();

	private final Map<ResourceKey, T> announced = new HashMap<>();

	private final Map<ResourceKey, UnknownObject> unknown = new HashMap<>();

	/**
	 * Why the first unreadable object cannot be read. Objects that are stored without
	 * content do not count as unreadable.
	 */
	private @Nullable String reason;

	private final ClassLoader classLoader = Thread.currentThread().getContextClassLoader();

	private List<StoredObject> batch = new ArrayList<>(BATCH);

	StoredObjectDecoder(SnapshotCodec<T> codec, ResourceAccessor<T> accessor) {
		this.codec = codec;
		this.accessor = accessor;
	}

	/** Adds an object. */
	void add(StoredObject object) {
		this.batch.add(object);
		if (this.batch.size() == BATCH) {
			decodeBatch();
		}
	}

	/** Waits until all objects are decoded, and returns them. */
	Objects<T> finish() {
		decodeBatch();
		while (!this.pending.isEmpty()) {
			takeOldest();
		}
		return new Objects<>(this.objects.build(), this.announced, this.unknown, this.reason);
	}

	private void decodeBatch() {
		Batch full = new Batch(this.batch);
		this.batch = new ArrayList<>(BATCH);
		this.pending.add(full);
		CompletableFuture.runAsync(full);
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

	/**
	 * Decodes a batch with the class loader of the application, which threads of the
	 * common pool do not have.
	 */
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

	/**
	 * Whether two texts are different and neither of them is empty. A text may be empty
	 * because the declared fields have changed.
	 */
	private static boolean isOther(String read, String stored) {
		return !read.isEmpty() && !stored.isEmpty() && !read.equals(stored);
	}

	/** Some stored objects, which the thread that comes first decodes. */
	private final class Batch implements Runnable {

		private final List<StoredObject> stored;

		private final AtomicBoolean begun = new AtomicBoolean();

		private final CompletableFuture<List<Decoded<T>>> decoded = new CompletableFuture<>();

		Batch(List<StoredObject> stored) {
			this.stored = stored;
		}

		@Override
		public void run() {
			if (this.begun.compareAndSet(false, true)) {
				try {
					this.decoded.complete(decode(this.stored));
				}
				catch (Throwable ex) {
					this.decoded.completeExceptionally(ex);
				}
			}
		}

		List<Decoded<T>> join() {
			run();
			return this.decoded.join();
		}

	}

	/**
	 * The decoded objects.
	 *
	 * @param objects the committed objects
	 * @param announced the objects that were announced but not committed
	 * @param unknown the objects whose content cannot be read or is not stored
	 * @param reason why the first unreadable object cannot be read, with its key;
	 * {@code null} if all objects with content can be read
	 */
	record Objects<T>(PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> announced,
			Map<ResourceKey, UnknownObject> unknown, @Nullable String reason) {

	}

	/**
	 * A stored object with its decoded content.
	 *
	 * @param stored the stored object
	 * @param object the decoded object, or {@code null} if it cannot be read or has no
	 * content
	 * @param failure why the object cannot be read, or {@code null} if it can be read or
	 * has no content
	 */
	private record Decoded<T>(StoredObject stored, @Nullable T object, @Nullable String failure) {

	}

}
