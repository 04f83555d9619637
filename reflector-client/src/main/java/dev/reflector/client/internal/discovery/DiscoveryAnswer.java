package dev.reflector.client.internal.discovery;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A response to discovery or to {@code GET /version}.
 *
 * @param versions the types of each API version in an {@code APIGroupDiscoveryList},
 * without versions that the server marks as stale
 * @param resources the types of one API version in an {@code APIResourceList}
 * @param groupVersions the versions of a group in an {@code APIGroup}
 * @param apiVersions the API versions of all groups in either list of groups
 * @param versionInfo whether it contains the version of a Kubernetes server
 */
record DiscoveryAnswer(@Nullable Map<String, List<DiscoveredType>> versions, @Nullable List<DiscoveredType> resources,
		List<String> groupVersions, List<String> apiVersions, boolean versionInfo) {

}
