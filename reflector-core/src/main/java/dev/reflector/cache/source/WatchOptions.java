package dev.reflector.cache.source;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a watch request asks for. Selectors are not among the options, because they are
 * constant for a {@link ListerWatcher}.
 *
 * @param namespace the namespace, or {@code null} for all
 * @param resourceVersion the version after which events are wanted
 * @param timeout after which time the server is to end the stream; sent in whole seconds
 * @param bookmarks whether the server may send bookmarks
 * @param sendInitialEvents whether the server is to send the full state first, closed by
 * a bookmark with the end marker (a watch-list)
 * @since 0.1.0
 */
public record WatchOptions(@Nullable String namespace, String resourceVersion, Duration timeout, boolean bookmarks,
		boolean sendInitialEvents) {

}
