package dev.reflector.test.internal.store;

import java.util.List;
import java.util.Map;

import dev.reflector.test.internal.api.ServedType;

/**
 * The contents of a store at one time. Immutable.
 *
 * @param objects the objects of each type that was served, by ascending key
 * @param resourceVersion the version that the store had then
 */
public record StoreContents(Map<ServedType, List<ObjectRevision>> objects, long resourceVersion) {

}
