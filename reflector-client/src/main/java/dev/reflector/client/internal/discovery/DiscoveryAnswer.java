package dev.reflector.client.internal.discovery;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What could be read of an answer to discovery, or to the question for the version.
 *
 * @param versions the types of each API version, when it was an
 * {@code APIGroupDiscoveryList}, without versions of which the server itself knows only
 * what was there before
 * @param resources the types of one API version, when it was an {@code APIResourceList}
 * @param groupVersions the versions of a group, when it was an {@code APIGroup}
 * @param versionInfo whether it tells the version of a Kubernetes server
 */
record DiscoveryAnswer(@Nullable Map<String, List<DiscoveredType>> versions, @Nullable List<DiscoveredType> resources,
		List<String> groupVersions, boolean versionInfo) {

}
