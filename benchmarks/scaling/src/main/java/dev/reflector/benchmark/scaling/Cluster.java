package dev.reflector.benchmark.scaling;

import java.net.URI;
import java.util.Map;

/**
 * The server that replicas mirror.
 */
interface Cluster extends AutoCloseable {

	/** Where it is. */
	URI url();

	/**
	 * How a replica finds it that is to connect to a port of this machine instead.
	 * @return a property
	 */
	String property(int port) throws Exception;

	/** Creates objects. */
	void fill(Objects objects) throws Exception;

	/** Changes as many objects, each once. */
	void change(Objects objects, int count) throws Exception;

	/** What the server has done since it was started, or that was asked last. */
	Map<String, Object> report() throws Exception;

	/** Begins to count anew, where that is possible. */
	void reset();

	@Override
	void close();

}
