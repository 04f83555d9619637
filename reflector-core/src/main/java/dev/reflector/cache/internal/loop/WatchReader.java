package dev.reflector.cache.internal.loop;

import java.util.List;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.UnusableMetadataException;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a watch after the full state: queues the new frames, and returns
 * signals for the loop.
 *
 * @param <T> the type of the objects
 */
final class WatchReader<T> {

	static final Failure UNREADABLE_DELETION = Failure
		.of(new Status(0, "UnreadableObject", "a deletion whose object could not be read", List.of(), 0, false));

	private final LoopSetup<T> setup;

	private final WatchChain<T> chain;

	private final LoopJournal journal;

	private final DeltaFifo<T> fifo;

	private final HeldSizes<T> sizes;

	/** Whether events come in the order of their versions. */
	private final boolean ordered;

	WatchReader(LoopSetup<T> setup, WatchChain<T> chain, LoopJournal journal, DeltaFifo<T> fifo, HeldSizes<T> sizes) {
		this.setup = setup;
		this.chain = chain;
		this.journal = journal;
		this.fifo = fifo;
		this.sizes = sizes;
		this.ordered = setup.behaviour().comparesVersions() && setup.listerWatcher().watchesOverlap();
	}

	/**
	 * Reads a frame other than an error.
	 * @param event the frame
	 * @param memory the memory of the loop
	 * @return the result of the frame
	 */
	Read read(WatchEvent<T> event, LoopMemory memory) {
		if (isVersionless(event)) {
			count(event);
			return new Read(memory, null);
		}
		WatchChain.Standing standing = this.chain.standing(event, memory.lastSyncVersion());
		if (standing == WatchChain.Standing.UNCLEAR) {
			// ends the watch: a new watch that begins at the last version delivers no
			// duplicates
			return new Read(memory, this.chain.current().progress().closed());
		}
		if (standing != WatchChain.Standing.KNOWN) {
			this.chain.current().caughtUp();
		}
		if (standing != WatchChain.Standing.NEW) {
			// the previous watch has delivered this frame
			count(event);
			return new Read(memory, null);
		}
		if (event instanceof WatchEvent.Bookmark<T> bookmark && this.setup.behaviour().comparesVersions()
				&& memory.isAheadOf(bookmark.resourceVersion())) {
			return wentBack("from version " + memory.lastSyncVersion() + " to " + bookmark.resourceVersion(), memory);
		}
		count(event);
		return handOn(event, memory);
	}

	private Read handOn(WatchEvent<T> event, LoopMemory memory) {
		Failure exceeded = this.sizes.take(event);
		if (exceeded != null) {
			return new Read(memory, new LoopSignal.ErrorFrame(exceeded));
		}
		String version = apply(event, memory);
		if (version == null) {
			// E-10: only a list can show what happened
			return new Read(memory, new LoopSignal.ErrorFrame(UNREADABLE_DELETION));
		}
		boolean counts = !version.isEmpty() && this.chain.current().progress().counts(event);
		return new Read(counts ? memory.at(version) : memory, null);
	}

	/**
	 * Queues a frame. If the frame's version is older than the last version, the last
	 * version is kept, and the frame is applied only if the mirror has no newer
	 * state of the object.
	 * @param event the frame
	 * @param memory the memory of the loop, with the last version
	 * @return the version to remember, empty if there is none; {@code null} if only a
	 * list can show what has happened
	 */
	private @Nullable String apply(WatchEvent<T> event, LoopMemory memory) {
		if (event instanceof WatchEvent.Skipped<T> skipped) {
			return skip(skipped, memory);
		}
		if (event instanceof WatchEvent.Bookmark<T> bookmark) {
			this.fifo.bookmark(this.journal.namespace(), bookmark.resourceVersion());
			return bookmark.resourceVersion();
		}
		try {
			T object = object(event);
			String version = this.setup.accessor().resourceVersion(object);
			if (isLate(version, memory)) {
				late(event, object);
				version = "";
			}
			else if (event instanceof WatchEvent.Added<T>) {
				this.fifo.add(object);
			}
			else if (event instanceof WatchEvent.Modified<T>) {
				this.fifo.update(object);
			}
			else {
				this.fifo.delete(object);
			}
			this.journal.skippedVersions().forget(() -> this.setup.accessor().key(object));
			return version;
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			this.journal.skipped(new SkippedObject(null, "", UnusableMetadataException.reason(ex)));
			return (event instanceof WatchEvent.Deleted<T> && this.setup.behaviour().repairsLosses()) ? null : "";
		}
	}

	private boolean isLate(String version, LoopMemory memory) {
		return this.ordered && memory.isAheadOf(version);
	}

	private void late(WatchEvent<T> event, T object) {
		if (event instanceof WatchEvent.Deleted<T>) {
			this.fifo.lateDelete(object);
		}
		else {
			this.fifo.late(object);
		}
	}

	private @Nullable String skip(WatchEvent.Skipped<T> skipped, LoopMemory memory) {
		SkippedObject object = skipped.object();
		this.journal.skipped(object);
		ResourceKey key = object.key();
		if (skipped.deletion() && key != null) {
			this.journal.skippedVersions().forget(() -> key);
		}
		if (!this.setup.behaviour().repairsLosses()) {
			// the frame is ignored completely
			return "";
		}
		if (skipped.type().isEmpty() || (skipped.deletion() && key == null)) {
			// E-10: an object may have been deleted, and its key is unknown
			return null;
		}
		if (isLate(object.resourceVersion(), memory)) {
			// without the object, it is unknown whether the mirror has a newer state
			return skipped.deletion() ? null : "";
		}
		if (skipped.deletion() && key != null) {
			this.fifo.delete(key);
		}
		// the mirror keeps the object's last readable state, but the version counts as
		// reached
		this.fifo.pass(this.journal.namespace(), object.resourceVersion());
		return object.resourceVersion();
	}

	/**
	 * Whether a frame is a bookmark without a version, which shows only that the watch is
	 * alive.
	 */
	static boolean isVersionless(WatchEvent<?> event) {
		return event instanceof WatchEvent.Bookmark<?> bookmark && bookmark.resourceVersion().isEmpty();
	}

	/**
	 * Returns the result of a frame that shows that the server has gone back to an older
	 * state (E-14). The server may no longer have the state of the mirror, so only a
	 * consistent list can show the server's state.
	 * @param how a text for the message, which says from which version to which version
	 * the server has gone back
	 * @param memory the memory of the loop
	 * @return the result
	 */
	static Read wentBack(String how, LoopMemory memory) {
		Status status = new Status(410, "Expired", "the server has gone back " + how, List.of(), 0, false);
		return new Read(memory.withVersionUnavailable(), new LoopSignal.ErrorFrame(Failure.of(status)));
	}

	/** Notes that a frame has arrived, unless it could not be read. */
	void count(WatchEvent<T> event) {
		if (!(event instanceof WatchEvent.Skipped<T>)) {
			this.chain.current().progress().frame();
			this.journal.frameReceived(event);
		}
	}

	/** Whether a frame contains an object: it is ADDED, MODIFIED or DELETED. */
	static boolean isObject(WatchEvent<?> event) {
		return event instanceof WatchEvent.Modified<?> || event instanceof WatchEvent.Added<?>
				|| event instanceof WatchEvent.Deleted<?>;
	}

	/** Returns the object of an ADDED, MODIFIED or DELETED frame. */
	static <T> T object(WatchEvent<T> event) {
		if (event instanceof WatchEvent.Added<T> added) {
			return added.object();
		}
		if (event instanceof WatchEvent.Modified<T> modified) {
			return modified.object();
		}
		return ((WatchEvent.Deleted<T>) event).object();
	}

	/**
	 * The result of a frame.
	 *
	 * @param memory the memory after the frame
	 * @param signal the signal for the loop, or {@code null} for none
	 */
	record Read(LoopMemory memory, @Nullable LoopSignal signal) {

	}

}
