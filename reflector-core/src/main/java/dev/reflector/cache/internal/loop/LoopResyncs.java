package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.function.Predicate;

import dev.reflector.cache.internal.queue.DeltaFifo;
import org.jspecify.annotations.Nullable;

/**
 * The resyncs of a list/watch loop. They go on from one watch to the next, until the pass
 * ends: else a period longer than a watch would never end.
 *
 * @param <T> the type of the objects
 */
final class LoopResyncs<T> {

	private final LoopSetup<T> setup;

	private final @Nullable String namespace;

	private final DeltaFifo<T> fifo;

	/** I-32: whether a handler is due for a resync of a namespace. */
	private final Predicate<@Nullable String> due;

	private final Mailbox<T> mailbox;

	private @Nullable Runnable timer;

	/** Number of the present pass; a resync of another is stale. */
	private long pass;

	LoopResyncs(LoopSetup<T> setup, @Nullable String namespace, DeltaFifo<T> fifo, Predicate<@Nullable String> due,
			Mailbox<T> mailbox) {
		this.setup = setup;
		this.namespace = namespace;
		this.fifo = fifo;
		this.due = due;
		this.mailbox = mailbox;
	}

	/** Asks for the next resync, unless it has been asked for. */
	void schedule() {
		Duration period = this.setup.options().resyncPeriod();
		if (this.timer == null && !period.isZero()) {
			long pass = this.pass;
			this.timer = this.setup.time().schedule(period, () -> this.mailbox.post(new Mailbox.ResyncDue<>(pass)));
		}
	}

	/** The time of a resync has come. */
	void elapsed(Mailbox.ResyncDue<T> elapsed) {
		if (elapsed.pass() == this.pass) {
			this.timer = null;
			if (this.due.test(this.namespace)) {
				resync();
			}
			schedule();
		}
	}

	/** local, in whatever state. */
	void resync() {
		this.fifo.resync(this.namespace);
	}

	/** The pass has ended. */
	void end() {
		this.pass++;
		if (this.timer != null) {
			this.timer.run();
			this.timer = null;
		}
	}

}
