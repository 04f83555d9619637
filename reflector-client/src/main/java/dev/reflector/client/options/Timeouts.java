package dev.reflector.client.options;

import java.time.Duration;

/**
 * How long a client waits.
 *
 * @param connect how long to wait for a connection
 * @param response how long to wait for a response to begin, counted from the moment when
 * the request should be sent
 * @param idle how long to wait for more of a response. After that, the connection counts
 * as lost: a watch ends as if the server had ended it, and a list fails
 * @param event how long one event of a watch may take, from its first byte to its last;
 * after that, the watch fails
 * @since 0.1.0
 */
public record Timeouts(Duration connect, Duration response, Duration idle, Duration event) {

	private static final Timeouts DEFAULTS = new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(65),
			Duration.ofSeconds(85), Duration.ofSeconds(60));

	/**
	 * Checks the values.
	 */
	public Timeouts {
		requirePositive(connect, "connect");
		requirePositive(response, "response");
		requirePositive(idle, "idle");
		requirePositive(event, "event");
	}

	/**
	 * 10 seconds for a connection, 65 seconds for a response to begin, 85 seconds for
	 * more of it, and 60 seconds for one event of a watch.
	 * @return the timeouts
	 */
	public static Timeouts defaults() {
		return DEFAULTS;
	}

	private static void requirePositive(Duration value, String name) {
		if (value.isNegative() || value.isZero()) {
			throw new IllegalArgumentException("'" + name + "' must be positive");
		}
	}

}
