package dev.reflector.write;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How a record is applied or created.
 *
 * @param force whether to take fields over from other managers; by default not, and then
 * such a field is a {@link WriteConflictException}
 * @param manager the field manager, {@code null} for that of the record's type
 * @param timeout how long a call may take, with all that is repeated, {@code null} for
 * that of the writer
 * @since 0.1.0
 */
public record ApplyOptions(boolean force, @Nullable String manager, @Nullable Duration timeout) {

	private static final ApplyOptions DEFAULTS = new ApplyOptions(false, null, null);

	/**
	 * Checks the options.
	 * @throws IllegalArgumentException when the name of the manager is empty, or the
	 * timeout not positive
	 */
	public ApplyOptions {
		if (manager != null && manager.isEmpty()) {
			throw new IllegalArgumentException("the name of the manager must not be empty");
		}
		if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
			throw new IllegalArgumentException("the timeout must be positive");
		}
	}

	/**
	 * What is used where nothing is named.
	 * @return the options
	 */
	public static ApplyOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Takes fields over from other managers.
	 * @return the options
	 */
	public ApplyOptions withForce() {
		return new ApplyOptions(true, this.manager, this.timeout);
	}

	/**
	 * Applies as another manager.
	 * @param manager the manager, not empty, up to 128 bytes in UTF-8
	 * @return the options
	 */
	public ApplyOptions withManager(String manager) {
		return new ApplyOptions(this.force, manager, this.timeout);
	}

	/**
	 * Limits how long the call may take.
	 * @param timeout the time, positive
	 * @return the options
	 */
	public ApplyOptions withTimeout(Duration timeout) {
		return new ApplyOptions(this.force, this.manager, timeout);
	}

}
