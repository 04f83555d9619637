package dev.reflector.client.internal.discovery;

/**
 * A type that the server serves.
 *
 * @param kind the kind of its objects
 * @param plural the plural, which is the name of the type in URLs
 * @param namespaced whether its objects have namespaces
 * @param listable whether it can be listed
 * @param watchable whether it can be watched
 */
record DiscoveredType(String kind, String plural, boolean namespaced, boolean listable, boolean watchable) {

}
