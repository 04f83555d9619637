package dev.reflector.cache.internal.loop;

import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.source.JvmFailureException;
import org.jspecify.annotations.Nullable;

/**
 * The list/watch loop of one namespace, or of all (client-go: {@code Reflector}).
 * <p>
 * <b>Promises.</b> {@link #lastSyncVersion()} advances only after the queue has accepted
 * everything that the server sent up to that version, so a watch from that version misses
 * nothing. An object that cannot be read is reported, and the version still advances. A
 * full state reaches the queue as a whole or not at all. No failed request ends the loop:
 * it tries again until it is paused or stopped.
 * <p>
 * <b>Data.</b> {@link LoopState} is what the loop does now, {@link LoopMemory} is what it
 * remembers from one state to the next. Both are immutable. {@link LoopTransitions} finds
 * the next state from state, memory and {@link LoopSignal}, without I/O and without a
 * clock, so every row of its table is tested alone. {@link LoopStateMachine} turns
 * messages into signals. {@link LoopActivity} starts and ends the requests and timers of
 * a state. Their messages contain the number of the activity that they belong to, so
 * messages of an activity that has ended are recognized and dropped.
 * <p>
 * <b>Threads.</b> One thread, {@code reflector-NAME}, calls {@link #run()}, and uses the
 * state machine. While it waits for messages, a source's thread that delivers frames of a
 * watch may use the state machine instead, if the frames can be handled without waiting
 * and without leaving the state. The {@link Mailbox} gives the turn to one thread at a
 * time. In addition, {@link #restored} is called before the loop's thread starts, and
 * {@link #lastSyncVersion()} reads a volatile field. Sources, timers and users post to
 * the mailbox from any thread. The loop's thread waits in the mailbox while there is no
 * message, and in the {@link DeltaFifo} while the queue is full. It requests at most 64
 * frames of a watch in advance, so the source stops reading its connection while the
 * queue is full. It wakes the writer of the mirror only once for several messages: when
 * the mailbox is empty, or after 16 messages. Where possible, the thread that has queued
 * a few changes also writes them into the mirror, without waking the writer
 * ({@link DeltaFifo#handOver()}).
 * <p>
 * <b>Recovery.</b> {@link Failure} classifies what went wrong by type and code, never by
 * text. If the same request may succeed later, it is repeated after a delay. Otherwise
 * the pass ends. After a delay, the loop requests a full state that is not older than the
 * last version. If the server cannot serve such a state, the loop requests the newest
 * state. An exception while a message is handled counts as a failed request.
 * If the writer could not apply a change, {@link LoopSignal.Lost} makes the loop request
 * a full state, unless one is already being read. The loop of a new run begins with a
 * full state that is not older than the last version of the previous run, or with a watch
 * from the version of a snapshot.
 * <p>
 * <b>client-go.</b> Requests, versions, page sizes and the delay after each pass follow
 * {@code ListAndWatch}. Outside of client-go's mode, this loop differs: the next watch is
 * opened before the current one ends ({@link WatchChain}). A server that could not be
 * reached does not cause a list. Several short watches in a row cause a list, but a
 * single short watch does not. If the end marker of a streamed list does not come, the
 * loop lists instead. A server that has gone back to an older state is noticed, unless
 * its versions have already passed those of the mirror. Each cause of failure has its own
 * back-off ({@link LoopDelays}).
 *
 * @param <T> the type of the objects
 */
public final class ReflectorLoop<T> implements Runnable {

	/**
	 * The writer of the mirror is woken after this many messages, if more messages are
	 * queued.
	 */
	private static final int WAKE = 16;

	private final DeltaFifo<T> fifo;

	private final LoopJournal journal;

	private final LoopStateMachine<T> machine;

	private final Mailbox<T> mailbox;

	/** Receives errors that may have ended a request of this loop. */
	private final UncaughtErrors.Listener uncaught;

	/** The loop of the previous run, or {@code null} once this loop has started. */
	private volatile @Nullable ReflectorLoop<T> previous;

	/** Number of messages taken since {@code next} last woke the writer. */
	private int unannounced;

	/**
	 * Creates a loop that is not started.
	 * @param setup the source, the settings and the tools
	 * @param journal records what happens, and contains the namespace
	 * @param previous the loop of the previous run, whose version this loop begins with,
	 * or {@code null} if there is none
	 * @param fifo receives the objects and versions from the server
	 * @param mirror the mirror, which may hold objects already
	 * @param size the size of the mirror and its limits
	 * @param resyncs when to deliver the objects again
	 */
	public ReflectorLoop(LoopSetup<T> setup, LoopJournal journal, @Nullable ReflectorLoop<T> previous,
			DeltaFifo<T> fifo, Indexer<T> mirror, MirrorSize size, ResyncCheck resyncs) {
		this.fifo = fifo;
		this.journal = journal;
		this.previous = previous;
		this.uncaught = new UncaughtErrors.Listener() {

			@Override
			public boolean owns(Throwable error) {
				return JvmFailureException.isOf(setup.listerWatcher(), error);
			}

			@Override
			public void uncaught(Throwable error, boolean owned) {
				ReflectorLoop.this.mailbox.post(new LoopMessage.Uncaught<>(error, owned));
			}

		};
		this.machine = new LoopStateMachine<>(setup, journal, fifo, mirror, resyncs, size);
		this.mailbox = this.machine.mailbox();
	}

	public LoopJournal journal() {
		return this.journal;
	}

	/**
	 * Returns the version up to which the loop has received the collection, empty at
	 * first.
	 */
	public String lastSyncVersion() {
		ReflectorLoop<T> previous = this.previous;
		return (previous != null) ? previous.lastSyncVersion() : this.machine.lastSyncVersion();
	}

	/** Returns the namespace that the loop follows, or {@code null} for all. */
	public @Nullable String namespace() {
		return this.journal.namespace();
	}

	/**
	 * Informs the loop that the mirror was filled from a snapshot. Must be called before
	 * the loop runs. The objects of the first list are then read and compared by content,
	 * even if versions are equal: objects may have been stored with different declared
	 * fields, or a server that has gone back may assign a version twice.
	 * @param version the version at which the loop begins with a watch, in place of the
	 * version of the previous run; or {@code null} to begin with a list
	 */
	public void restored(@Nullable String version) {
		if (version != null) {
			this.previous = null;
		}
		this.machine.restored(version);
	}

	/** Posts a signal for the loop's thread. May be called from any thread. */
	public void signal(LoopSignal signal) {
		this.mailbox.post(new LoopMessage.Command<>(signal));
	}

	/**
	 * Makes the loop queue a resync, whatever its state. Sends no request to the server
	 * . May be called from any thread.
	 */
	public void resync() {
		this.mailbox.post(new LoopMessage.Resync<>());
	}

	/**
	 * Makes the loop add a mark to the queue, whatever its state. Sends no request to the
	 * server. May be called from any thread.
	 */
	public void mark(Checkpoint<T> checkpoint) {
		this.mailbox.post(new LoopMessage.Mark<>(checkpoint));
	}

	/**
	 * Informs the loop that its source now requests fewer objects than when the current
	 * watch was opened. If watches may overlap, the next watch is then opened soon. May
	 * be called from any thread.
	 */
	public void narrowed() {
		this.mailbox.post(new LoopMessage.Narrowed<>());
	}

	@Override
	public void run() {
		this.mailbox.enter();
		try {
			UncaughtErrors.add(this.uncaught);
			// the previous run has ended, so its version is final now
			this.machine.begin(lastSyncVersion());
			this.previous = null;
			while (!this.machine.isStopped()) {
				LoopMessage<T> message = next();
				try {
					this.machine.receive(message);
				}
				catch (Throwable ex) {
					this.machine.defect(ex);
				}
			}
		}
		catch (InterruptedException ex) {
			// only the owner of the thread interrupts it, to end the loop
			Thread.currentThread().interrupt();
		}
		finally {
			this.fifo.wake();
			UncaughtErrors.remove(this.uncaught);
			this.machine.end();
			this.mailbox.leave();
		}
	}

	/**
	 * Takes the next message. While more messages are queued, wakes the writer only once
	 * for several of them.
	 */
	private LoopMessage<T> next() throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		LoopMessage<T> next = this.mailbox.poll();
		if (next == null) {
			this.fifo.handOver();
			this.unannounced = 0;
			return this.mailbox.take();
		}
		if (++this.unannounced > WAKE) {
			this.fifo.wake();
			this.unannounced = 1;
		}
		return next;
	}

}
