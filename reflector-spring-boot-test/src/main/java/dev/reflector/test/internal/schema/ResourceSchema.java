package dev.reflector.test.internal.schema;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a type.
 *
 * @param merging how its objects are merged
 * @param coercion what its CRD allows, {@code null} when there is no CRD
 * @param status how its status is written
 * @param generations whether its objects have generations
 */
public record ResourceSchema(MergeSchema merging, @Nullable Coercion coercion, StatusRule status, boolean generations) {

	/**
	 * How the status of an object is written.
	 */
	public enum StatusRule {

		/** By its subresource only. */
		SUBRESOURCE,

		/** As any other field: there is no subresource. */
		FIELD,

		/** Either way: the type was not described. */
		EITHER

	}

}
