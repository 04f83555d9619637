package dev.reflector.client;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the body of a list into its items as they arrive, and keeps what is told of the
 * list itself.
 */
interface PageFramer extends Framer {

	/**
	 * The kind of the list.
	 * @return the kind, empty when the list has none (so far)
	 */
	String kind();

	/**
	 * The API version of the list.
	 * @return the API version, empty when the list has none (so far)
	 */
	String apiVersion();

	/**
	 * The metadata of the list.
	 * @return the metadata as JSON, or {@code null} when the list has none (so far)
	 */
	@Nullable Frame metadata();

	/**
	 * Whether the list has items at all, be they none or {@code null}.
	 * @return whether there is the key
	 */
	boolean hasItems();

	/**
	 * Checks that the body has come to its end: a list that breaks off must never pass
	 * for a shorter one.
	 */
	void finish();

	static PageFramer of(ObjectFormat format, ResourceType resourceType, int maxObjectSize) {
		return (format == ObjectFormat.CBOR) ? new CborListFramer(resourceType, maxObjectSize)
				: new ListFramer(resourceType, maxObjectSize);
	}

}
