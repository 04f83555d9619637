package dev.reflector.cache.source;

import java.util.List;

import dev.reflector.PrintableText;

/**
 * One page of a list, as a {@link ListerWatcher} returns it.
 *
 * @param <T> the type of the objects
 * @param items the objects that could be read
 * @param resourceVersion version of the list; all pages of a list report that of the
 * first
 * @param continueToken token for the next page, empty on the last. Only the token decides
 * whether there is more: a page without objects may have one
 * @param skipped the objects that could not be read
 * @param shardSelector the shard selector that the server says it has applied, empty when
 * it says nothing of the kind
 * @param sizes the bytes of each of the items as they came, in the same order; empty when
 * they are not known, or {@linkplain RequestListener#wantsSizes() not wanted}
 * @since 0.1.0
 */
public record ListPage<T>(List<T> items, String resourceVersion, String continueToken, List<SkippedObject> skipped,
		String shardSelector, List<Integer> sizes) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when not each item has a size
	 */
	public ListPage {
		if (!sizes.isEmpty() && sizes.size() != items.size()) {
			throw new IllegalArgumentException(sizes.size() + " sizes for " + items.size() + " items");
		}
	}

	/**
	 * Creates a page of which no sizes are known.
	 * @param items the objects that could be read
	 * @param resourceVersion version of the list
	 * @param continueToken token for the next page, empty on the last
	 * @param skipped the objects that could not be read
	 * @param shardSelector the shard selector that the server says it has applied
	 */
	public ListPage(List<T> items, String resourceVersion, String continueToken, List<SkippedObject> skipped,
			String shardSelector) {
		this(items, resourceVersion, continueToken, skipped, shardSelector, List.of());
	}

	/**
	 * The size of an item.
	 * @param index which one, from 0 on
	 * @return its bytes as they came, 0 when that is not known
	 */
	public int size(int index) {
		return this.sizes.isEmpty() ? 0 : this.sizes.get(index);
	}

	/**
	 * Creates a page of which nothing is known about shards.
	 * @param items the objects that could be read
	 * @param resourceVersion version of the list
	 * @param continueToken token for the next page, empty on the last
	 * @param skipped the objects that could not be read
	 */
	public ListPage(List<T> items, String resourceVersion, String continueToken, List<SkippedObject> skipped) {
		this(items, resourceVersion, continueToken, skipped, "");
	}

	/** Without any content of the objects. */
	@Override
	public String toString() {
		return PrintableText.of("ListPage[" + this.items.size() + " objects @ " + this.resourceVersion + ", "
				+ this.skipped.size() + " skipped]");
	}

}
