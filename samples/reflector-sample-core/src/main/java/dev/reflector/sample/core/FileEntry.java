package dev.reflector.sample.core;

import java.time.Instant;

import dev.reflector.ResourceKey;
import dev.reflector.cache.source.ResourceAccessor;

/**
 * A file of the folder. An object of a mirror can be of any type: an accessor tells its
 * key and version.
 *
 * @param name name of the file
 * @param size its size in bytes
 * @param modified when it was last modified
 * @param version number of the change that it came with
 */
record FileEntry(String name, long size, Instant modified, long version) {

	static final ResourceAccessor<FileEntry> ACCESSOR = new ResourceAccessor<>() {

		@Override
		public ResourceKey key(FileEntry file) {
			return ResourceKey.of(null, file.name());
		}

		@Override
		public String resourceVersion(FileEntry file) {
			return Long.toString(file.version());
		}

	};

	boolean isSameAs(FileEntry other) {
		return this.size == other.size && this.modified.equals(other.modified);
	}

}
