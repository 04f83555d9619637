package dev.reflector.integration;

import java.io.IOException;
import java.util.List;

/**
 * A store whose application is killed, and what can befall it.
 */
interface CrashStore extends AutoCloseable {

	/** Begins with nothing stored. */
	void begin() throws Exception;

	/** Where the application keeps its snapshot: a file, or the URL of a database. */
	String place();

	/**
	 * Reads what is stored.
	 * @param dead whether the application is dead: then waits until the store has ended
	 * what it had begun
	 */
	StoredMirror read(boolean dead);

	/** Keeps a copy of what is stored now, in place of an earlier copy. */
	void copy() throws Exception;

	/** Puts the copy in the place of what is stored, while no application runs. */
	void restore() throws Exception;

	/** What befalls this store or its application, each kind once. */
	List<Disturbance> disturbances();

	/** Names of those that the full form has all, the stores together each kind. */
	List<String> ofFullForm();

	@Override
	void close() throws IOException;

}
