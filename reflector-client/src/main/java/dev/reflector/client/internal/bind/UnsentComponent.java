package dev.reflector.client.internal.bind;

/**
 * A component that would not be written as it is declared.
 *
 * @param path the names of the components from the whole object to this one, such as
 * {@code spec.host}; empty for the type itself
 * @param reason why the component would not be written as it is declared
 */
public record UnsentComponent(String path, Reason reason) {

	/** Why a component would not be written as it is declared. */
	public enum Reason {

		/**
		 * The application's own JSON does not contain the component, or Jackson does not
		 * read the component.
		 */
		KEPT_OUT("would not be sent, because an annotation, a mix-in or a filter keeps it out of the JSON",
				"Remove that, or the component: an applied record has exactly the fields that are sent."),

		/**
		 * A serializer of the application writes the component, but no deserializer of
		 * the application reads it.
		 */
		SERIALIZER("would be sent without its serializer, because it has no deserializer",
				"Declare the type that is sent, such as String, or add a deserializer for the same form."),

		/** The component has a {@code @JsonInclude} other than {@code NON_NULL}. */
		INCLUSION("has a @JsonInclude that would have no effect",
				"Remove it: null is not sent, and everything else is; set to null what is not to be sent."),

		/**
		 * The component has a {@code @JsonFormat} with a shape, but would be written in
		 * another shape.
		 */
		SHAPE("has a @JsonFormat whose shape would have no effect",
				"Declare the type that is sent, such as String for a text or Integer for a number."),

		/** The application writes a property that is no component of the type. */
		ADDED("would not be sent, because it is no component of the record", "Declare it as a component.");

		private final String problem;

		private final String advice;

		Reason(String problem, String advice) {
			this.problem = problem;
			this.advice = advice;
		}

		/**
		 * Returns what is wrong with the component.
		 * @return a text for messages, to follow the name of the component
		 */
		public String problem() {
			return this.problem;
		}

		/**
		 * Returns what to do about the problem.
		 * @return one sentence or more
		 */
		public String advice() {
			return this.advice;
		}

	}

}
