package dev.reflector.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.reflector.cache.ListPage;
import dev.reflector.cache.SkippedObject;
import dev.reflector.client.ListMetadataReader.ListMetadata;

/**
 * Collects one page of a list.
 *
 * @param <T> the type of the objects
 */
final class ListPageBuilder<T> {

	private final List<T> items = new ArrayList<>();

	private final List<SkippedObject> skipped = new ArrayList<>();

	void add(Decoded<T> decoded) {
		if (decoded instanceof Decoded.Readable<T> readable) {
			this.items.add(readable.object());
		}
		else if (decoded instanceof Decoded.Unreadable<T> unreadable) {
			this.skipped.add(unreadable.object());
		}
	}

	/**
	 * Makes the page.
	 * @param framer has read all of the body
	 * @param metadataReader reads the metadata
	 * @return the page
	 * @throws MalformedResponseException when the body was not a complete list
	 */
	ListPage<T> build(PageFramer framer, ListMetadataReader metadataReader) {
		framer.finish();
		ListHead head = framer.head();
		String kind = head.kind();
		//
		boolean table = kind.equals("Table") && head.apiVersion().startsWith("meta.k8s.io/");
		boolean list = head.hasItems() || head.metadata() != null;
		if (table || !list || kind.equals("Status")) {
			throw new MalformedResponseException(
					"the body is no list, but " + (kind.isEmpty() ? "an object without kind" : "of kind " + kind));
		}
		ListMetadata metadata = metadataReader.read(head.metadata());
		return new ListPage<>(Collections.unmodifiableList(this.items), metadata.resourceVersion(),
				metadata.continueToken(), Collections.unmodifiableList(this.skipped));
	}

}
