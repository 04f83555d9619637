package dev.reflector.test;

import dev.reflector.test.internal.store.StoreContents;

/**
 * What an {@link EmbeddedApiServer} held at some time: all objects with their versions
 * and UIDs, and the version it had come to. Made by {@link EmbeddedApiServer#backup()}
 * for {@link EmbeddedApiServer#restore}.
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
	 * The version a list had when the backup was made.
	 * @return the version
	 */
	public String resourceVersion() {
		return Long.toString(this.state.resourceVersion());
	}

}
