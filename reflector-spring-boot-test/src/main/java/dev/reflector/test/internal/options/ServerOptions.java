package dev.reflector.test.internal.options;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.reflector.test.internal.api.ServedType;
import tools.jackson.databind.node.ObjectNode;

/**
 * The options of a server.
 *
 * @param port the port to listen on, 0 for any
 * @param types the types to serve
 * @param schemas the known schemas, by API version and kind
 * @param statusSubresources API versions and kinds whose status is a subresource
 * @param features the features of the server
 * @param historyWindow how many of the latest changes of each type are kept
 * @param continueTokenLife how long a list can be continued after its first page was read
 * @param bookmarkInterval time between bookmarks
 * @param bookmarkEvery after how many events a watch sends an additional bookmark, 0 for
 * never
 * @param minRequestTimeout shortest duration of a watch that requests no
 * {@code timeoutSeconds}
 * @param versionTimeout how long a request waits for a version that does not exist yet
 * @param clock measures the life of continue tokens, and how long requests are forbidden
 * after a restart
 * @param access which clients may connect, and how
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
