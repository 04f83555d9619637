package dev.reflector.integration;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.event.ResourceUpdatedEvent;

import org.springframework.context.event.EventListener;

import static org.awaitility.Awaitility.await;

/**
 * Faults of listeners and of other code of the application.
 */
final class ListenerProvocations {

	private ListenerProvocations() {
	}

	static void addTo(Map<String, FaultProvocation> provocations) {
		provocations.put("code of the application throws an error about one object", (stage) -> {
			stage.create("b");
			stage.startWith((widget) -> {
				if (widget.name().equals("b")) {
					throw new NoClassDefFoundError("com/example/Gone");
				}
				return widget;
			});
		});
		provocations.put("the virtual machine has too little memory", (stage) -> {
			AtomicInteger calls = new AtomicInteger();
			stage.startInStepWith((widget) -> {
				if (calls.getAndIncrement() == 0) {
					throw new OutOfMemoryError("Java heap space");
				}
				return widget;
			});
		});
		provocations.put("a listener throws", (stage) -> {
			stage.startInStepWith(new Failing());
			stage.change("a", 2);
		});
		provocations.put("a listener throws, with `on-error` set to `stop`", (stage) -> {
			stage.startInStepWith(new Failing(), "reflector.events.on-error=stop");
			stage.change("a", 2);
		});
		provocations.put("a listener is slow", (stage) -> {
			stage.startInStepWith(new Slow(Duration.ofSeconds(1)), "reflector.events.slow-listener-threshold=100ms");
			stage.change("a", 2);
		});
		provocations.put("a listener does not return", (stage) -> {
			Blocked blocked = new Blocked();
			stage.startInStepWith(blocked, "reflector.events.slow-listener-threshold=100ms");
			stage.using(blocked.end::countDown);
			stage.change("a", 2);
		});
		provocations.put("a listener fails on every event", (stage) -> {
			stage.startInStepWith(new Failing());
			stage.change("a", 2);
			stage.change("a", 3);
		});
		provocations.put("a listener that does not return is interrupted, to no effect", (stage) -> {
			Blocked blocked = new Blocked();
			stage.using(blocked.end::countDown);
			stage.startInStepWith(blocked, "reflector.events.drain-timeout=200ms");
			stage.change("a", 2);
			blocked.called.await(30, TimeUnit.SECONDS);
			stage.application.context.stop();
		});
		provocations.put("a listener does not come to an end at shutdown", (stage) -> {
			// it is interrupted long before
			Slow slow = new Slow(Duration.ofMinutes(5));
			stage.startInStepWith(slow, "reflector.events.drain-timeout=200ms");
			stage.change("a", 2);
			slow.called.await(30, TimeUnit.SECONDS);
			stage.change("a", 3);
			// the change of the call in progress counts as queued
			await().until(() -> stage.application.reflector.status().queueDepth() > 1);
			stage.application.context.stop();
		});
	}

	/** Returns when the stage is cleared, and not before. */
	static final class Blocked {

		private final CountDownLatch called = new CountDownLatch(1);

		private final CountDownLatch end = new CountDownLatch(1);

		@EventListener
		void on(ResourceUpdatedEvent<Widget> event) {
			this.called.countDown();
			while (this.end.getCount() > 0) {
				try {
					this.end.await();
				}
				catch (InterruptedException ex) {
					// as if it had not noticed
				}
			}
		}

	}

	static final class Failing {

		@EventListener
		void on(ResourceUpdatedEvent<Widget> event) {
			throw new IllegalStateException("out of order");
		}

	}

	static final class Slow {

		private final Duration time;

		private final CountDownLatch called = new CountDownLatch(1);

		private final CountDownLatch end = new CountDownLatch(1);

		Slow(Duration time) {
			this.time = time;
		}

		@EventListener
		void on(ResourceUpdatedEvent<Widget> event) throws InterruptedException {
			this.called.countDown();
			this.end.await(this.time.toMillis(), TimeUnit.MILLISECONDS);
		}

	}

}
