package dev.reflector.client.internal.decode;

import java.util.List;

import dev.reflector.ResourceType;
import dev.reflector.client.internal.frame.ListHead;
import dev.reflector.client.internal.frame.MalformedResponseException;

/**
 * Checks that a response is the requested list. An object of another kind must never
 * count as an empty collection.
 */
public final class ExpectedList {

	private final ResourceType resourceType;

	private final boolean metadataOnly;

	/**
	 * The kind of the last list of the collection, or the empty string before the first
	 * list.
	 */
	private volatile String seen = "";

	/**
	 * Creates the check for the lists of one collection.
	 * @param resourceType the type of the collection
	 * @param metadataOnly whether only metadata is requested (W-59)
	 */
	public ExpectedList(ResourceType resourceType, boolean metadataOnly) {
		this.resourceType = resourceType;
		this.metadataOnly = metadataOnly;
	}

	/**
	 * Checks a page.
	 * @param head the fields of the list
	 * @param items the number of items in the page
	 * @param foreign the number of those items that are objects of another type
	 * @throws MalformedResponseException if the page does not belong to the requested
	 * list
	 */
	public void check(ListHead head, int items, int foreign) {
		String kind = head.kind();
		if (!mayBe(kind, head, items)) {
			throw new MalformedResponseException("the body is not a list of " + this.resourceType + ", but "
					+ (kind.isEmpty() ? "an object without kind" : "of kind " + described(head)));
		}
		if (foreign > 0 && foreign == items) {
			throw new MalformedResponseException(
					"the body is not a list of " + this.resourceType + ": all its objects are of another type");
		}
		if (!kind.isEmpty() && (items > 0 || kind.equals(this.resourceType.kind() + "List"))) {
			this.seen = kind;
		}
	}

	private boolean mayBe(String kind, ListHead head, int items) {
		if (kind.isEmpty()) {
			// a list without a kind must have the key "items", even if the value is empty
			// or null
			return head.hasItems() && isOfVersion(head);
		}
		if (kind.equals("PartialObjectMetadataList")) {
			return this.metadataOnly && head.apiVersion().startsWith("meta.k8s.io/");
		}
		if (kind.equals(this.resourceType.kind() + "List")) {
			// some servers omit an empty array
			return isOfVersion(head) && (head.hasItems() || head.metadata() != null);
		}
		if (!head.hasItems() || isKnownOther(kind)) {
			return false;
		}
		if (kind.equals("List") && List.of("", "v1").contains(head.apiVersion())) {
			return true;
		}
		// the author of a custom resource chooses the kind of its list, and discovery
		// does not report this kind
		boolean custom = this.resourceType.group().indexOf('.') >= 0;
		return custom && isOfVersion(head) && (items > 0 || this.seen.isEmpty() || this.seen.equals(kind));
	}

	/** Returns whether a kind is certainly not the kind of the requested list. */
	private boolean isKnownOther(String kind) {
		return kind.equals("Status") || kind.equals("Table") || kind.equals(this.resourceType.kind());
	}

	private boolean isOfVersion(ListHead head) {
		return head.apiVersion().isEmpty() || head.apiVersion().equals(this.resourceType.apiVersion());
	}

	private static String described(ListHead head) {
		return head.kind() + (head.apiVersion().isEmpty() ? "" : " of " + head.apiVersion());
	}

}
