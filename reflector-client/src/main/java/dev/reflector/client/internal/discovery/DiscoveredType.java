package dev.reflector.client.internal.discovery;

/**
 * A type as the server tells of it.
 *
 * @param kind kind of its objects
 * @param plural its name in URLs
 * @param namespaced whether its objects are in namespaces
 * @param listable whether it can be listed
 */
record DiscoveredType(String kind, String plural, boolean namespaced, boolean listable) {

}
