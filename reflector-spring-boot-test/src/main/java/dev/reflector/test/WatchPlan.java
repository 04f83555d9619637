package dev.reflector.test;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Where a watch begins and when it ends (W-11).
 *
 * @param begin where it begins
 * @param resourceVersion the version asked for
 * @param endMarker whether a bookmark marks the end of the initial state
 * @param timeout after which time it ends
 * @param bookmarkInterval time between bookmarks, {@code null} for none
 */
record WatchPlan(Begin begin, long resourceVersion, boolean endMarker, Duration timeout,
		@Nullable Duration bookmarkInterval) {

	/**
	 * Makes the plan for a request.
	 * @param parameters what was asked for
	 * @param watchList whether the server streams lists
	 * @param bookmarkInterval time between bookmarks
	 * @return the plan
	 * @throws ApiFailure when the parameters must not stand together
	 */
	static WatchPlan of(Parameters parameters, boolean watchList, Duration bookmarkInterval) {
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
		// W-08: a server that streams lists does so for every watch from nowhere
		boolean endMarker = begin == Begin.STATE && watchList && bookmarks;
		long seconds = parameters.number("timeoutSeconds");
		if (seconds == 0) {
			// W-82
			seconds = ThreadLocalRandom.current().nextLong(1800, 3600);
		}
		return new WatchPlan(begin, version, endMarker, Duration.ofSeconds(seconds),
				bookmarks ? bookmarkInterval : null);
	}

	/**
	 * Whether the newest state must be at least of the version asked for.
	 * @return whether to wait for that version
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

		/** With what is written from now on. */
		NOW,

		/** With what was written after the version asked for. */
		AFTER_VERSION

	}

}
