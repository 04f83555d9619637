package dev.reflector.cache.internal.loop;

import java.util.List;

import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a watch after the full state: queues those that are new, and says
 * what they mean for the loop.
 *
 * @param <T> the type of the objects
 */
final class WatchReader<T> {

	static final Failure UNREADABLE_DELETION = Failure
		.of(new Status(0, "UnreadableObject", "a deletion whose object could not be read", List.of(), 0, false));

	private final LoopSetup<T> setup;

	private final Requests<T> requests;

	private final WatchChain<T> chain;

	private final LoopReporter journal;

	private final LiveFrames<T> frames;

	private final HeldSizes<T> sizes;

	WatchReader(LoopSetup<T> setup, Requests<T> requests, WatchChain<T> chain, LoopReporter journal,
			LiveFrames<T> frames, HeldSizes<T> sizes) {
		this.sizes = sizes;
		this.setup = setup;
		this.requests = requests;
		this.chain = chain;
		this.journal = journal;
		this.frames = frames;
	}

	/**
	 * Reads a frame that is no error.
	 * @param event the frame
	 * @param memory what the loop remembers
	 * @return the result
	 */
	Read read(WatchEvent<T> event, LoopMemory memory) {
		if (isVersionless(event)) {
			count(event);
			return new Read(memory, null);
		}
		WatchChain.Standing standing = this.chain.standing(event, memory.lastSyncVersion());
		if (standing == WatchChain.Standing.UNCLEAR) {
			// a new watch that begins at the last version repeats nothing
			return new Read(memory, this.requests.progress().closed(this.setup.time().nanoTime()));
		}
		if (standing != WatchChain.Standing.KNOWN) {
			this.chain.caughtUp();
		}
		if (standing != WatchChain.Standing.NEW) {
			// the watch before has delivered it
			count(event);
			return new Read(memory, null);
		}
		if (event instanceof WatchEvent.Bookmark<T> bookmark && !this.setup.clientGo()
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
		String version = this.frames.apply(event, memory);
		if (version == null) {
			// E-10: only a list can show what happened
			return new Read(memory, new LoopSignal.ErrorFrame(UNREADABLE_DELETION));
		}
		boolean counts = !version.isEmpty() && this.requests.progress().counts(event);
		return new Read(counts ? memory.at(version) : memory, null);
	}

	/** Whether it is a bookmark that says nothing but that the watch is alive. */
	static boolean isVersionless(WatchEvent<?> event) {
		return event instanceof WatchEvent.Bookmark<?> bookmark && bookmark.resourceVersion().isEmpty();
	}

	/**
	 * E-14: the server may not have the state of the mirror; only a consistent list can
	 * show it.
	 */
	static Read wentBack(String how, LoopMemory memory) {
		Status status = new Status(410, "Expired", "the server has gone back " + how, List.of(), 0, false);
		return new Read(memory.withVersionUnavailable(), new LoopSignal.ErrorFrame(Failure.of(status)));
	}

	/** Notes that a frame has come, unless it could not be read. */
	void count(WatchEvent<T> event) {
		if (!(event instanceof WatchEvent.Skipped<T>)) {
			this.requests.progress().frame(this.setup.time().nanoTime());
			this.journal.frameReceived(event);
		}
	}

	/** The object of a frame that has one. */
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
	 * @param memory what to remember
	 * @param signal the signal for the loop, or {@code null} for none
	 */
	record Read(LoopMemory memory, @Nullable LoopSignal signal) {

	}

}
