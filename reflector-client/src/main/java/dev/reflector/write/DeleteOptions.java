package dev.reflector.write;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How an object is deleted.
 *
 * @param dependents what becomes of the objects that it owns, {@code null} for what the
 * server does by default
 * @param timeout how long a call may take, with all that is repeated, {@code null} for
 * that of the writer
 * @since 0.1.0
 */
public record DeleteOptions(@Nullable Dependents dependents, @Nullable Duration timeout) {

	private static final DeleteOptions DEFAULTS = new DeleteOptions(null, null);

	/**
	 * Checks the options.
	 * @throws IllegalArgumentException when the timeout is not positive
	 */
	public DeleteOptions {
		if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
			throw new IllegalArgumentException("the timeout must be positive");
		}
	}

	/**
	 * What is used where nothing is named.
	 * @return the options
	 */
	public static DeleteOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Says what becomes of the objects that the deleted one owns.
	 * @param dependents what becomes of them
	 * @return the options
	 */
	public DeleteOptions withDependents(Dependents dependents) {
		return new DeleteOptions(dependents, this.timeout);
	}

	/**
	 * Limits how long the call may take.
	 * @param timeout the time, positive
	 * @return the options
	 */
	public DeleteOptions withTimeout(Duration timeout) {
		return new DeleteOptions(this.dependents, timeout);
	}

	/**
	 * What becomes of the objects that a deleted one owns ({@code propagationPolicy}).
	 */
	public enum Dependents {

		/** They are deleted after it. */
		BACKGROUND,

		/** They are deleted before it. */
		FOREGROUND,

		/** They stay, without this owner. */
		ORPHAN

	}

}
