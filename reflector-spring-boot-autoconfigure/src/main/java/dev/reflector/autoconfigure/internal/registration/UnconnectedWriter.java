package dev.reflector.autoconfigure.internal.registration;

import dev.reflector.ResourceKey;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.ApplyOptions;
import dev.reflector.write.DeleteOptions;
import dev.reflector.write.ResourceWriter;
import dev.reflector.write.Written;

/**
 * The writer of an application without an API server. The application starts although it
 * cannot write, just as it starts with reflectors that have no server. Each write fails
 * with a message that says which property to set.
 */
final class UnconnectedWriter implements ResourceWriter {

	@Override
	public <T> Written<T> apply(T applied, ApplyOptions options) {
		throw unconnected();
	}

	@Override
	public <T> Written<T> status(AppliedMeta metadata, T status, ApplyOptions options) {
		throw unconnected();
	}

	@Override
	public <T> Written<T> create(T created, ApplyOptions options) {
		throw unconnected();
	}

	@Override
	public <T> Written<T> delete(Class<T> type, ResourceKey key, String uid, DeleteOptions options) {
		throw unconnected();
	}

	private static IllegalStateException unconnected() {
		return new IllegalStateException("Nothing is written: " + ApiServerConnection.NOT_CONFIGURED);
	}

}
