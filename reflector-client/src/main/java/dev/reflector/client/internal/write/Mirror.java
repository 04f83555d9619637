package dev.reflector.client.internal.write;

import dev.reflector.Lister;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * A mirror in which written objects may appear.
 *
 * @param <T> the type of its objects
 * @param type the type of its objects
 * @param informer keeps the mirror
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
	 * Returns the version of an object in the mirror, {@code null} when the mirror does
	 * not have the object.
	 */
	@Nullable String version(ResourceKey key, String uid) {
		ResourceAccessor<T> accessor = this.informer.accessor();
		T object = lister().get(key);
		return (object != null && accessor.uid(object).equals(uid)) ? accessor.resourceVersion(object) : null;
	}

	/** Whether the mirror may have an object, even if its type declares no uid. */
	boolean has(ResourceKey key, String uid) {
		T object = lister().get(key);
		if (object == null) {
			return false;
		}
		String own = this.informer.accessor().uid(object);
		return own.isEmpty() || own.equals(uid);
	}

}
