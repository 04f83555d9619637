package dev.reflector.cache.source;

import java.util.List;

/**
 * What a {@link ListerWatcher} answers to a list: one page.
 *
 * @param <T> the type of the objects
 * @param items the objects that could be read
 * @param resourceVersion version of the list; all pages of a list report that of the
 * first
 * @param continueToken token for the next page, empty on the last. Only the token decides
 * whether there is more, a page may be empty (rule W-16)
 * @param skipped the objects that could not be read
 * @since 0.1.0
 */
public record ListPage<T>(List<T> items, String resourceVersion, String continueToken, List<SkippedObject> skipped) {

}
