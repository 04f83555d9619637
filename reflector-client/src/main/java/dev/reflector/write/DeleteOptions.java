package dev.reflector.write;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How an object is deleted.
 *
 * @param dependents what happens to the objects that it owns, {@code null} for the
 * default of the server
 * @param timeout how long a call may take, including repeated requests; {@code null} for
 * the timeout of the writer
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
	 * Returns the default options.
	 * @return the options
	 */
	public static DeleteOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns these options with another treatment of the objects that the deleted one
	 * owns.
	 * @param dependents what happens to these objects
	 * @return the options
	 */
	public DeleteOptions withDependents(Dependents dependents) {
		return new DeleteOptions(dependents, this.timeout);
	}

	/**
	 * Returns these options with a timeout for the call.
	 * @param timeout the time, positive
	 * @return the options
	 */
	public DeleteOptions withTimeout(Duration timeout) {
		return new DeleteOptions(this.dependents, timeout);
	}

	/**
	 * What happens to the objects that a deleted one owns ({@code propagationPolicy}).
	 */
	public enum Dependents {

		/** The owned objects are deleted after the owner. */
		BACKGROUND,

		/** The owned objects are deleted before the owner. */
		FOREGROUND,

		/** The owned objects stay, without this owner. */
		ORPHAN

	}

}
