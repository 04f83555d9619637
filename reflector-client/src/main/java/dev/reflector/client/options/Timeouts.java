package dev.reflector.client.options;

import java.time.Duration;

/**
 * The timeouts of a client.
 *
 * @param connect the longest time until a connection is made
 * @param response the longest time until a response begins, including the time to get a
 * connection
 * @param idle the longest time between two parts of a response. After a longer pause, the
 * connection counts as lost: a watch ends as if the server had ended it, and a list fails
 * @param event the longest time for one event of a watch, from its first byte to its last
 * byte; after that, the watch fails
 * @since 0.1.0
 */
public record Timeouts(Duration connect, Duration response, Duration idle, Duration event) {

	private static final Timeouts DEFAULTS = new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(65),
			Duration.ofSeconds(85), Duration.ofSeconds(60));

	/**
	 * Creates timeouts, and checks the values.
	 * @throws IllegalArgumentException when a timeout is not positive, when
	 * {@code connect} is longer than a day, or when another timeout is longer than 365
	 * days
	 */
	public Timeouts {
		// HTTP libraries count the milliseconds of this timeout in an int
		require(connect, "connect", 1);
		require(response, "response", 365);
		require(idle, "idle", 365);
		require(event, "event", 365);
	}

	/**
	 * Returns the default timeouts: 10 seconds for a connection, 65 seconds until a
	 * response begins, 85 seconds between two parts of a response, and 60 seconds for one
	 * event of a watch.
	 * @return the timeouts
	 */
	public static Timeouts defaults() {
		return DEFAULTS;
	}

	private static void require(Duration value, String name, int days) {
		if (value.isNegative() || value.isZero()) {
			throw new IllegalArgumentException("'" + name + "' must be positive");
		}
		if (value.compareTo(Duration.ofDays(days)) > 0) {
			throw new IllegalArgumentException("'" + name + "' must be " + days + "d at most");
		}
	}

}
