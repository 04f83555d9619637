package dev.reflector.integration;

import java.io.IOException;
import java.util.List;

/**
 * A store whose application is killed, and what can befall it.
 */
interface CrashStore extends AutoCloseable {

	/** Begins with nothing stored. */
	void begin() throws Exception;

	/**
	 * Returns the place of the application's snapshot: a file, or the URL of a database.
	 */
	String place();

	/**
	 * Reads what is stored.
	 * @param dead whether the application is dead: then waits until the store has ended
	 * what it had begun
	 */
	StoredMirror read(boolean dead);

	/** Copies the stored state, in place of an earlier copy. */
	void copy() throws Exception;

	/** Replaces the stored state by the copy, while no application runs. */
	void restore() throws Exception;

	/** Returns the disturbances of this store or its application, each kind once. */
	List<Disturbance> disturbances();

	/**
	 * Returns the names of the disturbances in the full form. All stores together have
	 * each kind.
	 */
	List<String> ofFullForm();

	@Override
	void close() throws IOException;

}
