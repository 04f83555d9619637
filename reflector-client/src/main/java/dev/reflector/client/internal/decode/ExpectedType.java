package dev.reflector.client.internal.decode;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * The type that objects of a collection may say they have.
 *
 * @param resourceType type of the collection
 * @param metadataOnly whether the server was asked for metadata alone, whose kind is the
 * same for all collections (W-59)
 */
public record ExpectedType(ResourceType resourceType, boolean metadataOnly) {

	/**
	 * Compares the type that an object names with the expected one.
	 * @param head the object
	 * @return what is wrong with it, {@code null} when it may be of the expected type
	 */
	@Nullable String mismatch(ObjectHead head) {
		String kind = head.kind();
		String apiVersion = head.apiVersion();
		if (this.metadataOnly && "PartialObjectMetadata".equals(kind) && apiVersion != null
				&& apiVersion.startsWith("meta.k8s.io/")) {
			return null;
		}
		// R-70; W-15: items of lists commonly say nothing
		boolean other = (kind != null && !kind.equals(this.resourceType.kind()))
				|| (apiVersion != null && !apiVersion.equals(this.resourceType.apiVersion()));
		return other ? "the server sent an object of another type (" + apiVersion + " " + kind + ")" : null;
	}

	/**
	 * Whether an object that is not of the expected type is another object altogether.
	 * Another version of the type is still the same object.
	 * @param head the object
	 * @return whether its name and version say nothing about an object of the collection
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
