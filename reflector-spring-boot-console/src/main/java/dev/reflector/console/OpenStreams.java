package dev.reflector.console;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts open streams. A limit for each reader ensures that one reader cannot keep others
 * out. A limit for all readers together bounds memory and threads. Thread-safe.
 */
final class OpenStreams {

	/** Largest number of streams of all readers. */
	static final int MOST = 128;

	/**
	 * Largest number of streams of one reader. A reader is identified by the user;
	 * without a user, by the session; without a session, by the address.
	 */
	static final int MOST_OF_ONE = 16;

	private final Map<String, Integer> byReader = new HashMap<>();

	private int total;

	/**
	 * Throws an exception if another stream would exceed a limit.
	 * @param reader the reader of the stream
	 * @throws ConsoleProblem if there is no room
	 */
	synchronized void requireRoom(String reader) {
		if (this.byReader.getOrDefault(reader, 0) >= MOST_OF_ONE) {
			throw ConsoleProblem.unavailable(
					"you have " + MOST_OF_ONE + " open pages of the console, which is the most; close one of them");
		}
		if (this.total >= MOST) {
			throw ConsoleProblem.unavailable(
					"the console has " + MOST + " open pages of all users, which is the most; try again later");
		}
	}

	/**
	 * Counts a new stream if there is room for it.
	 * @param reader the reader of the stream
	 * @return whether there was room
	 */
	synchronized boolean open(String reader) {
		int own = this.byReader.getOrDefault(reader, 0);
		if (own >= MOST_OF_ONE || this.total >= MOST) {
			return false;
		}
		this.byReader.put(reader, own + 1);
		this.total++;
		return true;
	}

	synchronized void close(String reader) {
		this.byReader.computeIfPresent(reader, (key, own) -> (own > 1) ? own - 1 : null);
		this.total--;
	}

}
