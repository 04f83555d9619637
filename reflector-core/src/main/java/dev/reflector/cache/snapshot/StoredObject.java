package dev.reflector.cache.snapshot;

import java.util.Arrays;
import java.util.Objects;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * An object as it is stored.
 *
 * @param key its key
 * @param uid its uid, empty when it has none
 * @param resourceVersion its resource version
 * @param content the bytes of the declared fields; must not be changed by anybody
 * @since 0.1.0
 */
public record StoredObject(ResourceKey key, String uid, String resourceVersion, byte[] content) {

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof StoredObject object && this.key.equals(object.key) && this.uid.equals(object.uid)
				&& this.resourceVersion.equals(object.resourceVersion) && Arrays.equals(this.content, object.content);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.key, this.uid, this.resourceVersion);
	}

	@Override
	public String toString() {
		return this.key + " at resource version " + this.resourceVersion + " (" + this.content.length + " bytes)";
	}

}
