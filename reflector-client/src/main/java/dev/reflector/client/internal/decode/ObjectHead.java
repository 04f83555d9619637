package dev.reflector.client.internal.decode;

import dev.reflector.ResourceKey;
import dev.reflector.client.internal.frame.JsonCursor;
import org.jspecify.annotations.Nullable;

/**
 * The head of an object: its type and identity, which can be read without its Java type.
 * All fields that are missing or cannot be read are {@code null}.
 *
 * @param apiVersion the API version
 * @param kind the kind
 * @param name the name
 * @param namespace the namespace
 * @param resourceVersion the version
 * @param initialEventsEnd whether the object is annotated as the end of the initial
 * events of a watch
 */
public record ObjectHead(@Nullable String apiVersion, @Nullable String kind, @Nullable String name,
		@Nullable String namespace, @Nullable String resourceVersion, boolean initialEventsEnd) {

	/**
	 * Reads the type and identity of an object. If the bytes are invalid at some place,
	 * reads only the fields before this place.
	 * @param bytes the array that contains the object
	 * @param from the index at which the object begins
	 * @param to the index at which the bytes end, which may be before or after the end of
	 * the object
	 * @return the fields that could be read
	 */
	static ObjectHead read(byte[] bytes, int from, int to) {
		return read(new JsonCursor(bytes, from, to), true);
	}

	/**
	 * Reads only the type of an object.
	 * @param bytes the array that contains the object
	 * @param from the index at which the object begins
	 * @param to the index at which the bytes end, which may be after the end of the
	 * object
	 * @return the API version and kind, if the object has them
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
	 * @return the key, or {@code null} if the object has no name
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
				// the namespace may be in the missing part, and a wrong key would be
				// worse than none
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
					// W-28: any other value has no meaning
					this.initialEventsEnd = "true".equals(cursor.string());
				}
				else {
					cursor.skip();
				}
			}
		}

	}

}
