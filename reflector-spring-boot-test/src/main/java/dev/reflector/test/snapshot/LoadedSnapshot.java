package dev.reflector.test.snapshot;

import java.util.Map;
import java.util.TreeMap;

import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotHead;
import dev.reflector.cache.snapshot.SnapshotReader;
import dev.reflector.cache.snapshot.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * Records the head and the objects that a snapshot passes to its reader while the
 * snapshot is loaded.
 */
final class LoadedSnapshot implements SnapshotReader {

	private final Map<ResourceKey, StoredObject> objects = new TreeMap<>();

	private final Runnable afterHead;

	private @Nullable SnapshotHead head;

	private LoadedSnapshot(Runnable afterHead) {
		this.afterHead = afterHead;
	}

	static LoadedSnapshot of(Snapshot snapshot) {
		return of(snapshot, () -> {
		});
	}

	/**
	 * Loads a snapshot.
	 * @param afterHead runs after the head of the snapshot and before its objects
	 */
	static LoadedSnapshot of(Snapshot snapshot, Runnable afterHead) {
		LoadedSnapshot loaded = new LoadedSnapshot(afterHead);
		if (snapshot.load(loaded) != (loaded.head != null)) {
			throw new AssertionError("load() says whether there is a head");
		}
		return loaded;
	}

	@Override
	public boolean head(SnapshotHead head) {
		if (this.head != null) {
			throw new AssertionError("A second head: " + head);
		}
		this.head = head;
		this.afterHead.run();
		return true;
	}

	@Override
	public void object(StoredObject object) {
		if (this.head == null) {
			throw new AssertionError("An object before the head: " + object);
		}
		if (this.objects.put(object.key(), object) != null) {
			throw new AssertionError("A second object of one key: " + object);
		}
	}

	@Nullable SnapshotHead head() {
		return this.head;
	}

	Map<ResourceKey, StoredObject> objects() {
		return this.objects;
	}

}
