package dev.reflector.test.internal.write;

import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.schema.Schemas;
import dev.reflector.test.internal.store.ObjectStore;

/**
 * Makes the writers for the types of a server.
 *
 * @param store the data
 * @param schemas the schemas of the types
 * @param garbageCollection whether objects are deleted with their owners
 */
public record Writes(ObjectStore store, Schemas schemas, boolean garbageCollection) {

	public ResourceWrites of(ServedType type) {
		return new ResourceWrites(this, type);
	}

}
