package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;

import dev.reflector.cache.config.ListSettings;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Looks for stored objects in a list that the server returns. If a listed object has the
 * uid of a stored object, snapshot and server belong to the same cluster. Stops at the
 * first page that contains such an object. Blocks the calling thread.
 *
 * @param <T> the type of the objects
 * @param source lists the objects
 * @param accessor reads metadata
 * @param scopes the namespaces that are followed; {@code null} stands for all namespaces
 */
public record ListedUids<T>(ListerWatcher<T> source, ResourceAccessor<T> accessor,
		Collection<? extends @Nullable String> scopes) {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/**
	 * Lists page by page until an object has one of these uids.
	 * @param uids the uids
	 * @return whether an object has one of them
	 * @throws RuntimeException if the list fails
	 */
	boolean hasOneOf(Set<String> uids) {
		for (String scope : this.scopes) {
			String token = "";
			do {
				ListPage<T> page = this.source.list(new ListOptions(scope, "", ListSettings.DEFAULT_PAGE_SIZE, token))
					.block(PATIENCE);
				if (page == null) {
					throw new IllegalStateException("the list is empty");
				}
				if (page.items().stream().anyMatch((object) -> uids.contains(this.accessor.uid(object)))) {
					return true;
				}
				token = page.continueToken();
			}
			while (!token.isEmpty());
		}
		return false;
	}

}
