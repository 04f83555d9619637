package dev.reflector.cache;

import java.util.concurrent.atomic.LongAdder;

import dev.reflector.ReflectorStatus;

/**
 * What has happened since the start of a reflector. Written by its threads, read by
 * anyone.
 */
final class Counters {

	final LongAdder lists = new LongAdder();

	final LongAdder watches = new LongAdder();

	final LongAdder relists = new LongAdder();

	final LongAdder added = new LongAdder();

	final LongAdder updated = new LongAdder();

	final LongAdder deleted = new LongAdder();

	final LongAdder bookmarks = new LongAdder();

	final LongAdder errors = new LongAdder();

	final SkippedVersions skipped = new SkippedVersions();

	ReflectorStatus.Counts snapshot() {
		return new ReflectorStatus.Counts(this.lists.sum(), this.watches.sum(), this.relists.sum(), this.added.sum(),
				this.updated.sum(), this.deleted.sum(), this.bookmarks.sum(), this.errors.sum());
	}

}
