package dev.reflector.cache.internal.snapshot;

import java.util.Set;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.PersistentMap;

/**
 * A state of the mirror that every handler has completed.
 *
 * @param <T> the type of the objects
 * @param version the version of the server, empty before the first list
 * @param objects the objects of all namespaces
 * @param mark the number of the last batch of announcements before the state
 * @param undecided keys of stored objects whose content cannot be read, and which the
 * state lacks only because the server has not decided about them
 */
public record CompletedState<T>(String version, PersistentMap<ResourceKey, T> objects, long mark,
		Set<ResourceKey> undecided) {

}
