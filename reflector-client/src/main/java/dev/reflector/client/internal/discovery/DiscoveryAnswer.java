package dev.reflector.client.internal.discovery;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A response to discovery or to {@code GET /version}.
 *
 * @param versions the types of each API version in an {@code APIGroupDiscoveryList},
 * without versions that the server marks as stale; {@code null} for another response
 * @param resources the types of one API version in an {@code APIResourceList}, or
 * {@code null} for another response
 * @param groupVersions the versions of a group in an {@code APIGroup}
 * @param apiVersions the API versions of all groups, in an {@code APIGroupDiscoveryList}
 * or {@code APIGroupList}
 * @param versionInfo whether the response contains the version of a Kubernetes server
 */
record DiscoveryAnswer(@Nullable Map<String, List<DiscoveredType>> versions, @Nullable List<DiscoveredType> resources,
		List<String> groupVersions, List<String> apiVersions, boolean versionInfo) {

}
