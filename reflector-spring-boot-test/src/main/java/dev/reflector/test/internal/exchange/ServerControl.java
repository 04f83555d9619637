package dev.reflector.test.internal.exchange;

import java.time.Duration;
import java.time.Instant;

import dev.reflector.test.internal.store.StoreContents;

/**
 * What a fault may do to the whole server, from any thread, those of a network event loop
 * included: nothing in here waits for connections or threads to end.
 */
public interface ServerControl {

	/**
	 * Forgets all history.
	 */
	void compact();

	/**
	 * Goes back.
	 * @param backup to what
	 * @throws IllegalArgumentException when the server of the backup had other types
	 */
	void restore(StoreContents backup);

	/**
	 * What time it is for the server.
	 * @return the time
	 */
	Instant now();

	/**
	 * Closes new connections as soon as they are accepted.
	 * @param connections how many of them
	 */
	void turnAway(int connections);

	/**
	 * Breaks off all connections and refuses new ones for a while.
	 * @param duration for how long
	 */
	void interrupt(Duration duration);

	/**
	 * Refuses new connections for a while.
	 * @param duration for how long
	 * @param then what to do once they are refused
	 */
	void refuse(Duration duration, Runnable then);

}
