package dev.reflector.cache.internal.loop;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.queue.Delta;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.UnusableMetadataException;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Collects a full state from the pages of a list or from the initial part of a watch
 * (client-go: the temporary store of a watch-list, rule R-41). No part of the state
 * reaches the mirror before it is complete.
 *
 * @param <T> the type of the objects
 */
final class FullState<T> {

	private final ResourceAccessor<T> accessor;

	private final Consumer<SkippedObject> onSkipped;

	private Map<ResourceKey, T> objects = new LinkedHashMap<>();

	/**
	 * The keys of unreadable objects for which this state contains no readable version.
	 */
	private final Set<ResourceKey> retained = new HashSet<>();

	/** Whether the sizes of the objects are counted. */
	private final boolean sized;

	private Map<ResourceKey, Integer> sizes = new HashMap<>();

	private long bytes;

	/**
	 * The total length of the retained keys. This length counts in place of the sizes of
	 * these objects, which are unknown.
	 */
	private long retainedBytes;

	private String version = "";

	private int pages;

	/** How many objects could not be read. */
	private int skipped;

	/** How many objects exist whose key could not be read. */
	private int nameless;

	private PaginationLoopDetector trail = new PaginationLoopDetector();

	/**
	 * The generation of the mirrored part at the time of the request, see
	 * {@link MirroredPart#generation}.
	 */
	private long generation;

	FullState(ResourceAccessor<T> accessor, boolean sized, Consumer<SkippedObject> onSkipped) {
		this.sized = sized;
		this.accessor = accessor;
		this.onSkipped = onSkipped;
	}

	/**
	 * Adds a page of a list.
	 * @param page the page
	 * @return why the continue token of the page must not be followed, or {@code null} if
	 * it may be followed
	 */
	@Nullable Failure add(ListPage<T> page) {
		if (this.pages++ == 0) {
			// W-19, R-22: the version of a list is the version of its first page
			this.version = page.resourceVersion();
		}
		int before = keys();
		for (int i = 0; i < page.items().size(); i++) {
			put(page.items().get(i), page.size(i));
		}
		page.skipped().forEach((skipped) -> skip(skipped, true));
		boolean more = keys() > before;
		return page.continueToken().isEmpty() ? null : this.trail.follow(page.continueToken(), more);
	}

	/**
	 * Applies a frame of the initial part of a watch. Changes that arrive before the end
	 * marker are applied like changes of a normal watch.
	 * @param event the frame
	 * @return {@code false} if the frame may delete an object whose key is unknown
	 */
	boolean apply(WatchEvent<T> event) {
		if (event instanceof WatchEvent.Added<T> added) {
			put(added.object(), added.size());
		}
		else if (event instanceof WatchEvent.Modified<T> modified) {
			put(modified.object(), modified.size());
		}
		else if (event instanceof WatchEvent.Deleted<T> deleted) {
			return delete(deleted.object());
		}
		else if (event instanceof WatchEvent.Skipped<T> skipped) {
			return skip(skipped);
		}
		return true;
	}

	private boolean skip(WatchEvent.Skipped<T> skipped) {
		ResourceKey key = skipped.object().key();
		skip(skipped.object(), !skipped.deletion() && !skipped.type().equals("BOOKMARK"));
		if (skipped.deletion() && key != null) {
			remove(key);
		}
		return !skipped.type().isEmpty() && !(skipped.deletion() && key == null);
	}

	private void put(T object, int size) {
		try {
			ResourceKey key = this.accessor.key(object);
			this.objects.put(key, object);
			release(key);
			if (this.sized) {
				Integer before = this.sizes.put(key, size);
				this.bytes += size - ((before != null) ? before : 0);
			}
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// E-11: one object without a key must not discard the others
			skip(new SkippedObject(null, "", UnusableMetadataException.reason(ex)), true);
		}
	}

	private boolean delete(T object) {
		try {
			remove(this.accessor.key(object));
			return true;
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			skip(new SkippedObject(null, "", UnusableMetadataException.reason(ex)), false);
			return false;
		}
	}

	private void skip(SkippedObject skipped, boolean exists) {
		this.skipped++;
		ResourceKey key = skipped.key();
		if (key == null && exists) {
			this.nameless++;
		}
		if (key != null && !this.objects.containsKey(key) && this.retained.add(key)) {
			this.retainedBytes += length(key);
		}
		this.onSkipped.accept(skipped);
	}

	private void release(ResourceKey key) {
		if (!this.retained.isEmpty() && this.retained.remove(key)) {
			this.retainedBytes -= length(key);
		}
	}

	static int length(ResourceKey key) {
		return key.namespace().length() + key.name().length();
	}

	private void remove(ResourceKey key) {
		this.objects.remove(key);
		release(key);
		Integer size = this.sizes.remove(key);
		this.bytes -= (size != null) ? size : 0;
	}

	/**
	 * Prepares this state for a new request.
	 * @param generation the generation of the mirrored part that is requested
	 */
	void begin(long generation) {
		this.generation = generation;
	}

	int pages() {
		return this.pages;
	}

	int size() {
		return this.objects.size();
	}

	int skipped() {
		return this.skipped;
	}

	/**
	 * Returns how many objects have no readable key. If there is such an object, the
	 * mirror keeps the last state of each object that it holds, because any of them may
	 * be the one without a readable key.
	 */
	int nameless() {
		return this.nameless;
	}

	/** Returns the number of objects, including those that could not be read. */
	int keys() {
		return this.objects.size() + this.retained.size();
	}

	/** Returns the sizes of the objects by key, empty if they are not counted. */
	Map<ResourceKey, Integer> sizes() {
		return this.sizes;
	}

	/** Returns the sum of the sizes of all objects. */
	long bytes() {
		return this.bytes;
	}

	/** Returns the total length of the keys of unreadable objects. */
	long retainedBytes() {
		return this.retainedBytes;
	}

	/**
	 * Returns the keys of the objects that could not be read. The mirror keeps its last
	 * state of these objects.
	 */
	Set<ResourceKey> retained() {
		return this.retained;
	}

	/** Returns the version of the list that this state is read from. */
	String version() {
		return this.version;
	}

	Delta.Replacement<T> replacement(@Nullable String namespace, String version, boolean byContent, boolean newest) {
		return new Delta.Replacement<>(namespace, Collections.unmodifiableMap(this.objects), version,
				Set.copyOf(this.retained), this.nameless > 0, byContent, newest, this.generation);
	}

	void clear() {
		// a new map, because a queued replacement still uses the old one
		this.objects = new LinkedHashMap<>();
		this.retained.clear();
		this.sizes = new HashMap<>();
		this.bytes = 0;
		this.retainedBytes = 0;
		this.version = "";
		this.pages = 0;
		this.skipped = 0;
		this.nameless = 0;
		this.trail = new PaginationLoopDetector();
	}

}
