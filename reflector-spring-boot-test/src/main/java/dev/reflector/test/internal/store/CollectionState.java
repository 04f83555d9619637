package dev.reflector.test.internal.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The state of a collection at one version. Immutable.
 *
 * @param resourceVersion the version
 * @param objects the objects by ascending key
 */
public record CollectionState(long resourceVersion, List<ObjectRevision> objects) {

	static CollectionState of(long resourceVersion, Collection<ObjectRevision> objects) {
		return new CollectionState(resourceVersion, List.copyOf(objects));
	}

	/**
	 * Returns the objects in no particular order.
	 * @return the objects; their order depends only on the version
	 */
	public List<ObjectRevision> unordered() {
		return unordered(this.resourceVersion, this.objects);
	}

	private static List<ObjectRevision> unordered(long resourceVersion, List<ObjectRevision> objects) {
		List<ObjectRevision> shuffled = new ArrayList<>(objects);
		Collections.shuffle(shuffled, new Random(resourceVersion));
		return shuffled;
	}

	/**
	 * Returns one page of the objects.
	 * @param selection selects the objects
	 * @param after key after which the page begins, empty for the first page
	 * @param limit largest number of objects, 0 for all
	 * @return the page
	 */
	public Page page(Selection selection, String after, long limit) {
		List<ObjectRevision> items = new ArrayList<>();
		long remaining = 0;
		boolean more = false;
		for (ObjectRevision object : this.objects.subList(firstAfter(after), this.objects.size())) {
			boolean full = limit > 0 && items.size() >= limit;
			if (full && selection.matchesInAnyShard(object)) {
				remaining++;
			}
			if (selection.matches(object)) {
				if (full) {
					more = true;
				}
				else {
					items.add(object);
				}
			}
		}
		return new Page(this.resourceVersion, items, more, remaining);
	}

	private int firstAfter(String key) {
		int low = 0;
		int high = this.objects.size();
		while (low < high) {
			int middle = (low + high) >>> 1;
			if (this.objects.get(middle).key().compareTo(key) > 0) {
				high = middle;
			}
			else {
				low = middle + 1;
			}
		}
		return low;
	}

	/**
	 * A page of a list.
	 *
	 * @param resourceVersion version of the state
	 * @param items the objects on the page
	 * @param more whether objects follow
	 * @param remaining how many selected objects follow, counted without the shard
	 * selector
	 */
	public record Page(long resourceVersion, List<ObjectRevision> items, boolean more, long remaining) {

		public Page unordered() {
			return new Page(this.resourceVersion, CollectionState.unordered(this.resourceVersion, this.items),
					this.more, this.remaining);
		}

	}

}
