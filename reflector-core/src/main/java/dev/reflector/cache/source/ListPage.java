package dev.reflector.cache.source;

import java.util.List;

import dev.reflector.PrintableText;

/**
 * One page of a list that a {@link ListerWatcher} returns.
 *
 * @param <T> the type of the objects
 * @param items the objects that could be read
 * @param resourceVersion the version of the list; all pages of a list report the version
 * of the first page
 * @param continueToken the token for the next page, empty on the last page. Only the
 * token shows whether there are more pages: even a page without objects may have a token
 * @param skipped the objects that could not be read
 * @param shardSelector the shard selector that the server reports as applied, empty when
 * it reports none
 * @param sizes the size of each item as received, in bytes, in the order of the items;
 * empty when the sizes are not known, or {@linkplain RequestListener#wantsSizes() not
 * wanted}
 * @since 0.1.0
 */
public record ListPage<T>(List<T> items, String resourceVersion, String continueToken, List<SkippedObject> skipped,
		String shardSelector, List<Integer> sizes) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when the number of sizes is neither zero nor the
	 * number of items
	 */
	public ListPage {
		if (!sizes.isEmpty() && sizes.size() != items.size()) {
			throw new IllegalArgumentException(sizes.size() + " sizes for " + items.size() + " items");
		}
	}

	/**
	 * Creates a page whose sizes are not known.
	 * @param items the objects that could be read
	 * @param resourceVersion the version of the list
	 * @param continueToken the token for the next page, empty on the last page
	 * @param skipped the objects that could not be read
	 * @param shardSelector the shard selector that the server reports as applied
	 */
	public ListPage(List<T> items, String resourceVersion, String continueToken, List<SkippedObject> skipped,
			String shardSelector) {
		this(items, resourceVersion, continueToken, skipped, shardSelector, List.of());
	}

	/**
	 * Returns the size of an item.
	 * @param index the index of the item, counted from 0
	 * @return the size of the item as received, in bytes; 0 when it is not known
	 */
	public int size(int index) {
		return this.sizes.isEmpty() ? 0 : this.sizes.get(index);
	}

	/**
	 * Creates a page of a server that reports no shard selector.
	 * @param items the objects that could be read
	 * @param resourceVersion the version of the list
	 * @param continueToken the token for the next page, empty on the last page
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
