package dev.reflector.write;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The options for applying or creating a record.
 *
 * @param force whether to take over fields that other managers own. If {@code false},
 * which is the default, a write that would change such a field fails with a
 * {@link WriteConflictException}
 * @param manager the field manager, or {@code null} for the manager of the record's type
 * @param timeout the longest duration of a call, including repeated requests, or
 * {@code null} for the timeout of the writer
 * @since 0.1.0
 */
public record ApplyOptions(boolean force, @Nullable String manager, @Nullable Duration timeout) {

	private static final ApplyOptions DEFAULTS = new ApplyOptions(false, null, null);

	/**
	 * Creates options, and checks the values.
	 * @throws IllegalArgumentException if the name of the manager is empty, or if the
	 * timeout is not positive
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
	 * Returns the default options.
	 * @return the options
	 */
	public static ApplyOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns these options with {@code force}, which takes over fields that other
	 * managers own.
	 * @return the options
	 */
	public ApplyOptions withForce() {
		return new ApplyOptions(true, this.manager, this.timeout);
	}

	/**
	 * Returns these options with another manager.
	 * @param manager the manager, not empty, up to 128 bytes in UTF-8
	 * @return the options
	 */
	public ApplyOptions withManager(String manager) {
		return new ApplyOptions(this.force, manager, this.timeout);
	}

	/**
	 * Returns these options with a timeout for the call.
	 * @param timeout the timeout, which must be positive
	 * @return the options
	 */
	public ApplyOptions withTimeout(Duration timeout) {
		return new ApplyOptions(this.force, this.manager, timeout);
	}

}
