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
	 * @param server where the server is
	 * @param kind what to mirror, in all namespaces
	 * @param probe hears every call of every listener
	 * @throws Exception when it cannot start
	 */
	void start(URI server, Kind kind, Probe probe) throws Exception;

	/**
	 * Builds the client, and mirrors the pods of so many namespaces, {@code ns0} and so
	 * on, each by a mirror of its own.
	 * @param server where the server is
	 * @param mirrors how many
	 * @throws Exception when it cannot start
	 */
	void startMany(URI server, int mirrors) throws Exception;

	/**
	 * How many objects can be read from the mirror now.
	 * @return the number; negative when the client does not say, or when there is no
	 * mirror yet
	 */
	default int readable() {
		return -1;
	}

	/**
	 * What the mirror has now.
	 * @return the objects, whose hash codes are made of all that they hold, in the same
	 * way in every process; none when the client does not say
	 */
	default List<?> objects() {
		return List.of();
	}

	/**
	 * Stops mirroring, as an application does that ends.
	 */
	default void stop() {
	}

	/**
	 * How many listeners hear each change.
	 * @return the number
	 */
	default int listeners() {
		return 1;
	}

}
