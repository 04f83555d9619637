package dev.reflector.client.internal.bind;

/**
 * A component that would not be written as it is declared.
 *
 * @param path the names that lead to it, such as {@code spec.host}; empty for the type
 * itself
 * @param reason why it would not
 */
public record UnsentComponent(String path, Reason reason) {

	/** Why a component would not be written as it is declared. */
	public enum Reason {

		/** The JSON of the application does not have it, or Jackson does not read it. */
		KEPT_OUT("would not be sent, because an annotation, a mix-in or a filter keeps it out of the JSON",
				"Remove that, or the component: an applied record has exactly the fields that are sent."),

		/** A serializer of the application writes it, and no deserializer reads it. */
		SERIALIZER("would be sent without its serializer, because it has no deserializer",
				"Declare the type that is sent, such as String, or add a deserializer for the same form."),

		/** It has an inclusion other than {@code NON_NULL}. */
		INCLUSION("has a @JsonInclude that would have no effect",
				"Remove it: null is not sent, and everything else is; set to null what is not to be sent."),

		/** It has a shape in which it would not be written. */
		SHAPE("has a @JsonFormat whose shape would have no effect",
				"Declare the type that is sent, such as String for a text or Integer for a number."),

		/** It is a property of the JSON that is no component. */
		ADDED("would not be sent, because it is no component of the record", "Declare it as a component.");

		private final String problem;

		private final String advice;

		Reason(String problem, String advice) {
			this.problem = problem;
			this.advice = advice;
		}

		/**
		 * Returns what is wrong.
		 * @return text that follows the name of the component
		 */
		public String problem() {
			return this.problem;
		}

		/**
		 * Returns what to do about it.
		 * @return a sentence
		 */
		public String advice() {
			return this.advice;
		}

	}

}
