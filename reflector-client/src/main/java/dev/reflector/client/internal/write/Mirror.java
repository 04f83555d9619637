package dev.reflector.client.internal.write;

import dev.reflector.Lister;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * A mirror that may show what was written.
 *
 * @param <T> the type of its objects
 * @param type the type of its objects
 * @param informer keeps it
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

	/** The version in which it has an object, {@code null} when it has not. */
	@Nullable String version(ResourceKey key, String uid) {
		ResourceAccessor<T> accessor = this.informer.accessor();
		T object = lister().get(key);
		return (object != null && accessor.uid(object).equals(uid)) ? accessor.resourceVersion(object) : null;
	}

	/** Whether it may have an object, also when its type declares no uid. */
	boolean has(ResourceKey key, String uid) {
		T object = lister().get(key);
		if (object == null) {
			return false;
		}
		String own = this.informer.accessor().uid(object);
		return own.isEmpty() || own.equals(uid);
	}

}
