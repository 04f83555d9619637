package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;

import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Looks in a list of the server for stored objects. One with the uid of a stored object
 * shows that the snapshot is of the same cluster. Ends with the first page that has such
 * an object. Blocks.
 *
 * @param <T> the type of the objects
 * @param source lists
 * @param accessor reads metadata
 * @param scopes the namespaces that are followed, {@code null} for all
 */
public record ListedUids<T>(ListerWatcher<T> source, ResourceAccessor<T> accessor,
		Collection<? extends @Nullable String> scopes) {

	private static final int PAGE = 500;

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/**
	 * Lists until an object with one of the uids is found.
	 * @param uids the uids
	 * @return whether such an object was found
	 * @throws RuntimeException when the list has failed
	 */
	boolean hasOneOf(Set<String> uids) {
		for (String scope : this.scopes) {
			String token = "";
			do {
				ListPage<T> page = this.source.list(new ListOptions(scope, "", PAGE, token)).block(PATIENCE);
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
