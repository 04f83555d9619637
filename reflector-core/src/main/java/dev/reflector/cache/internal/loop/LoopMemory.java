package dev.reflector.cache.internal.loop;

import dev.reflector.cache.internal.store.ResourceVersions;

/**
 * What the list/watch loop remembers from one state to the next.
 *
 * @param lastSyncVersion the version up to which the loop has received the collection,
 * empty at first
 * @param versionUnavailable whether the server cannot list at {@code lastSyncVersion}
 * (R-25)
 * @param paginated whether the server splits lists of "any version" into pages, which
 * shows that it has no watch cache
 * @param synced whether a full state has been received
 * @param streams the results of streamed lists
 * @param watches the results of the watches since the last list
 */
record LoopMemory(String lastSyncVersion, boolean versionUnavailable, boolean paginated, boolean synced,
		Streams streams, Watches watches) {

	static final LoopMemory EMPTY = new LoopMemory("", false, false, false, Streams.UNTRIED, Watches.NONE);

	/**
	 * Returns the memory of a loop whose mirror holds a full state that was restored from
	 * a snapshot.
	 * @param version the version of the snapshot
	 */
	static LoopMemory restored(String version) {
		return new LoopMemory(version, false, false, true, Streams.UNTRIED, Watches.NONE);
	}

	/**
	 * Whether the last version is greater than another one. Versions can be compared only
	 * if both are well-formed (W-67, W-68).
	 * @param version the other version
	 * @return whether the last version is certainly greater
	 */
	boolean isAheadOf(String version) {
		return ResourceVersions.isGreater(this.lastSyncVersion, version);
	}

	LoopMemory at(String version) {
		return new LoopMemory(version, this.versionUnavailable, this.paginated, this.synced, this.streams,
				this.watches);
	}

	LoopMemory withVersionUnavailable() {
		return new LoopMemory(this.lastSyncVersion, true, this.paginated, this.synced, this.streams, this.watches);
	}

	LoopMemory with(Streams streams) {
		return new LoopMemory(this.lastSyncVersion, this.versionUnavailable, this.paginated, this.synced, streams,
				this.watches);
	}

	LoopMemory with(Watches watches) {
		return new LoopMemory(this.lastSyncVersion, this.versionUnavailable, this.paginated, this.synced, this.streams,
				watches);
	}

	/** Returns a copy of this memory with {@link #paginated} set. */
	LoopMemory withPaginated() {
		return new LoopMemory(this.lastSyncVersion, this.versionUnavailable, true, this.synced, this.streams,
				this.watches);
	}

	/**
	 * Returns a copy of this memory that records that a watch has worked. This shows that
	 * the version of the list had not expired (E-16).
	 */
	LoopMemory withWorkingWatch() {
		boolean known = !this.watches.fresh() && !this.watches.outrun();
		return known ? this : with(new Watches(this.watches.brief(), false, false, false, this.watches.malformedAt()));
	}

	/**
	 * Returns a copy of this memory that records that a full state was received as the
	 * initial part of a watch.
	 */
	LoopMemory withStreamed() {
		return new LoopMemory(this.lastSyncVersion, false, this.paginated, true, Streams.UNTRIED, Watches.NONE);
	}

	/**
	 * Returns a copy of this memory that records that a full state was received by a
	 * list.
	 * @param paginatedAtAnyVersion whether this was a list of "any version" that the
	 * server has split into pages
	 */
	LoopMemory withListed(boolean paginatedAtAnyVersion) {
		return new LoopMemory(this.lastSyncVersion, false, this.paginated || paginatedAtAnyVersion, true,
				this.streams.listed(), this.watches.listed(this.versionUnavailable));
	}

	/**
	 * The results of streamed lists.
	 *
	 * @param refused whether the server does not understand streamed lists
	 * @param failedPasses how many passes in a row ended in a list because their streams
	 * were incomplete
	 * @param skip how many full states are still read by a list before a stream is tried
	 * again
	 */
	record Streams(boolean refused, int failedPasses, int skip) {

		static final Streams UNTRIED = new Streams(false, 0, 0);

		/**
		 * The exponent of the largest number of lists between two streams. The number
		 * grows from 2 to 4, 8 and 16, and includes the list right after the failed
		 * stream.
		 */
		private static final int MOST_DOUBLINGS = 4;

		Streams asRefused() {
			return new Streams(true, this.failedPasses, this.skip);
		}

		/**
		 * Returns a copy that records an incomplete stream. With each further failure,
		 * more lists come before the next stream (E-01).
		 */
		Streams incomplete() {
			int passes = this.failedPasses + 1;
			return new Streams(this.refused, passes, 1 << Math.min(passes, MOST_DOUBLINGS));
		}

		/**
		 * Returns a copy that records a stream that was stuck. Since it takes long to
		 * notice that a stream is stuck, the next stream is tried only after the largest
		 * number of lists.
		 */
		Streams stuck() {
			return new Streams(this.refused, MOST_DOUBLINGS, 1 << MOST_DOUBLINGS);
		}

		Streams listed() {
			return new Streams(this.refused, this.failedPasses, Math.max(0, this.skip - 1));
		}

	}

	/**
	 * The results of the watches since the last list.
	 *
	 * @param brief how many watches in a row were closed within a second, without an
	 * event (E-03)
	 * @param fresh whether a list has arrived, and no watch has worked or ended since
	 * then
	 * @param outrun whether the version of a list had expired by the time the list was
	 * complete (E-16)
	 * @param stale whether the version of a list had expired by the time the list was
	 * complete, and no list of the newest state has arrived since then (E-38)
	 * @param malformedAt the version after which the bytes of a watch were malformed,
	 * empty if there is none
	 */
	record Watches(int brief, boolean fresh, boolean outrun, boolean stale, String malformedAt) {

		static final Watches NONE = new Watches(0, false, false, false, "");

		Watches andBrief() {
			return new Watches(this.brief + 1, false, this.outrun, this.stale, this.malformedAt);
		}

		Watches malformed(String version) {
			return new Watches(this.brief, this.fresh, this.outrun, this.stale, version);
		}

		Watches andExpired() {
			return new Watches(this.brief, false, this.outrun || this.fresh, this.stale || this.fresh,
					this.malformedAt);
		}

		Watches listed(boolean newest) {
			return new Watches(0, true, this.outrun, this.stale && !newest, "");
		}

		/**
		 * Whether the version of the last list has expired, and so had the version of an
		 * earlier list, without a working watch in between. If so, the server may list
		 * from a cache that is stuck. Called when the version of a watch has expired.
		 */
		boolean expiresAgain() {
			return this.fresh && this.stale;
		}

	}

}
