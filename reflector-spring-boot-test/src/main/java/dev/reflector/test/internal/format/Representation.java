package dev.reflector.test.internal.format;

import dev.reflector.test.internal.api.ApiFailure;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which parts of objects a client receives, and in which format.
 *
 * @param format the format of the bytes
 * @param view the parts of each object
 * @param version for views of metadata, the version of {@code meta.k8s.io} that the
 * client has requested, else empty
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
	 * Returns this representation, if it can be used for a single object.
	 * @return this representation
	 * @throws ApiFailure if this is a representation of lists
	 */
	public Representation forObject() {
		if (this.view == View.METADATA_LIST) {
			throw ApiFailure
				.notAcceptable("you requested PartialObjectMetadataList, but the requested object is not a list");
		}
		return this;
	}

	/**
	 * Returns this representation, if it can be used for a list.
	 * @return this representation
	 * @throws ApiFailure if this is a representation of single objects
	 */
	public Representation forList() {
		if (this.view == View.METADATA) {
			// the message names the Go type of lists of custom resources; for built-in
			// types, a real server names another type
			throw ApiFailure.notAcceptable("you requested PartialObjectMetadata, but the requested object is a list"
					+ " (*unstructured.UnstructuredList)");
		}
		return this;
	}

	/**
	 * Returns the representation for each object of a list that has this representation.
	 * @param untyped whether whole objects are shown without kind and API version;
	 * ignored for views of metadata
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
	 * @return the bytes of the object, to be sent alone or within a frame
	 */
	public byte[] write(ObjectNode object, long order) {
		return this.format.bytes(this.view.of(object, this.version), order);
	}

}
