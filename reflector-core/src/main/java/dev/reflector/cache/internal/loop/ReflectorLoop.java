package dev.reflector.cache.internal.loop;

import dev.reflector.cache.internal.loop.Mailbox.Message;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.internal.store.Indexer;
import org.jspecify.annotations.Nullable;

/**
 * The list/watch loop of one namespace, or of all (client-go: {@code Reflector}).
 * Sequential code on a thread of its own; everything from outside comes through its
 * {@link Mailbox}.
 *
 * @param <T> the type of the objects
 */
public final class ReflectorLoop<T> implements Runnable {

	/** After how many messages the writer begins with them, while more come. */
	private static final int WAKE = 16;

	private final DeltaFifo<T> fifo;

	private final LoopJournal journal;

	private final Mailbox<T> mailbox = new Mailbox<>();

	private final LoopStateMachine<T> machine;

	/** The loop of the run before, until this one starts. */
	private volatile @Nullable ReflectorLoop<T> previous;

	/** How many messages may have queued something that the writer was not woken for. */
	private int unannounced;

	/**
	 * Makes a loop that has not started.
	 * @param setup what it works with
	 * @param journal takes note of what happens; says which namespace this is the loop of
	 * @param previous the loop of the run before, which has the version to begin with
	 * @param fifo receives what the server says
	 * @param mirror what is there already
	 * @param resyncs when to deliver the objects again
	 */
	public ReflectorLoop(LoopSetup<T> setup, LoopJournal journal, @Nullable ReflectorLoop<T> previous,
			DeltaFifo<T> fifo, Indexer<T> mirror, ResyncCheck resyncs) {
		this.fifo = fifo;
		this.journal = journal;
		this.previous = previous;
		this.machine = new LoopStateMachine<>(setup, journal, fifo, mirror, resyncs, this.mailbox);
	}

	public LoopJournal journal() {
		return this.journal;
	}

	/** The version that it has followed the collection to, empty at first. */
	public String lastSyncVersion() {
		ReflectorLoop<T> previous = this.previous;
		return (previous != null) ? previous.lastSyncVersion() : this.machine.lastSyncVersion();
	}

	/** The namespace that it follows, {@code null} for all. */
	public @Nullable String namespace() {
		return this.machine.namespace();
	}

	/**
	 * The mirror was filled from a snapshot. To be called before the loop runs. Objects
	 * of the first list are read anew and compared by content: they may have had other
	 * declared fields, or a server that has gone back may give out versions twice.
	 * @param version the version to begin with a watch from, or {@code null} to list
	 */
	public void restored(@Nullable String version) {
		this.machine.restored(version);
	}

	/** Has the loop's thread deal with a signal. May be called from any thread. */
	public void signal(LoopSignal signal) {
		this.mailbox.post(new Mailbox.Command<>(signal));
	}

	/** local, in whatever state. May be called from any thread. */
	public void resync() {
		this.mailbox.post(new Mailbox.Resync<>());
	}

	/** Local, in whatever state. May be called from any thread. */
	public void mark(Checkpoint<T> checkpoint) {
		this.mailbox.post(new Mailbox.Mark<>(checkpoint));
	}

	@Override
	public void run() {
		try {
			// the version of the run before is final now, because that has ended
			this.machine.start(lastSyncVersion());
			this.previous = null;
			this.machine.begin();
			while (!this.machine.isStopped()) {
				Message<T> message = next();
				try {
					this.machine.receive(message);
				}
				catch (Throwable ex) {
					this.machine.defect(ex);
				}
			}
		}
		catch (InterruptedException ex) {
			// nothing here interrupts: the owner of the thread wants it back
			Thread.currentThread().interrupt();
		}
		finally {
			this.fifo.wake();
			this.machine.end();
		}
	}

	/** While more messages are there, the writer is woken for several at once. */
	private Message<T> next() throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		Message<T> next = this.mailbox.poll();
		if (next == null || ++this.unannounced == WAKE) {
			this.fifo.wake();
			this.unannounced = 0;
		}
		return (next != null) ? next : this.mailbox.take();
	}

}
