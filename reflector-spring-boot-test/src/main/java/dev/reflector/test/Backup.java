package dev.reflector.test;

import java.util.List;
import java.util.Map;

/**
 * What an {@link EmbeddedApiServer} held at some time: all objects with their versions
 * and UIDs, and the version it had come to. Made by {@link EmbeddedApiServer#backup()}
 * for {@link EmbeddedApiServer#restore}.
 *
 * @since 0.1.0
 */
public final class Backup {

	private final Map<ServedType, List<StoredObject>> objects;

	private final long resourceVersion;

	Backup(Map<ServedType, List<StoredObject>> objects, long resourceVersion) {
		this.objects = objects;
		this.resourceVersion = resourceVersion;
	}

	Map<ServedType, List<StoredObject>> objects() {
		return this.objects;
	}

	/**
	 * The version a list had when the backup was made.
	 * @return the version
	 */
	public String resourceVersion() {
		return Long.toString(this.resourceVersion);
	}

	long version() {
		return this.resourceVersion;
	}

}
