package dev.reflector.test.internal.exchange;

import java.time.Duration;
import java.time.Instant;

import dev.reflector.test.internal.store.StoreContents;

/**
 * Actions by which faults affect the whole server. Any thread may call them, even a
 * network event loop, because they never wait until connections or threads have ended.
 */
public interface ServerControl {

	/**
	 * Forgets all history.
	 */
	void compact();

	/**
	 * Restores a backup.
	 * @param backup the backup
	 * @throws IllegalArgumentException if the server of the backup had other types
	 */
	void restore(StoreContents backup);

	/**
	 * Returns the current time of the server.
	 * @return the time
	 */
	Instant now();

	/**
	 * Closes new connections as soon as they are accepted.
	 * @param connections how many connections to close
	 */
	void turnAway(int connections);

	/**
	 * Breaks all connections and refuses new connections for some time.
	 * @param duration how long to refuse connections
	 */
	void interrupt(Duration duration);

	/**
	 * Refuses new connections for some time.
	 * @param duration how long to refuse connections
	 * @param then runs as soon as new connections are refused
	 */
	void refuse(Duration duration, Runnable then);

}
