package dev.reflector.cache.source;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The options of a watch request. They contain no label or field selector, because these
 * are constant for a {@link ListerWatcher}.
 *
 * @param namespace the namespace, or {@code null} for all
 * @param resourceVersion the version after which the events begin
 * @param timeout the time after which the server should end the stream; sent in whole
 * seconds
 * @param bookmarks whether the server may send bookmarks
 * @param sendInitialEvents whether the server should first send the full state, followed
 * by a bookmark with the end marker (a watch-list)
 * @param shardSelector the value of the query parameter {@code shardSelector}, with which
 * the server sends only the objects of a shard; empty for all objects. A server that does
 * not support the parameter sends all objects
 * @since 0.1.0
 */
public record WatchOptions(@Nullable String namespace, String resourceVersion, Duration timeout, boolean bookmarks,
		boolean sendInitialEvents, String shardSelector) {

	/**
	 * Creates options that ask for the objects of all shards.
	 * @param namespace the namespace, or {@code null} for all
	 * @param resourceVersion the version after which the events begin
	 * @param timeout the time after which the server should end the stream
	 * @param bookmarks whether the server may send bookmarks
	 * @param sendInitialEvents whether the server should first send the full state
	 */
	public WatchOptions(@Nullable String namespace, String resourceVersion, Duration timeout, boolean bookmarks,
			boolean sendInitialEvents) {
		this(namespace, resourceVersion, timeout, bookmarks, sendInitialEvents, "");
	}

	/**
	 * Returns a copy of these options that requests only the objects of a shard.
	 * @param selector the value of the query parameter {@code shardSelector}, empty for
	 * all objects
	 * @return the options
	 */
	public WatchOptions withShardSelector(String selector) {
		return new WatchOptions(this.namespace, this.resourceVersion, this.timeout, this.bookmarks,
				this.sendInitialEvents, selector);
	}

}
