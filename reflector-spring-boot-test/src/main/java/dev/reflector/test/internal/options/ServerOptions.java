package dev.reflector.test.internal.options;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.reflector.test.internal.api.ServedType;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a server should be like.
 *
 * @param port the port to listen on, 0 for any
 * @param types the types to serve
 * @param schemas their schemas by API version and kind, as far as they are known
 * @param statusSubresources of which of these the status is a subresource
 * @param features what it can do
 * @param historyWindow how many changes of each type are remembered
 * @param continueTokenLife how long after its first page a list can be continued
 * @param bookmarkInterval time between bookmarks
 * @param bookmarkEvery after how many events a bookmark comes, 0 for by time only
 * @param minRequestTimeout how long a watch lasts at least that names no time
 * @param versionTimeout how long a request waits for a version that is yet to come
 * @param clock what continue tokens are measured by
 * @param access who may connect, and how
 */
public record ServerOptions(int port, List<ServedType> types, Map<String, ObjectNode> schemas,
		Set<String> statusSubresources, Set<ServerFeature> features, int historyWindow, Duration continueTokenLife,
		Duration bookmarkInterval, int bookmarkEvery, Duration minRequestTimeout, Duration versionTimeout,
		InstantSource clock, AccessOptions access) {

	public ServerOptions {
		types = List.copyOf(types);
		schemas = Map.copyOf(schemas);
		statusSubresources = Set.copyOf(statusSubresources);
		features = Set.copyOf(features);
	}

	public boolean has(ServerFeature feature) {
		return this.features.contains(feature);
	}

}
