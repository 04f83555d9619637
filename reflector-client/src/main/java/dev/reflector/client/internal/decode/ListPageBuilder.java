package dev.reflector.client.internal.decode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.client.internal.frame.ListHead;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.frame.PageFramer;
import org.jspecify.annotations.Nullable;

/**
 * Collects one page of a list.
 *
 * @param <T> the type of the objects
 */
public final class ListPageBuilder<T> {

	private final List<T> items = new ArrayList<>();

	private final List<SkippedObject> skipped = new ArrayList<>();

	private int foreign;

	public void add(Decoded<T> decoded) {
		if (decoded instanceof Decoded.Readable<T> readable) {
			this.items.add(readable.object());
		}
		else if (decoded instanceof Decoded.Unreadable<T> unreadable) {
			this.skipped.add(unreadable.object());
			this.foreign += unreadable.foreign() ? 1 : 0;
		}
	}

	/**
	 * Builds the page.
	 * @param framer the framer that has read the whole body
	 * @param expected checks the lists of the collection
	 * @param sizes the sizes of the objects, or {@code null} if they are not needed
	 * @return the page
	 * @throws MalformedResponseException if the body is not a complete list, or not the
	 * requested list
	 */
	public ListPage<T> build(PageFramer framer, ExpectedList expected, @Nullable ObjectSizes sizes) {
		framer.finish();
		ListHead head = framer.head();
		expected.check(head, this.items.size() + this.skipped.size(), this.foreign);
		ListMetadata metadata = ListMetadata.read(head.metadata());
		return new ListPage<>(Collections.unmodifiableList(this.items), metadata.resourceVersion(),
				metadata.continueToken(), Collections.unmodifiableList(this.skipped), metadata.shardSelector(),
				(sizes != null) ? sizes.listed() : List.of());
	}

}
