package dev.reflector.client.internal.write;

import dev.reflector.Lister;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * A mirror in which a writer looks up the objects that it writes.
 *
 * @param <T> the type of the mirrored objects
 * @param type the type of the mirrored objects
 * @param informer the informer that keeps the mirror
 */
public record Mirror<T>(Class<T> type, SharedInformer<T> informer) {

	boolean mirrors(ResourceType written, String namespace) {
		ResourceType own = this.informer.resourceType();
		return own.group().equals(written.group()) && own.kind().equals(written.kind())
				&& (this.informer.namespaces().isEmpty() || this.informer.namespaces().contains(namespace));
	}

	Lister<T> lister() {
		return this.informer.lister();
	}

	/**
	 * Returns the version of an object in the mirror, or {@code null} if the mirror does
	 * not contain the object.
	 */
	@Nullable String version(ResourceKey key, String uid) {
		ResourceAccessor<T> accessor = this.informer.accessor();
		T object = lister().get(key);
		return (object != null && accessor.uid(object).equals(uid)) ? accessor.resourceVersion(object) : null;
	}

	/**
	 * Returns the uid of the object with a key, empty if the mirrored type declares no
	 * uid, or {@code null} if the mirror contains no such object.
	 */
	@Nullable String uid(ResourceKey key) {
		T object = lister().get(key);
		return (object != null) ? this.informer.accessor().uid(object) : null;
	}

	/**
	 * Returns whether the mirror may contain an object. If the mirrored type declares no
	 * uid, only the key is compared.
	 */
	boolean has(ResourceKey key, String uid) {
		T object = lister().get(key);
		if (object == null) {
			return false;
		}
		String own = this.informer.accessor().uid(object);
		return own.isEmpty() || own.equals(uid);
	}

}
