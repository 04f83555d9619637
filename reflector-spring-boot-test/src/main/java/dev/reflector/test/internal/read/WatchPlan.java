package dev.reflector.test.internal.read;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Parameters;
import dev.reflector.test.internal.options.ServerFeature;
import dev.reflector.test.internal.options.ServerOptions;
import org.jspecify.annotations.Nullable;

/**
 * Where a watch begins, when it ends, and what it sends (W-11).
 *
 * @param begin where the watch begins
 * @param resourceVersion the requested version
 * @param endMarker whether a bookmark marks the end of the initial state
 * @param timeout time after which the watch ends
 * @param bookmarkInterval time between bookmarks, or {@code null} for none
 * @param bookmarkEvery after how many events the watch sends an additional bookmark, 0
 * for never
 * @param unordered whether the initial state comes in no particular order
 * @param gzip whether the watch is compressed
 */
record WatchPlan(Begin begin, long resourceVersion, boolean endMarker, Duration timeout,
		@Nullable Duration bookmarkInterval, int bookmarkEvery, boolean unordered, boolean gzip) {

	/**
	 * Largest time-out that a request can set. It is longer than any test, and small
	 * enough for a timer.
	 */
	private static final long MAX_SECONDS = TimeUnit.DAYS.toSeconds(36500);

	/**
	 * Makes the plan for a request.
	 * @param parameters the parameters of the request
	 * @param options the options of the server
	 * @param gunzips whether the client accepts gzip
	 * @return the plan
	 * @throws ApiFailure if the parameters must not be combined
	 */
	static WatchPlan of(Parameters parameters, ServerOptions options, boolean gunzips) {
		boolean watchList = options.has(ServerFeature.WATCH_LIST);
		parameters.checkWatch(watchList);
		boolean bookmarks = parameters.flag("allowWatchBookmarks");
		long version = parameters.versionOfCache();
		boolean fromAnywhere = version <= Parameters.ANY;
		Begin begin;
		if (parameters.has("sendInitialEvents")) {
			begin = parameters.flag("sendInitialEvents") ? Begin.STATE
					: (fromAnywhere ? Begin.NOW : Begin.AFTER_VERSION);
		}
		else {
			begin = fromAnywhere ? Begin.STATE : Begin.AFTER_VERSION;
		}
		// W-08: a server that supports streamed lists sends the end marker in each watch
		// that begins with the initial state and allows bookmarks
		boolean endMarker = begin == Begin.STATE && watchList && bookmarks;
		// W-62: only a watch that begins with the initial state is compressed
		boolean gzip = gunzips && begin == Begin.STATE && options.has(ServerFeature.GZIP_WATCHES);
		long seconds = Math.min(parameters.number("timeoutSeconds"), MAX_SECONDS);
		Duration timeout = (seconds > 0) ? Duration.ofSeconds(seconds) : drawn(options.minRequestTimeout());
		return new WatchPlan(begin, version, endMarker, timeout, bookmarks ? options.bookmarkInterval() : null,
				bookmarks ? options.bookmarkEvery() : 0, options.has(ServerFeature.UNORDERED), gzip);
	}

	// W-82: a random time between the given time and twice that time
	private static Duration drawn(Duration least) {
		long nanos = least.toNanos();
		return Duration.ofNanos(ThreadLocalRandom.current().nextLong(nanos, Math.max(nanos + 1, nanos * 2)));
	}

	/**
	 * Whether the watch must wait for the requested version, and then begins with the
	 * newest state.
	 * @return whether to wait for the requested version
	 */
	boolean needsVersion() {
		return this.begin == Begin.STATE && this.resourceVersion > Parameters.ANY;
	}

	/**
	 * Where a watch begins.
	 */
	enum Begin {

		/** With the newest state. */
		STATE,

		/** With the first change after the watch was opened. */
		NOW,

		/** With the first change after the requested version. */
		AFTER_VERSION

	}

}
