package dev.reflector.client.internal.decode;

import dev.reflector.ResourceKey;
import dev.reflector.client.internal.frame.JsonCursor;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object that can be read without its Java type: its type and identity.
 *
 * @param apiVersion its API version, or {@code null}
 * @param kind its kind, or {@code null}
 * @param name its name, or {@code null}
 * @param namespace its namespace, or {@code null}
 * @param resourceVersion its version, or {@code null}
 * @param initialEventsEnd whether it is annotated as the end marker of a watch-list
 */
public record ObjectHead(@Nullable String apiVersion, @Nullable String kind, @Nullable String name,
		@Nullable String namespace, @Nullable String resourceVersion, boolean initialEventsEnd) {

	/**
	 * Reads type and identity of an object, as far as its bytes are valid.
	 * @param bytes contain the object
	 * @param from where it begins
	 * @param to where the bytes end; may be before or behind the end of the object
	 * @return the fields that could be read
	 */
	static ObjectHead read(byte[] bytes, int from, int to) {
		return read(new JsonCursor(bytes, from, to), true);
	}

	/**
	 * Reads only the type of an object.
	 * @param bytes hold the object
	 * @param from where it begins
	 * @param to where the bytes end; may be behind the end of the object
	 * @return API version and kind, if it has them
	 */
	public static ObjectHead readType(byte[] bytes, int from, int to) {
		return read(new JsonCursor(bytes, from, to), false);
	}

	private static ObjectHead read(JsonCursor cursor, boolean metadata) {
		Builder builder = new Builder();
		if (cursor.enterObject()) {
			for (String key = cursor.nextKey(); key != null; key = cursor.nextKey()) {
				switch (key) {
					case "apiVersion" -> builder.apiVersion = cursor.string();
					case "kind" -> builder.kind = cursor.string();
					case "metadata" -> builder.metadata(cursor);
					default -> cursor.skip();
				}
				if (builder.kind != null && builder.apiVersion != null && !metadata) {
					break;
				}
			}
		}
		return new ObjectHead(builder.apiVersion, builder.kind, builder.name, builder.namespace,
				builder.resourceVersion, builder.initialEventsEnd);
	}

	/**
	 * Returns the key of the object.
	 * @return the key, or {@code null} when it has no name
	 */
	@Nullable ResourceKey key() {
		return (this.name != null && !this.name.isEmpty()) ? ResourceKey.of(this.namespace, this.name) : null;
	}

	private static final class Builder {

		private @Nullable String apiVersion;

		private @Nullable String kind;

		private @Nullable String name;

		private @Nullable String namespace;

		private @Nullable String resourceVersion;

		private boolean initialEventsEnd;

		void metadata(JsonCursor cursor) {
			if (!cursor.enterObject()) {
				cursor.skip();
				return;
			}
			for (String key = cursor.nextKey(); key != null; key = cursor.nextKey()) {
				switch (key) {
					case "name" -> this.name = cursor.string();
					case "namespace" -> this.namespace = cursor.string();
					case "resourceVersion" -> this.resourceVersion = cursor.string();
					case "annotations" -> annotations(cursor);
					default -> cursor.skip();
				}
			}
			if (!cursor.isClosed() && this.namespace == null) {
				// the namespace may be in the missing part, and no key is better than a
				// wrong one
				this.name = null;
			}
		}

		private void annotations(JsonCursor cursor) {
			if (!cursor.enterObject()) {
				cursor.skip();
				return;
			}
			for (String key = cursor.nextKey(); key != null; key = cursor.nextKey()) {
				if (key.equals("k8s.io/initial-events-end")) {
					// W-28: only this value counts
					this.initialEventsEnd = "true".equals(cursor.string());
				}
				else {
					cursor.skip();
				}
			}
		}

	}

}
