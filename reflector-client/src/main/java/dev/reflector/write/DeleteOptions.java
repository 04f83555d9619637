package dev.reflector.write;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The options for deleting an object.
 *
 * @param dependents what happens to the objects that the deleted object owns, or
 * {@code null} for the default of the server
 * @param timeout the longest duration of a call, including repeated requests, or
 * {@code null} for the timeout of the writer
 * @since 0.1.0
 */
public record DeleteOptions(@Nullable Dependents dependents, @Nullable Duration timeout) {

	private static final DeleteOptions DEFAULTS = new DeleteOptions(null, null);

	/**
	 * Creates options, and checks the values.
	 * @throws IllegalArgumentException if the timeout is not positive
	 */
	public DeleteOptions {
		if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
			throw new IllegalArgumentException("the timeout must be positive");
		}
	}

	/**
	 * Returns the default options.
	 * @return the options
	 */
	public static DeleteOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns these options with another setting for owned objects.
	 * @param dependents what happens to the objects that the deleted object owns
	 * @return the options
	 */
	public DeleteOptions withDependents(Dependents dependents) {
		return new DeleteOptions(dependents, this.timeout);
	}

	/**
	 * Returns these options with a timeout for the call.
	 * @param timeout the timeout, which must be positive
	 * @return the options
	 */
	public DeleteOptions withTimeout(Duration timeout) {
		return new DeleteOptions(this.dependents, timeout);
	}

	/**
	 * What happens to the objects that a deleted object owns ({@code propagationPolicy}).
	 */
	public enum Dependents {

		/** The owned objects are deleted after the owner. */
		BACKGROUND,

		/** The owned objects are deleted before the owner. */
		FOREGROUND,

		/** The owned objects stay, but no longer have this owner. */
		ORPHAN

	}

}
