package dev.reflector.client.internal.decode;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import dev.reflector.ResourceKey;
import dev.reflector.client.internal.frame.JsonSkipper;
import org.jspecify.annotations.Nullable;

/**
 * The key, UID and version of an object, read from the beginning of its bytes. Servers
 * write these fields before most other fields.
 *
 * @param key the key of the object
 * @param uid the UID of the object, empty for none
 * @param resourceVersion the version of the object
 */
record ObjectIdentity(ResourceKey key, String uid, String resourceVersion) {

	private static final JsonSkipper.Limits LIMITS = new JsonSkipper.Limits(Integer.MAX_VALUE, Integer.MAX_VALUE,
			Integer.MAX_VALUE);

	private static final byte[] API_VERSION = name("apiVersion");

	private static final byte[] KIND = name("kind");

	private static final byte[] METADATA = name("metadata");

	private static final byte[] NAME = name("name");

	private static final byte[] NAMESPACE = name("namespace");

	private static final byte[] UID = name("uid");

	private static final byte[] RESOURCE_VERSION = name("resourceVersion");

	private static byte[] name(String name) {
		return ('"' + name + '"').getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Reads the beginning of an object, up to the UID and the version. In Kubernetes'
	 * order and in alphabetical order, the name and the namespace come before the UID and
	 * the version.
	 * @param bytes the array that contains the object
	 * @param from the index at which the object begins
	 * @param to the index at which the bytes end, which may be after the end of the
	 * object
	 * @return the identity, or {@code null} if the object does not have the usual form
	 */
	static @Nullable ObjectIdentity read(byte[] bytes, int from, int to) {
		Reader reader = new Reader(bytes, to);
		int metadata = reader.metadata(from);
		return (metadata >= 0) ? reader.identity(metadata) : null;
	}

	private static final class Reader {

		private final byte[] bytes;

		private final JsonSkipper skipper = new JsonSkipper(LIMITS);

		private @Nullable String name;

		private @Nullable String namespace;

		private @Nullable String uid;

		private @Nullable String resourceVersion;

		Reader(byte[] bytes, int to) {
			this.bytes = bytes;
			this.skipper.over(bytes, to);
		}

		/**
		 * Returns the index of the metadata. Only the API version and kind may come
		 * before the metadata.
		 */
		int metadata(int from) {
			int index = this.skipper.space(from);
			if (this.skipper.at(index) != '{') {
				return JsonSkipper.FAULT;
			}
			index = this.skipper.space(index + 1);
			while (index >= 0) {
				int nameEnd = this.skipper.plainName(index);
				int value = this.skipper.colon(nameEnd);
				if (value < 0 || is(METADATA, index, nameEnd)) {
					return value;
				}
				boolean type = is(API_VERSION, index, nameEnd) || is(KIND, index, nameEnd);
				index = type ? next(this.skipper.value(value, 1)) : JsonSkipper.FAULT;
			}
			return JsonSkipper.FAULT;
		}

		@Nullable ObjectIdentity identity(int from) {
			int index = (this.skipper.at(from) == '{') ? this.skipper.space(from + 1) : JsonSkipper.FAULT;
			while (index >= 0 && (this.uid == null || this.resourceVersion == null)) {
				int nameEnd = this.skipper.plainName(index);
				int value = this.skipper.colon(nameEnd);
				if (value < 0) {
					return null;
				}
				int valueEnd = this.skipper.value(value, 2);
				take(index, nameEnd, value);
				index = next(valueEnd);
			}
			if (this.name == null || this.name.isEmpty() || this.resourceVersion == null) {
				return null;
			}
			return new ObjectIdentity(ResourceKey.of(this.namespace, this.name), (this.uid != null) ? this.uid : "",
					this.resourceVersion);
		}

		private void take(int name, int nameEnd, int value) {
			if (is(NAME, name, nameEnd)) {
				this.name = text(value);
			}
			else if (is(NAMESPACE, name, nameEnd)) {
				this.namespace = text(value);
			}
			else if (is(UID, name, nameEnd)) {
				this.uid = text(value);
			}
			else if (is(RESOURCE_VERSION, name, nameEnd)) {
				this.resourceVersion = text(value);
			}
		}

		private int next(int valueEnd) {
			int index = (valueEnd >= 0) ? this.skipper.space(valueEnd) : JsonSkipper.FAULT;
			return (index >= 0 && this.skipper.at(index) == ',') ? this.skipper.space(index + 1) : JsonSkipper.FAULT;
		}

		/** Reads a string without escapes. Returns {@code null} for any other value. */
		private @Nullable String text(int from) {
			int to = this.skipper.plainName(from);
			return (to >= 0) ? new String(this.bytes, from + 1, to - from - 2, StandardCharsets.UTF_8) : null;
		}

		private boolean is(byte[] name, int from, int to) {
			return to - from == name.length && Arrays.equals(name, 0, name.length, this.bytes, from, to);
		}

	}

}
