package dev.reflector.client.internal.http;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.eclipse.jetty.io.Content;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.JettyDataBufferFactory;

/**
 * The body of a response of Jetty's client. Parts of the body may be requested on any
 * thread. Only one thread reads at a time. Jetty never has more than one open demand.
 */
final class JettyBody extends Flux<DataBuffer> {

	private final Content.Source source;

	private final JettyDataBufferFactory buffers;

	private final Runnable abort;

	private final AtomicBoolean subscribed = new AtomicBoolean();

	/**
	 * Creates a body.
	 * @param source the source of the parts of the body
	 * @param buffers wraps parts into buffers
	 * @param abort aborts the response, unless the response has ended
	 */
	JettyBody(Content.Source source, JettyDataBufferFactory buffers, Runnable abort) {
		this.source = source;
		this.buffers = buffers;
		this.abort = abort;
	}

	@Override
	public void subscribe(CoreSubscriber<? super DataBuffer> actual) {
		if (this.subscribed.compareAndSet(false, true)) {
			actual.onSubscribe(new Reading(actual, this));
		}
		else {
			Operators.error(actual, new IllegalStateException("The body can be read only once"));
		}
	}

	/**
	 * Reads the body for its subscriber. The thread that increments {@code work} from
	 * zero reads until it has reduced {@code work} to zero.
	 */
	private static final class Reading implements Subscription, Runnable {

		private final CoreSubscriber<? super DataBuffer> actual;

		private final JettyBody body;

		private final AtomicInteger work = new AtomicInteger();

		private final AtomicLong requested = new AtomicLong();

		/**
		 * Whether Jetty has an open demand. Jetty then calls {@link #run()} when there is
		 * another part.
		 */
		private volatile boolean waiting;

		private volatile boolean finished;

		Reading(CoreSubscriber<? super DataBuffer> actual, JettyBody body) {
			this.actual = actual;
			this.body = body;
		}

		@Override
		public void request(long count) {
			if (Operators.validate(count)) {
				this.requested.getAndAccumulate(count, Operators::addCap);
				read();
			}
		}

		@Override
		public void cancel() {
			if (!this.finished) {
				this.finished = true;
				this.body.abort.run();
			}
		}

		/** Called by Jetty when there is another part. */
		@Override
		public void run() {
			this.waiting = false;
			read();
		}

		private void read() {
			int done = 1;
			if (this.work.getAndIncrement() == 0) {
				do {
					while (!this.finished && !this.waiting && this.requested.get() > 0) {
						readPart();
					}
					done = this.work.addAndGet(-done);
				}
				while (done != 0);
			}
		}

		private void readPart() {
			Content.Chunk part = this.body.source.read();
			if (part == null) {
				this.waiting = true;
				this.body.source.demand(this);
			}
			else if (Content.Chunk.isFailure(part)) {
				this.finished = true;
				this.body.abort.run();
				this.actual.onError(part.getFailure());
			}
			else {
				take(part);
			}
		}

		private void take(Content.Chunk part) {
			boolean last = part.isLast();
			if (part.hasRemaining()) {
				this.requested.updateAndGet((open) -> (open == Long.MAX_VALUE) ? open : open - 1);
				this.actual.onNext(this.body.buffers.wrap(part));
			}
			else {
				part.release();
			}
			if (last && !this.finished) {
				this.finished = true;
				this.actual.onComplete();
			}
		}

	}

}
