package dev.reflector.test;

import dev.reflector.test.internal.store.StoreContents;

/**
 * The state of an {@link EmbeddedApiServer} at one time: all objects with their versions
 * and UIDs, and the server's current version. {@link EmbeddedApiServer#backup()} makes a
 * backup, and {@link EmbeddedApiServer#restore} restores it.
 *
 * @since 0.1.0
 */
public final class Backup {

	private final StoreContents state;

	Backup(StoreContents state) {
		this.state = state;
	}

	StoreContents state() {
		return this.state;
	}

	/**
	 * Returns the version of the server when the backup was made.
	 * @return the version
	 */
	public String resourceVersion() {
		return Long.toString(this.state.resourceVersion());
	}

}
