package dev.reflector.benchmark.client;

import java.net.URI;

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
	 * How many listeners hear each change.
	 * @return the number
	 */
	default int listeners() {
		return 1;
	}

}
