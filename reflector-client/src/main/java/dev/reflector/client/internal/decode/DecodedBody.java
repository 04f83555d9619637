package dev.reflector.client.internal.decode;

import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.FrameDecoder;
import dev.reflector.client.internal.frame.Framer;
import dev.reflector.client.internal.frame.Unpacking;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;

/**
 * The decoded frames of the body of a response. Network threads only put their buffers
 * into a queue. A worker of the scheduler decompresses the buffers, cuts them into
 * frames, and decodes each frame when it is requested. All frames share one array. A
 * buffer is released after it was read, or when the subscriber has canceled.
 *
 * @param <R> the type of a decoded frame
 */
public final class DecodedBody<R> extends Flux<R> {

	/** The largest number of buffers in the queue between the network and the decoder. */
	static final int PREFETCH = 32;

	/**
	 * The largest number of frames in a burst: frames that are decoded before listeners
	 * are notified.
	 */
	private static final int BURST = 16;

	/** The time after which a burst ends. */
	private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int REPLENISH = PREFETCH - (PREFETCH >> 2);

	private final Flux<DataBuffer> body;

	private final Supplier<Unpacking> unpacking;

	private final Framer framer;

	private final FrameDecoder<R> decoder;

	private final Scheduler scheduler;

	/**
	 * Creates a publisher of the decoded frames of a body.
	 * @param body the body
	 * @param unpacking creates the decompression for one subscriber
	 * @param framer cuts this body into frames
	 * @param decoder decodes a frame, and must not keep a reference to its bytes
	 * @param scheduler runs the decoding
	 */
	public DecodedBody(Flux<DataBuffer> body, Supplier<Unpacking> unpacking, Framer framer, FrameDecoder<R> decoder,
			Scheduler scheduler) {
		this.body = body;
		this.unpacking = unpacking;
		this.framer = framer;
		this.decoder = decoder;
		this.scheduler = scheduler;
	}

	@Override
	public void subscribe(CoreSubscriber<? super R> actual) {
		Scheduler.Worker worker;
		try {
			worker = this.scheduler.createWorker();
		}
		catch (RejectedExecutionException ex) {
			// cancels the body; otherwise, the client would read it to its end before it
			// reports the failure
			this.body.take(0, false).thenMany(Flux.<R>error(ex)).subscribe(actual);
			return;
		}
		this.body.subscribe(new Reading<>(actual, this, worker));
	}

	/**
	 * Reads the body for one subscriber. Signals may come on any thread. The thread that
	 * increments {@code work} from zero schedules {@link #run()}, which runs until it has
	 * reduced {@code work} to zero. So only one thread at a time uses the other fields.
	 */
	private static final class Reading<R> implements CoreSubscriber<DataBuffer>, Subscription, Runnable {

		private final CoreSubscriber<? super R> actual;

		private final Unpacking unpacking;

		private final Framer framer;

		private final FrameDecoder<R> decoder;

		private final Scheduler.Worker worker;

		private final Queue<DataBuffer> waiting = Queues.<DataBuffer>get(PREFETCH).get();

		private final AtomicInteger work = new AtomicInteger();

		private final AtomicLong requested = new AtomicLong();

		private final Chunk chunk = new Chunk();

		private final RequestListener listener;

		private boolean bursting;

		private int burstFrames;

		private long burstBegun;

		private Subscription source = Operators.emptySubscription();

		private @Nullable DataBuffer current;

		private int taken;

		private @Nullable Frame frame;

		private @Nullable Throwable failure;

		/** Whether the body has ended, so that no more buffers arrive. */
		private volatile boolean ended;

		/**
		 * Whether the subscriber must get no more signals, because the body has ended,
		 * reading has failed, or the subscriber has canceled.
		 */
		private volatile boolean finished;

		Reading(CoreSubscriber<? super R> actual, DecodedBody<R> body, Scheduler.Worker worker) {
			this.actual = actual;
			this.unpacking = body.unpacking.get();
			this.framer = body.framer;
			this.decoder = body.decoder;
			this.worker = worker;
			this.listener = RequestListener.of(actual.currentContext());
		}

		@Override
		public Context currentContext() {
			return this.actual.currentContext();
		}

		@Override
		public void onSubscribe(Subscription source) {
			this.source = source;
			this.actual.onSubscribe(this);
			source.request(PREFETCH);
		}

		@Override
		public void onNext(DataBuffer buffer) {
			if (this.finished) {
				DataBufferUtils.release(buffer);
			}
			else if (this.waiting.offer(buffer)) {
				schedule();
			}
			else {
				DataBufferUtils.release(buffer);
				this.source.cancel();
				onError(Exceptions.failWithOverflow("The body has more buffers than were requested"));
			}
		}

		@Override
		public void onError(Throwable failure) {
			this.failure = failure;
			this.ended = true;
			schedule();
		}

		@Override
		public void onComplete() {
			this.ended = true;
			schedule();
		}

		@Override
		public void request(long count) {
			if (Operators.validate(count)) {
				this.requested.getAndAccumulate(count, Operators::addCap);
				schedule();
			}
		}

		@Override
		public void cancel() {
			if (!this.finished) {
				this.finished = true;
				this.source.cancel();
				// if a run is in progress or scheduled, it will see the flag and release
				// the buffers
				if (this.work.getAndIncrement() == 0) {
					run();
				}
			}
		}

		private void schedule() {
			if (this.work.getAndIncrement() != 0) {
				return;
			}
			if (this.finished) {
				run();
				return;
			}
			try {
				this.worker.schedule(this);
			}
			catch (RejectedExecutionException ex) {
				fail(ex);
				run();
			}
		}

		@Override
		public void run() {
			int done = this.work.get();
			do {
				if (!this.finished) {
					read();
				}
				if (this.finished) {
					release();
				}
				if (this.work.get() == done) {
					// nothing has arrived during this run
					endLastBurst();
				}
				done = this.work.addAndGet(-done);
			}
			while (done != 0);
		}

		/**
		 * Reads frames while there are bytes and requests. Tries to decode a frame before
		 * its end is known, so that its bytes are read only once. An incomplete frame
		 * therefore waits for the next buffer.
		 */
		private void read() {
			if (!this.bursting) {
				beginBurst();
			}
			try {
				long open = this.requested.get();
				long delivered = 0;
				// this flag is read before the frames: if it is true, all buffers have
				// already arrived
				boolean ended = this.ended;
				while (!this.finished && (this.frame != null || refill())) {
					boolean asked = delivered < open;
					R next = (asked && this.frame == null) ? ahead() : null;
					if (next == null) {
						if (this.frame == null && !this.chunk.isFull() && this.framer.isCut(this.chunk)) {
							if (fill()) {
								continue;
							}
							if (!ended) {
								break;
							}
						}
						next = cut(asked);
					}
					if (next != null) {
						this.actual.onNext(next);
						delivered++;
						endLongBurst();
						ended = this.ended;
					}
					else if (this.frame != null) {
						break;
					}
				}
				if (delivered > 0 && open != Long.MAX_VALUE) {
					this.requested.addAndGet(-delivered);
				}
				if (ended && this.frame == null && !this.finished) {
					end();
				}
			}
			catch (Throwable ex) {
				fail(ex);
			}
		}

		private @Nullable R ahead() {
			Frame ahead = this.framer.ahead(this.chunk);
			R next = (ahead != null) ? this.decoder.decodeAhead(ahead) : null;
			if (ahead != null && next != null) {
				this.framer.skip(this.chunk, ahead);
			}
			return next;
		}

		/**
		 * Counts a frame. Ends the burst if it is long, so that listeners can handle its
		 * frames while the next frames are decoded.
		 */
		private void endLongBurst() {
			if (++this.burstFrames >= BURST || System.nanoTime() - this.burstBegun >= BURST_NANOS) {
				endBurst();
				beginBurst();
			}
		}

		private void endLastBurst() {
			try {
				endBurst();
			}
			catch (Throwable ex) {
				fail(ex);
				release();
			}
		}

		private void endBurst() {
			if (this.bursting) {
				this.bursting = false;
				this.listener.burstEnds();
			}
		}

		private void beginBurst() {
			this.bursting = true;
			this.burstFrames = 0;
			this.burstBegun = System.nanoTime();
			this.listener.burstBegins();
		}

		/**
		 * Decodes the next frame if it was requested. Otherwise only finds the next
		 * frame, because the end of the body must be signaled even without a request.
		 */
		private @Nullable R cut(boolean asked) {
			Frame frame = (this.frame != null) ? this.frame : this.framer.next(this.chunk);
			this.frame = asked ? null : frame;
			return (asked && frame != null) ? this.decoder.decode(frame) : null;
		}

		/** Fills the chunk if it is empty. Returns whether the chunk contains bytes. */
		private boolean refill() {
			return !this.chunk.isRead() || (!this.finished && fill());
		}

		private boolean fill() {
			DataBuffer buffer = (this.current != null) ? this.current : this.waiting.poll();
			if (buffer == null) {
				return false;
			}
			this.current = buffer;
			if (this.unpacking.fill(this.chunk, buffer)) {
				this.current = null;
				DataBufferUtils.release(buffer);
				if (++this.taken == REPLENISH) {
					this.taken = 0;
					this.source.request(REPLENISH);
				}
			}
			return true;
		}

		private void end() {
			Throwable failure = this.failure;
			if (failure == null) {
				this.unpacking.finish();
			}
			this.finished = true;
			if (failure != null) {
				this.actual.onError(failure);
			}
			else {
				this.actual.onComplete();
			}
		}

		private void fail(Throwable failure) {
			if (!this.finished) {
				this.finished = true;
				this.source.cancel();
				this.actual.onError(JvmFailureException.passable(failure));
			}
		}

		private void release() {
			DataBuffer buffer = (this.current != null) ? this.current : this.waiting.poll();
			this.current = null;
			while (buffer != null) {
				DataBufferUtils.release(buffer);
				buffer = this.waiting.poll();
			}
			this.unpacking.close();
			this.worker.dispose();
		}

	}

}
