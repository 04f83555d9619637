package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.internal.delivery.HandlerGroup;
import dev.reflector.cache.internal.delivery.ListenerKind;
import dev.reflector.cache.internal.delivery.ProcessorListener;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * The changes of a mirror as a stream. Each subscriber receives its own stream from the
 * beginning.
 *
 * @param <T> the type of the objects
 */
final class ChangeFlux<T> extends Flux<Change<T>> {

	private final SharedInformer<T> informer;

	ChangeFlux(SharedInformer<T> informer) {
		this.informer = informer;
	}

	@Override
	public void subscribe(CoreSubscriber<? super Change<T>> actual) {
		Subscriber<T> subscriber = new Subscriber<>(actual);
		HandlerGroup<T> group = this.informer.group(ListenerKind.STREAM, subscriber, Duration.ZERO);
		ProcessorListener<T> listener = group.first();
		actual.onSubscribe(new Demand<>(subscriber, listener));
		listener.ended().whenComplete((nothing, error) -> subscriber.end(error));
		try {
			if (!this.informer.join(group)) {
				listener.remove(null);
			}
		}
		catch (RuntimeException | Error ex) {
			listener.remove(ex);
		}
	}

	/** Passes changes on to a subscriber, on the thread of the subscriber's listener. */
	private static final class Subscriber<T> implements ResourceEventHandler<T> {

		private final CoreSubscriber<? super Change<T>> actual;

		private volatile boolean cancelled;

		/**
		 * 1 while a change is passed on, plus 1 after the end of the stream. The stream
		 * may end during a call, but its signals must not overlap.
		 */
		private final AtomicInteger signals = new AtomicInteger();

		private @Nullable Throwable error;

		Subscriber(CoreSubscriber<? super Change<T>> actual) {
			this.actual = actual;
		}

		@Override
		public String name() {
			return "subscriber " + this.actual.getClass().getName();
		}

		@Override
		public void onChange(Change<T> change) {
			if (this.cancelled || !this.signals.compareAndSet(0, 1)) {
				return;
			}
			try {
				this.actual.onNext(change);
			}
			finally {
				if (this.signals.decrementAndGet() > 0) {
					terminate();
				}
			}
		}

		/** Ends the stream, after the call in progress if there is one. */
		private void end(@Nullable Throwable error) {
			this.error = error;
			if (this.signals.getAndIncrement() == 0) {
				terminate();
			}
		}

		private void terminate() {
			if (this.cancelled) {
				return;
			}
			Throwable error = this.error;
			if (error != null) {
				this.actual.onError(error);
			}
			else {
				this.actual.onComplete();
			}
		}

	}

	/** Handles the requests and the cancellation of a subscriber. */
	private record Demand<T>(Subscriber<T> subscriber, ProcessorListener<T> listener) implements Subscription {

		@Override
		public void request(long count) {
			if (Operators.validate(count)) {
				this.listener.request(count);
			}
		}

		@Override
		public void cancel() {
			this.subscriber.cancelled = true;
			this.listener.remove(null);
		}

	}

}
