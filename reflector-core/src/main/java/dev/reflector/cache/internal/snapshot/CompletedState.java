package dev.reflector.cache.internal.snapshot;

import java.util.Set;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.PersistentMap;

/**
 * A state of the mirror. Every handler has completed all changes up to this state.
 *
 * @param <T> the type of the objects
 * @param version the resource version of the state, empty before the first list
 * @param objects the objects of all namespaces
 * @param mark the number of the last batch of announced additions that precedes the state
 * @param undecided keys of stored objects with unreadable content that are missing in
 * this state, although the server has not yet shown whether they still exist
 */
public record CompletedState<T>(String version, PersistentMap<ResourceKey, T> objects, long mark,
		Set<ResourceKey> undecided) {

}
