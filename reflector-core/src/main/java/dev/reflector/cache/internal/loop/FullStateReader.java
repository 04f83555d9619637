package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.function.Consumer;

import dev.reflector.cache.internal.queue.Delta;
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Reads the full states of a loop: the pages of a list, and the initial part of a watch.
 * Queues one that is complete, and has room in the mirror.
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

	/**
	 * Creates a reader.
	 * @param setup what the loop works with
	 * @param journal records what happens
	 * @param fifo receives what is complete
	 * @param held the objects of the mirror that need not be read again
	 * @param sizes the sizes of the objects of the mirror
	 * @param onSkipped receives objects that could not be read
	 */
	FullStateReader(LoopSetup<T> setup, LoopJournal journal, DeltaFifo<T> fifo, MirrorObjects<T> held,
			HeldSizes<T> sizes, Consumer<SkippedObject> onSkipped) {
		this.setup = setup;
		this.journal = journal;
		this.fifo = fifo;
		this.held = held;
		this.sizes = sizes;
		this.state = new FullState<>(setup.accessor(), sizes.isLimited(), onSkipped);
	}

	/** A full state may be asked for. */
	void begin() {
		this.state.begin(this.setup.part().generation());
	}

	/** What has come of a full state is given up. */
	void clear() {
		this.held.begin();
		this.state.clear();
	}

	/** Whether nothing of a list has come. */
	boolean isEmpty() {
		return this.state.pages() == 0;
	}

	/** Whether a list has had several pages so far. */
	boolean isPaginated() {
		return this.state.pages() > 1;
	}

	/** The version of the list that is read. */
	String version() {
		return this.state.version();
	}

	/** Objects of the mirror may differ from those of the server of the same version. */
	void distrust() {
		this.held.distrust();
	}

	/** A request has failed. */
	void failed(Failure failure) {
		this.held.failed(failure);
	}

	/**
	 * Reads a page of a list.
	 * @param page the page
	 * @return why the list cannot continue, {@code null} when it can
	 */
	@Nullable Failure read(ListPage<T> page) {
		Failure endless = this.state.add(page);
		Failure exceeded = this.sizes.exceeded(this.state);
		return (exceeded != null) ? exceeded : endless;
	}

	/**
	 * Reads a frame of the initial part of a watch.
	 * @param event the frame
	 * @return why the stream cannot continue, {@code null} when it can
	 */
	@Nullable Failure read(WatchEvent<T> event) {
		if (!this.state.apply(event) && !this.setup.clientGo()) {
			// before the end marker, nothing reaches the mirror and no version
			// counts
			return WatchReader.UNREADABLE_DELETION;
		}
		return this.sizes.exceeded(this.state);
	}

	/** Whether a frame brings an object of the full state. */
	static boolean isInitial(WatchEvent<?> event) {
		return event instanceof WatchEvent.Added<?>
				|| (event instanceof WatchEvent.Skipped<?> skipped && skipped.type().equals("ADDED"));
	}

	/**
	 * Whether a complete state has to be read once more: objects of the mirror were used
	 * for it that may differ from the server's.
	 * @param version the version of the state
	 * @param memory what the loop remembers
	 */
	boolean misleads(String version, LoopMemory memory) {
		return this.held.misleads(version, memory.lastSyncVersion());
	}

	/**
	 * Queues a complete state.
	 * @param version the version of the state
	 * @param memory what the loop remembers
	 * @param notes what is known of the request
	 * @param queued called when the queue has taken it, before anything reports it
	 * @return why it has no room; {@code null} when it has
	 */
	@Nullable Failure commit(String version, LoopMemory memory, RequestProgress notes, Runnable queued) {
		Failure exceeded = this.sizes.replace(this.state);
		if (exceeded != null) {
			return exceeded;
		}
		Delta.Replacement<T> replacement = this.state.replacement(this.journal.namespace(), version,
				this.held.isDistrusted());
		this.journal.skippedVersions().listed(this.journal.namespace(), replacement.retained());
		this.fifo.replace(replacement);
		queued.run();
		Duration elapsed = notes.elapsed(this.setup.time().nanoTime());
		this.journal.listed(this.state.size(), this.state.skipped(), version, elapsed, memory.synced());
		this.setup.observer().listed(elapsed, this.state.size(), this.state.pages());
		this.held.committed();
		this.state.clear();
		return null;
	}

}
