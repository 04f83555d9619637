package dev.reflector.test.internal.store;

import java.util.List;
import java.util.Map;

import dev.reflector.test.internal.api.ServedType;

/**
 * What a store held at some time. Never changes.
 *
 * @param objects the objects of each type that was served, by ascending key
 * @param resourceVersion the version that the store had come to
 */
public record StoreContents(Map<ServedType, List<ObjectRevision>> objects, long resourceVersion) {

}
