package dev.reflector.cache.internal.store;

import java.util.concurrent.atomic.LongAdder;

import dev.reflector.ReflectorStatus;

/**
 * Counts the events of a reflector since the reflector was created. Written by the
 * threads of the reflector, read by any thread.
 */
public final class Counters {

	public final LongAdder lists = new LongAdder();

	public final LongAdder watches = new LongAdder();

	public final LongAdder relists = new LongAdder();

	public final LongAdder added = new LongAdder();

	public final LongAdder updated = new LongAdder();

	public final LongAdder deleted = new LongAdder();

	public final LongAdder bookmarks = new LongAdder();

	public final LongAdder errors = new LongAdder();

	public final SkippedVersions skipped = new SkippedVersions();

	public ReflectorStatus.Counts snapshot() {
		return new ReflectorStatus.Counts(this.lists.sum(), this.watches.sum(), this.relists.sum(), this.added.sum(),
				this.updated.sum(), this.deleted.sum(), this.bookmarks.sum(), this.errors.sum());
	}

}
