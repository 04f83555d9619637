package dev.reflector.sharding;

import dev.reflector.ObjectMeta;

/**
 * The field whose hash decides which shard an object belongs to.
 *
 * @since 0.1.0
 */
public enum ShardField {

	/**
	 * The UID. Spreads objects evenly.
	 */
	UID("object.metadata.uid"),

	/**
	 * The namespace. Keeps all objects of a namespace together, including objects of
	 * different types. The shards are unequal if the sizes of the namespaces are.
	 */
	NAMESPACE("object.metadata.namespace");

	private final String path;

	ShardField(String path) {
		this.path = path;
	}

	/**
	 * Returns the path of the field in a selector.
	 * @return the path
	 */
	public String path() {
		return this.path;
	}

	/**
	 * Returns the value of the field.
	 * @param metadata metadata of an object
	 * @return the value, empty when the object has none
	 */
	public String value(ObjectMeta metadata) {
		String value = (this == UID) ? metadata.uid() : metadata.namespace();
		return (value != null) ? value : "";
	}

	@Override
	public String toString() {
		return this.path;
	}

}
