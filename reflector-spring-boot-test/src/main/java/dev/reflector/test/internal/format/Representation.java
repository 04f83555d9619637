package dev.reflector.test.internal.format;

import dev.reflector.test.internal.api.ApiFailure;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a client gets to see of objects, and how it is written.
 *
 * @param format how it is written
 * @param view how much of each object
 * @param version the version of {@code meta.k8s.io} for views of metadata, else empty
 */
public record Representation(WireFormat format, View view, String version) {

	/** What every object is kept as. */
	public static final Representation PLAIN = of(WireFormat.JSON);

	public static Representation of(WireFormat format) {
		return new Representation(format, View.WHOLE, "");
	}

	public boolean partial() {
		return this.view == View.METADATA || this.view == View.METADATA_LIST;
	}

	/**
	 * The same for one object.
	 * @return this representation
	 * @throws ApiFailure when it is one of lists
	 */
	public Representation forObject() {
		if (this.view == View.METADATA_LIST) {
			throw ApiFailure
				.notAcceptable("you requested PartialObjectMetadataList, but the requested object is not a list");
		}
		return this;
	}

	/**
	 * The same for a list.
	 * @return this representation
	 * @throws ApiFailure when it is one of single objects
	 */
	public Representation forList() {
		if (this.view == View.METADATA) {
			// the Go type of lists of custom resources; those of built-in types are
			// others
			throw ApiFailure.notAcceptable("you requested PartialObjectMetadata, but the requested object is a list"
					+ " (*unstructured.UnstructuredList)");
		}
		return this;
	}

	/**
	 * The same for the objects of a list.
	 * @param untyped whether they leave out what they are, when they are shown whole
	 * @return the representation of the objects
	 */
	public Representation forItems(boolean untyped) {
		View view = partial() ? View.METADATA : (untyped ? View.ITEM : this.view);
		return new Representation(this.format, view, this.version);
	}

	/**
	 * Writes an object.
	 * @param object the object, which this method may change
	 * @param order what the order of map keys hangs on, where it is none of the object
	 * @return the object as it stands alone or as the object of a frame
	 */
	public byte[] write(ObjectNode object, long order) {
		return this.format.bytes(this.view.of(object, this.version), order);
	}

}
