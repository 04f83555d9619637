package dev.reflector.test.internal.format;

import dev.reflector.test.internal.api.ApiFailure;
import tools.jackson.databind.node.ObjectNode;

/**
 * The parts of objects that a client receives, and their format.
 *
 * @param format the format of the bytes
 * @param view the parts of each object
 * @param version the version of {@code meta.k8s.io} for views of metadata, else empty
 */
public record Representation(WireFormat format, View view, String version) {

	/** The representation in which every object is stored. */
	public static final Representation PLAIN = of(WireFormat.JSON);

	public static Representation of(WireFormat format) {
		return new Representation(format, View.WHOLE, "");
	}

	public boolean partial() {
		return this.view == View.METADATA || this.view == View.METADATA_LIST;
	}

	/**
	 * Checks this representation for a single object.
	 * @return this representation
	 * @throws ApiFailure if it is a representation of lists
	 */
	public Representation forObject() {
		if (this.view == View.METADATA_LIST) {
			throw ApiFailure
				.notAcceptable("you requested PartialObjectMetadataList, but the requested object is not a list");
		}
		return this;
	}

	/**
	 * Checks this representation for a list.
	 * @return this representation
	 * @throws ApiFailure if it is a representation of single objects
	 */
	public Representation forList() {
		if (this.view == View.METADATA) {
			// the Go type of lists of custom resources; lists of built-in types have
			// other types
			throw ApiFailure.notAcceptable("you requested PartialObjectMetadata, but the requested object is a list"
					+ " (*unstructured.UnstructuredList)");
		}
		return this;
	}

	/**
	 * Returns the representation of the objects of a list.
	 * @param untyped whether whole objects are shown without kind and API version
	 * @return the representation of the objects
	 */
	public Representation forItems(boolean untyped) {
		View view = partial() ? View.METADATA : (untyped ? View.ITEM : this.view);
		return new Representation(this.format, view, this.version);
	}

	/**
	 * Writes an object.
	 * @param object the object, which this method may change
	 * @param order seed for the order of map keys, if the format has no fixed order
	 * @return the bytes of the object, alone or as the object of a frame
	 */
	public byte[] write(ObjectNode object, long order) {
		return this.format.bytes(this.view.of(object, this.version), order);
	}

}
