package dev.reflector.client.internal.decode;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * The type that objects of a collection must have.
 *
 * @param resourceType the type of the collection
 * @param metadataOnly whether only metadata is requested; such objects have the same kind
 * in all collections (W-59)
 */
public record ExpectedType(ResourceType resourceType, boolean metadataOnly) {

	/**
	 * Compares the type of an object with the expected type.
	 * @param head the head of the object
	 * @return the mismatch in words, or {@code null} for none
	 */
	@Nullable String mismatch(ObjectHead head) {
		String kind = head.kind();
		String apiVersion = head.apiVersion();
		if (this.metadataOnly && "PartialObjectMetadata".equals(kind) && apiVersion != null
				&& apiVersion.startsWith("meta.k8s.io/")) {
			return null;
		}
		// R-70; W-15: items of lists usually have neither kind nor API version
		boolean other = (kind != null && !kind.equals(this.resourceType.kind()))
				|| (apiVersion != null && !apiVersion.equals(this.resourceType.apiVersion()));
		return other ? "the server sent an object of another type (" + apiVersion + " " + kind + ")" : null;
	}

	/**
	 * Returns whether an object of an unexpected type cannot be an object of the
	 * collection. If only the API version differs, the result is {@code false}.
	 * @param head the head of the object
	 * @return {@code true} if the name and version of the object belong to no object of
	 * the collection
	 */
	boolean isForeign(ObjectHead head) {
		String group = this.resourceType.group();
		String apiVersion = head.apiVersion();
		boolean otherGroup = apiVersion != null
				&& (group.isEmpty() ? apiVersion.indexOf('/') >= 0 : !apiVersion.startsWith(group + "/"));
		return otherGroup || (head.kind() != null && !head.kind().equals(this.resourceType.kind()));
	}

	@Override
	public String toString() {
		return this.resourceType.toString();
	}

}
