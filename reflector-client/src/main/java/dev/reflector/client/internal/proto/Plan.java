package dev.reflector.client.internal.proto;

import org.jspecify.annotations.Nullable;

/**
 * Describes what to do with each field of a message. A message may contain itself, so the
 * steps are set after the plan was created.
 */
final class Plan {

	private static final Step[] NONE = {};

	private final boolean choice;

	/**
	 * The steps by field number; a field without a step is skipped without being read.
	 */
	private @Nullable Step[] steps = NONE;

	/** The fields that are written as null when they are absent. */
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

	/** Returns the step of the field with the largest number. */
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
	 * @param key its name as JSON text, with the colon
	 * @param bit a bit that no other field of the message has
	 * @param plan the plan of its message, {@code null} when it is not a message
	 */
	record Step(Field field, byte[] key, long bit, @Nullable Plan plan) {

	}

}
