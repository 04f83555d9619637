package dev.reflector.test.internal.schema;

import org.jspecify.annotations.Nullable;

/**
 * The schema of a type.
 *
 * @param merging the schema for merging objects
 * @param coercion changes objects so that they fit the CRD, or {@code null} if there is
 * no CRD
 * @param status how the status is written
 * @param generations whether the server counts generations ({@code metadata.generation})
 */
public record ResourceSchema(MergeSchema merging, @Nullable Coercion coercion, StatusRule status, boolean generations) {

	/**
	 * How the status of an object is written.
	 */
	public enum StatusRule {

		/** Only through the subresource {@code status}. */
		SUBRESOURCE,

		/** Like any other field, because there is no subresource. */
		FIELD,

		/**
		 * Through the subresource or like any other field, because the type was
		 * registered without a definition.
		 */
		EITHER

	}

}
