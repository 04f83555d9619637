package dev.reflector.cache;

import dev.reflector.ResourceVersions;

/**
 * What the list/watch loop remembers from one state to the next (section 2.2).
 *
 * @param lastSyncVersion the version it has followed the collection to, empty at first
 * @param versionUnavailable whether the server cannot list from that version
 * @param paginated whether the server splits lists of "any version", so has no watch
 * cache
 * @param streamRefused whether the server does not understand streamed lists
 * @param synced whether a full state has been received
 */
record LoopMemory(String lastSyncVersion, boolean versionUnavailable, boolean paginated, boolean streamRefused,
		boolean synced) {

	static final LoopMemory EMPTY = new LoopMemory("", false, false, false, false);

	/**
	 * Whether the collection has been followed further than to some version. Versions
	 * compare only when both are well-formed (W-67, W-68).
	 * @param version the other version
	 * @return whether ours is certainly greater
	 */
	boolean isAheadOf(String version) {
		return ResourceVersions.isGreater(this.lastSyncVersion, version);
	}

	LoopMemory at(String version) {
		return new LoopMemory(version, this.versionUnavailable, this.paginated, this.streamRefused, this.synced);
	}

	LoopMemory withVersionUnavailable() {
		return new LoopMemory(this.lastSyncVersion, true, this.paginated, this.streamRefused, this.synced);
	}

	LoopMemory withStreamRefused() {
		return new LoopMemory(this.lastSyncVersion, this.versionUnavailable, this.paginated, true, this.synced);
	}

	LoopMemory withFullState(boolean paginatedAtAnyVersion) {
		return new LoopMemory(this.lastSyncVersion, false, this.paginated || paginatedAtAnyVersion, this.streamRefused,
				true);
	}

}
