package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.internal.queue.DeltaFifo;
import org.jspecify.annotations.Nullable;

/**
 * The resyncs of a list/watch loop. The timer of the resyncs continues from one watch to
 * the next, until the pass ends. If the timer ended with each watch, a period longer than
 * a watch would never elapse.
 *
 * @param <T> the type of the objects
 */
final class LoopResyncs<T> {

	private final TimeSource time;

	private final @Nullable String namespace;

	private final DeltaFifo<T> fifo;

	private final ResyncCheck check;

	private final Mailbox<T> mailbox;

	private @Nullable Runnable timer;

	/** Number of the current pass. A resync of a different pass is stale. */
	private long pass;

	LoopResyncs(TimeSource time, @Nullable String namespace, DeltaFifo<T> fifo, ResyncCheck check, Mailbox<T> mailbox) {
		this.time = time;
		this.namespace = namespace;
		this.fifo = fifo;
		this.check = check;
		this.mailbox = mailbox;
	}

	/** Sets the timer of the next resync, unless it is set already. */
	void schedule() {
		Duration period = this.check.period();
		if (this.timer == null && !period.isZero()) {
			long pass = this.pass;
			this.timer = this.time.schedule(period, () -> this.mailbox.post(new LoopMessage.ResyncDue<>(pass)));
		}
	}

	/**
	 * Called when the timer has elapsed: queues a resync for the handlers that are due,
	 * and sets the timer again.
	 */
	void elapsed(LoopMessage.ResyncDue<T> elapsed) {
		if (elapsed.pass() == this.pass) {
			this.timer = null;
			this.fifo.resyncOfTimer(this.namespace, this.check.due().apply(this.namespace));
			schedule();
		}
	}

	/**
	 * Queues a resync for all handlers, whatever the loop's state is. Makes no request to
	 * the server.
	 */
	void resync() {
		this.fifo.resync(this.namespace, this.check.all().apply(this.namespace));
	}

	/** Cancels the timer, because the pass has ended. */
	void end() {
		this.pass++;
		if (this.timer != null) {
			this.timer.run();
			this.timer = null;
		}
	}

}
