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
 * @since 0.1.0
 */
public record ListPage<T>(List<T> items, String resourceVersion, String continueToken, List<SkippedObject> skipped,
		String shardSelector) {

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
