package dev.reflector.client.internal.proto;

import org.jspecify.annotations.Nullable;

/**
 * What to do with each field of a message. A message may contain itself, so the steps are
 * set after the plan was made.
 */
final class Plan {

	private static final Step[] NONE = {};

	private final boolean choice;

	/** By field number; what has no step is skipped unread. */
	private @Nullable Step[] steps = NONE;

	/** Fields that are null when they do not come. */
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

	/** The step of the field with the largest number. */
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
	 * @param plan what to do with its message, {@code null} when it is none
	 */
	record Step(Field field, byte[] key, long bit, @Nullable Plan plan) {

	}

}
