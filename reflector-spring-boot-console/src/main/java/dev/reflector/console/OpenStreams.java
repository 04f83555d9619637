package dev.reflector.console;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts open streams. One reader cannot keep others out, because each has a limit. A
 * limit for all together bounds their memory and threads. Any thread may use it.
 */
final class OpenStreams {

	/** Of all readers. */
	static final int MOST = 128;

	/** Of one user, else of one session, else of one address. */
	static final int MOST_OF_ONE = 16;

	private final Map<String, Integer> byReader = new HashMap<>();

	private int total;

	/**
	 * Refuses a stream for which there is no room.
	 * @param reader who wants to read
	 * @throws ConsoleProblem when there is no room
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
	 * Takes a place.
	 * @param reader who reads
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
