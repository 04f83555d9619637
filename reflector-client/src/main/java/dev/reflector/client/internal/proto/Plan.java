package dev.reflector.client.internal.proto;

import org.jspecify.annotations.Nullable;

/**
 * Describes which fields of a message are written as JSON. A message may contain itself,
 * so the plan is created before its steps are set.
 */
final class Plan {

	private static final Step[] NONE = {};

	private final boolean choice;

	/** The steps by the number of their field. A field without a step is skipped. */
	private @Nullable Step[] steps = NONE;

	/** The steps of the fields that are written as null if they are absent. */
	private Step[] nullable = NONE;

	Plan(boolean choice) {
		this.choice = choice;
	}

	void setSteps(@Nullable Step[] steps, Step[] nullable) {
		this.steps = steps;
		this.nullable = nullable;
	}

	boolean isChoice() {
		return this.choice;
	}

	boolean isEmpty() {
		return this.steps.length == 0;
	}

	@Nullable Step step(int number) {
		return (number < this.steps.length) ? this.steps[number] : null;
	}

	/**
	 * Returns the step of the field with the largest number, or {@code null} if there is
	 * no step.
	 */
	@Nullable Step last() {
		return isEmpty() ? null : this.steps[this.steps.length - 1];
	}

	Step[] nullable() {
		return this.nullable;
	}

	/**
	 * A field that is written.
	 *
	 * @param field the field
	 * @param key the name of the property as JSON text, with the colon
	 * @param bit the bit that marks this field; no other field of the message has it
	 * @param plan the plan of the field's message, or {@code null} if the field is no
	 * message
	 */
	record Step(Field field, byte[] key, long bit, @Nullable Plan plan) {

	}

}
