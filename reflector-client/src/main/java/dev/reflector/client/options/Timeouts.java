package dev.reflector.client.options;

import java.time.Duration;

/**
 * How long a client waits.
 *
 * @param connect for a connection
 * @param response for an answer to begin, from the moment the request is to be sent
 * @param idle for more of an answer, after which its silence counts as the end of the
 * connection (E-02): a watch is then closed as if the server had ended it, a list fails
 * @param event for one event of a watch, from its first byte to its last; then the watch
 * fails
 * @since 0.1.0
 */
public record Timeouts(Duration connect, Duration response, Duration idle, Duration event) {

	private static final Duration EVENT = Duration.ofSeconds(60);

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
	 * Timeouts with 60 seconds for one event of a watch.
	 * @param connect for a connection
	 * @param response for an answer to begin
	 * @param idle for more of an answer
	 */
	public Timeouts(Duration connect, Duration response, Duration idle) {
		this(connect, response, idle, EVENT);
	}

	private static void requirePositive(Duration value, String name) {
		if (value.isNegative() || value.isZero()) {
			throw new IllegalArgumentException("'" + name + "' must be positive");
		}
	}

}
