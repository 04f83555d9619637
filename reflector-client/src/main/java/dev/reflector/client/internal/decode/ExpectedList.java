package dev.reflector.client.internal.decode;

import java.util.List;

import dev.reflector.ResourceType;
import dev.reflector.client.internal.frame.ListHead;
import dev.reflector.client.internal.frame.MalformedResponseException;

/**
 * Tells whether an answer is the list that was asked for. Anything else must never pass
 * for an empty collection.
 */
public final class ExpectedList {

	private final ResourceType resourceType;

	private final boolean metadataOnly;

	/** The kind that lists of the collection had before, empty when that is not known. */
	private volatile String seen = "";

	/**
	 * Expects the lists of one collection.
	 * @param resourceType type of the collection
	 * @param metadataOnly whether the server is asked for metadata alone (W-59)
	 */
	public ExpectedList(ResourceType resourceType, boolean metadataOnly) {
		this.resourceType = resourceType;
		this.metadataOnly = metadataOnly;
	}

	/**
	 * Checks a page.
	 * @param head what the list tells of itself
	 * @param items how many items it has
	 * @param foreign how many of them are objects of another type
	 * @throws MalformedResponseException when it is not the list that was asked for
	 */
	public void check(ListHead head, int items, int foreign) {
		String kind = head.kind();
		if (!mayBe(kind, head, items)) {
			throw new MalformedResponseException("the body is no list of " + this.resourceType + ", but "
					+ (kind.isEmpty() ? "an object without kind" : "of kind " + described(head)));
		}
		if (foreign > 0 && foreign == items) {
			throw new MalformedResponseException(
					"the body is no list of " + this.resourceType + ": all its objects are of another type");
		}
		if (!kind.isEmpty() && (items > 0 || kind.equals(this.resourceType.kind() + "List"))) {
			this.seen = kind;
		}
	}

	private boolean mayBe(String kind, ListHead head, int items) {
		if (kind.isEmpty()) {
			// who names no kind must at least have items, be they none or null
			return head.hasItems() && isOfVersion(head);
		}
		if (kind.equals("PartialObjectMetadataList")) {
			return this.metadataOnly && head.apiVersion().startsWith("meta.k8s.io/");
		}
		if (kind.equals(this.resourceType.kind() + "List")) {
			// some writers leave out an empty array
			return isOfVersion(head) && (head.hasItems() || head.metadata() != null);
		}
		if (!head.hasItems() || isKnownOther(kind)) {
			return false;
		}
		if (kind.equals("List") && List.of("", "v1").contains(head.apiVersion())) {
			return true;
		}
		// those who define a resource choose the name of its list, and discovery does
		// not tell it
		boolean custom = this.resourceType.group().indexOf('.') >= 0;
		return custom && isOfVersion(head) && (items > 0 || this.seen.isEmpty() || this.seen.equals(kind));
	}

	/** */
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
