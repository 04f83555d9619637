package dev.reflector.benchmark.scaling;

import java.net.URI;
import java.util.Map;

/**
 * The server that replicas mirror.
 */
interface Cluster extends AutoCloseable {

	/** Returns the URL of the server. */
	URI url();

	/**
	 * Returns how a replica connects to the server through a port of this machine.
	 * @return a property
	 */
	String property(int port) throws Exception;

	/** Creates objects. */
	void fill(Objects objects) throws Exception;

	/** Changes the given number of objects, each once. */
	void change(Objects objects, int count) throws Exception;

	/** Returns what the server has done since its start, or since the last reset. */
	Map<String, Object> report() throws Exception;

	/** Resets the counts, if possible. */
	void reset();

	@Override
	void close();

}
