package dev.reflector.benchmark.client;

import java.net.URI;
import java.util.List;

import dev.reflector.benchmark.server.Kind;

/**
 * A client under test.
 */
public interface MirrorClient {

	/**
	 * Builds the client, calls {@link Probe#begin()} immediately before the first request
	 * can be made, and starts mirroring.
	 * @param server the URL of the server
	 * @param kind what to mirror, in all namespaces
	 * @param probe notified of every call of every listener
	 * @throws Exception when it cannot start
	 */
	void start(URI server, Kind kind, Probe probe) throws Exception;

	/**
	 * Builds the client, and mirrors the pods of several namespaces, {@code ns0},
	 * {@code ns1} and so forth, each in a separate mirror.
	 * @param server the URL of the server
	 * @param mirrors the number of namespaces
	 * @throws Exception when it cannot start
	 */
	void startMany(URI server, int mirrors) throws Exception;

	/**
	 * Returns how many objects the mirror contains now.
	 * @return the number; negative if the client does not report it, or if there is no
	 * mirror yet
	 */
	default int readable() {
		return -1;
	}

	/**
	 * Returns the objects in the mirror.
	 * @return the objects, whose hash codes depend on all their fields, and are the same
	 * in every process; none if the client does not report objects
	 */
	default List<?> objects() {
		return List.of();
	}

	/**
	 * Stops mirroring, like an application that ends.
	 */
	default void stop() {
	}

	/**
	 * Returns how many listeners receive each change.
	 * @return the number
	 */
	default int listeners() {
		return 1;
	}

}
