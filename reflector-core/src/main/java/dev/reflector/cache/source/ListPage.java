package dev.reflector.cache.source;

import java.util.List;

import dev.reflector.PrintableText;

/**
 * One page of a list, as a {@link ListerWatcher} returns it.
 *
 * @param <T> the type of the objects
 * @param items the objects that could be read
 * @param resourceVersion version of the list; all pages of a list report the version of
 * the first page
 * @param continueToken token for the next page, empty on the last. Only the token decides
 * whether there are more pages: a page without objects may have a token, too
 * @param skipped the objects that could not be read
 * @param shardSelector the shard selector that the server says it has applied, empty when
 * it does not say so
 * @param sizes the size of each item as received, in bytes, in the same order; empty when
 * they are not known, or {@linkplain RequestListener#wantsSizes() not wanted}
 * @since 0.1.0
 */
public record ListPage<T>(List<T> items, String resourceVersion, String continueToken, List<SkippedObject> skipped,
		String shardSelector, List<Integer> sizes) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when the number of sizes is neither zero nor that
	 * of the items
	 */
	public ListPage {
		if (!sizes.isEmpty() && sizes.size() != items.size()) {
			throw new IllegalArgumentException(sizes.size() + " sizes for " + items.size() + " items");
		}
	}

	/**
	 * Creates a page whose sizes are not known.
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
	 * Returns the size of an item.
	 * @param index the index of the item, counted from 0
	 * @return its size as received, in bytes; 0 when it is not known
	 */
	public int size(int index) {
		return this.sizes.isEmpty() ? 0 : this.sizes.get(index);
	}

	/**
	 * Creates a page whose server says nothing about shards.
	 * @param items the objects that could be read
	 * @param resourceVersion version of the list
	 * @param continueToken token for the next page, empty on the last
	 * @param skipped the objects that could not be read
	 */
	public ListPage(List<T> items, String resourceVersion, String continueToken, List<SkippedObject> skipped) {
		this(items, resourceVersion, continueToken, skipped, "");
	}

	/** Returns a text without any content of the objects. */
	@Override
	public String toString() {
		return PrintableText.of("ListPage[" + this.items.size() + " objects @ " + this.resourceVersion + ", "
				+ this.skipped.size() + " skipped]");
	}

}
