package dev.reflector.cache.internal.loop;

import dev.reflector.cache.internal.queue.Delta;
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Reads the full states of a loop: the pages of a list, and the initial part of a watch.
 * Queues a complete full state if the mirror has room for it.
 *
 * @param <T> the type of the objects
 */
final class FullStateReader<T> {

	private final LoopSetup<T> setup;

	private final LoopJournal journal;

	private final DeltaFifo<T> fifo;

	private final MirrorObjects<T> held;

	private final HeldSizes<T> sizes;

	private final FullState<T> state;

	/** See {@link Delta.Replacement#newest()}. */
	private boolean newest;

	/**
	 * Creates a reader.
	 * @param setup the setup of the loop
	 * @param journal records what happens
	 * @param fifo receives complete states
	 * @param held offers the objects of the mirror, so that unchanged objects need not be
	 * decoded again
	 * @param sizes the sizes of the objects of the mirror
	 */
	FullStateReader(LoopSetup<T> setup, LoopJournal journal, DeltaFifo<T> fifo, MirrorObjects<T> held,
			HeldSizes<T> sizes) {
		this.setup = setup;
		this.journal = journal;
		this.fifo = fifo;
		this.held = held;
		this.sizes = sizes;
		this.state = new FullState<>(setup.accessor(), sizes.isLimited(), journal::skipped);
	}

	/**
	 * Notes which part of the collection is requested. Called before a full state is
	 * requested.
	 */
	void begin() {
		this.state.begin(this.setup.part().generation());
	}

	/** Discards the part of a full state that has arrived so far. */
	void clear() {
		this.held.begin();
		this.state.clear();
	}

	/** Whether no page of a list has arrived. */
	boolean isEmpty() {
		return this.state.pages() == 0;
	}

	/** Whether several pages of a list have arrived. */
	boolean isPaginated() {
		return this.state.pages() > 1;
	}

	/** Returns the version of the list that is being read. */
	String version() {
		return this.state.version();
	}

	/**
	 * Notes that the mirror was filled from a snapshot, so its objects may differ from
	 * the server's objects of the same version.
	 * @param resumed whether the loop continues from the version of the snapshot; if not,
	 * the next full state is the newest one
	 */
	void restored(boolean resumed) {
		this.held.distrust();
		if (resumed) {
			this.sizes.restored(this.held.mirror(), this.journal.namespace());
		}
		else {
			this.newest = true;
		}
	}

	/** Notes how the next full state is compared with the mirror. */
	void requested(LoopSignal.RelistRequested relist) {
		if (relist.byContent()) {
			this.held.distrust();
		}
		this.newest = this.newest || relist.newest();
	}

	/**
	 * Notes a failed request, because the failure may show that the server is behind the
	 * mirror.
	 */
	void failed(Failure failure) {
		this.held.failed(failure);
	}

	/**
	 * Reads a page of a list.
	 * @param page the page
	 * @return why the list cannot continue, or {@code null} if it can
	 */
	@Nullable Failure read(ListPage<T> page) {
		Failure endless = this.state.add(page);
		Failure exceeded = this.sizes.exceeded(this.state);
		return (exceeded != null) ? exceeded : endless;
	}

	/**
	 * Reads a frame of the initial part of a watch.
	 * @param event the frame
	 * @return why the stream cannot continue, or {@code null} if it can
	 */
	@Nullable Failure read(WatchEvent<T> event) {
		if (!this.state.apply(event) && this.setup.behaviour().repairsLosses()) {
			// before the end marker, nothing reaches the mirror and no version is
			// remembered
			return WatchReader.UNREADABLE_DELETION;
		}
		return this.sizes.exceeded(this.state);
	}

	/** Whether a frame contains an object of the full state, readable or not. */
	static boolean isInitial(WatchEvent<?> event) {
		return event instanceof WatchEvent.Added<?>
				|| (event instanceof WatchEvent.Skipped<?> skipped && skipped.type().equals("ADDED"));
	}

	/**
	 * Whether a complete state must be requested again, because it reuses objects of the
	 * mirror that may differ from the server's objects.
	 * @param version the version of the state
	 * @param memory the memory of the loop
	 */
	boolean misleads(String version, LoopMemory memory) {
		return this.held.misleads(version, memory.lastSyncVersion());
	}

	/**
	 * Queues a complete state.
	 * @param version the version of the state
	 * @param memory the memory of the loop
	 * @param notes the progress of the request
	 * @param queued called when the state is in the queue, before the state is reported
	 * @return why the mirror has no room for the state, or {@code null} if it was queued
	 */
	@Nullable Failure commit(String version, LoopMemory memory, RequestProgress notes, Runnable queued) {
		Failure exceeded = this.sizes.replace(this.state);
		if (exceeded != null) {
			return exceeded;
		}
		// E-14: a server that has gone back uses versions a second time
		boolean byContent = this.held.isDistrusted() || memory.isAheadOf(version);
		Delta.Replacement<T> replacement = this.state.replacement(this.journal.namespace(), version, byContent,
				this.newest);
		this.journal.skippedVersions().listed(this.journal.namespace(), replacement.retained(), this.state.nameless());
		replacement.objects().keySet().stream().findFirst().ifPresent(this.journal::listed);
		this.fifo.replace(replacement);
		queued.run();
		this.journal.listed(this.state, version, notes.elapsed(), memory.synced());
		this.held.committed();
		this.newest = false;
		this.state.clear();
		return null;
	}

}
