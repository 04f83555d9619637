package dev.reflector.test.internal.schema;

import org.jspecify.annotations.Nullable;

/**
 * The schema of a type.
 *
 * @param merging the schema for merging objects
 * @param coercion adapts objects to the CRD, or {@code null} if there is no CRD
 * @param status how the status is written
 * @param generations whether the objects have generations
 */
public record ResourceSchema(MergeSchema merging, @Nullable Coercion coercion, StatusRule status, boolean generations) {

	/**
	 * How the status of an object is written.
	 */
	public enum StatusRule {

		/** Only by its subresource. */
		SUBRESOURCE,

		/** Like any other field, because there is no subresource. */
		FIELD,

		/** In both ways, because the type was registered without a definition. */
		EITHER

	}

}
