package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.Recorder;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryStoppedException;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.handler.ResourceEventHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests what happens to a running call of a listener when the reflector stops.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListenerEndTests {

	private static final Duration DRAIN = ReflectorOptions.DEFAULT.delivery().drainTimeout();

	private static final Duration GRACE = Duration.ofSeconds(2);

	private final TestInformer things = TestInformer.with(TestInformer.options());

	@AfterEach
	void close() throws Exception {
		this.things.close();
	}

	private static void join(CompletionStage<Void> stage) throws Exception {
		stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
	}

	@Test
	void aCallIsInterruptedAfterTheDrainTimeoutAndItsChangeIsDeliveredAgain(CapturedOutput output) throws Exception {
		Blocking first = new Blocking("the first");
		Blocking second = new Blocking("the second");
		this.things.informer.addEventHandler(first);
		this.things.informer.addEventHandler(second);
		this.things.startWith("2", Thing.of("a", "1"), Thing.of("b", "2"));
		await().until(() -> first.calls.get() == 1 && second.calls.get() == 1);
		CompletableFuture<Void> stopped = this.things.informer.stop().toCompletableFuture();
		this.things.time.advance(DRAIN.minusNanos(1));
		assertThat(stopped).isNotDone();
		assertThat(first.interrupted).isEmpty();
		// one timeout for both handlers
		this.things.time.advance(Duration.ofNanos(1));
		join(stopped);
		assertThat(first.interrupted).containsExactly("+a@1");
		assertThat(second.interrupted).containsExactly("+a@1");
		assertThat(output).contains("the listener the first was still busy with ADDED default/a of the initial list")
			.contains("the listener the second was still busy with ADDED default/a of the initial list")
			.contains("ended before 2 changes were delivered to the first")
			.doesNotContain("failed on");
		first.go.release(10);
		second.go.release(10);
		this.things.startWith("2", Thing.of("a", "1"), Thing.of("b", "2"));
		await().untilAsserted(() -> assertThat(first.completed).containsExactly("+a@1", "+b@2"));
		await().untilAsserted(() -> assertThat(second.completed).containsExactly("+a@1", "+b@2"));
	}

	@Test
	void aCallThatIgnoresTheInterruptIsNotAwaitedAndNeverOverlapsAnother(CapturedOutput output) throws Exception {
		Blocking handler = new Blocking("the deaf one");
		handler.deaf = true;
		this.things.informer.addEventHandler(handler);
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("a", "1"));
		await().until(() -> handler.calls.get() == 1);
		watch.added(Thing.of("b", "2"));
		// a stop drops what is not in the mirror yet
		await().until(() -> this.things.mirror().equals(List.of("a@1", "b@2")));
		CompletableFuture<Void> stopped = this.things.informer.stop().toCompletableFuture();
		this.things.time.advance(DRAIN);
		assertThat(stopped).isNotDone();
		this.things.time.advance(GRACE);
		join(stopped);
		assertThat(output).contains("the listener the deaf one has not returned from ADDED default/a");
		this.things.startWith("3", Thing.of("a", "1"), Thing.of("b", "3"));
		await().until(() -> this.things.mirror().equals(List.of("a@1", "b@3")));
		this.things.stop();
		this.things.startWith("3", Thing.of("a", "1"), Thing.of("b", "3"));
		await().until(this.things.informer::hasSynced);
		assertThat(handler.calls).hasValue(1);
		handler.go.release(10);
		await().untilAsserted(() -> assertThat(handler.completed).containsExactly("+a@1", "+a@1", "+b@2", "~b@3"));
		assertThat(handler.mostAtOnce).hasValue(1);
	}

	@Test
	void aStopFromWithinACallDoesNotAwaitThatCall() throws Exception {
		Blocking other = new Blocking("another");
		List<String> heard = new CopyOnWriteArrayList<>();
		CompletableFuture<Void> ended = new CompletableFuture<>();
		this.things.informer.addEventHandler(other);
		this.things.informer.addEventHandler((change) -> {
			if (heard.isEmpty()) {
				await().until(() -> other.calls.get() == 1);
				CompletionStage<Void> stopped = this.things.informer.stop();
				heard.add("another is waited for: " + !stopped.toCompletableFuture().isDone());
				other.go.release(10);
				stopped.toCompletableFuture().join();
				ended.complete(null);
			}
			heard.add(change.object().toString());
		});
		this.things.startWith("2", Thing.of("a", "1"), Thing.of("b", "2"));
		join(ended);
		this.things.startWith("2", Thing.of("a", "1"), Thing.of("b", "2"));
		await().untilAsserted(() -> assertThat(heard).containsExactly("another is waited for: true", "a@1", "b@2"));
	}

	@Test
	void aDrainInterruptsACallAndDoesNotAwaitItForEver() throws Exception {
		Blocking handler = new Blocking("leaving");
		handler.deaf = true;
		HandlerRegistration registration = this.things.informer.addEventHandler(handler);
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(() -> handler.calls.get() == 1);
		assertThat(registration.isEndedFromWithin()).isFalse();
		CompletableFuture<Void> drained = registration.drain().toCompletableFuture();
		this.things.time.advance(DRAIN);
		assertThat(drained).isNotDone();
		this.things.time.advance(GRACE);
		join(drained);
		this.things.stop();
		handler.go.release(10);
		await().untilAsserted(() -> assertThat(handler.completed).containsExactly("+a@1"));
	}

	@Test
	void isEndedFromWithinIsTrueInsideACall() throws Exception {
		List<Boolean> answers = new CopyOnWriteArrayList<>();
		CompletableFuture<Supplier<HandlerRegistration>> registration = new CompletableFuture<>();
		HandlerRegistration added = this.things.informer
			.addEventHandler((change) -> answers.add(registration.join().get().isEndedFromWithin()));
		registration.complete(() -> added);
		this.things.startWith("1", Thing.of("a", "1"));
		await().untilAsserted(() -> assertThat(answers).containsExactly(true));
	}

	@Test
	void anExceptionCausedByTheInterruptDoesNotStopTheDelivery(CapturedOutput output) throws Exception {
		Semaphore called = new Semaphore(0);
		this.things.informer.addEventHandler((change) -> {
			called.release();
			try {
				// until the end of the reflector interrupts the call
				Thread.sleep(Duration.ofHours(1).toMillis());
			}
			catch (InterruptedException ex) {
				throw new DeliveryStoppedException("interrupted", ex);
			}
		});
		this.things.startWith("1", Thing.of("a", "1"));
		called.acquire();
		CompletionStage<Void> stopped = this.things.informer.stop();
		this.things.time.advance(DRAIN);
		join(stopped);
		assertThat(this.things.informer.status().deliveryStopped()).isNull();
		assertThat(output).doesNotContain("failed on");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void aChangeWhoseAttemptsAStopEndsIsDeliveredAgain(int concurrency) throws Exception {
		TestInformer things = TestInformer.with(TestInformer.listing().concurrency(concurrency).build());
		Abandoning handler = new Abandoning();
		HandlerRegistration registration = things.informer.addEventHandler(handler);
		try {
			ScriptedSource.Stream watch = things.startWith("3", Thing.of("a", "1"), Thing.of("b", "2"),
					Thing.of("c", "3"));
			await().until(registration::hasSynced);
			handler.abandons = true;
			watch.deleted(Thing.of("a", "4"))
				.deleted(Thing.of("b", "5"))
				.deleted(Thing.of("c", "6"))
				.added(Thing.of("a", "7"))
				.added(Thing.of("b", "8"))
				.added(Thing.of("c", "9"));
			await().until(() -> things.mirror().equals(List.of("a@7", "b@8", "c@9")));
			things.stop();
			assertThat(handler.handled).as("nothing comes before what is put back").hasSize(3);
			handler.abandons = false;
			things.startWith("9", Thing.of("a", "7"), Thing.of("b", "8"), Thing.of("c", "9"));
			await().until(() -> handler.handled.size() == 9);
			for (String name : List.of("a", "b", "c")) {
				assertThat(handler.handled.stream().filter((change) -> change.startsWith(name)).toList())
					.satisfiesExactly((added) -> assertThat(added).contains("ADDED"),
							(deleted) -> assertThat(deleted).contains("DELETED"),
							(again) -> assertThat(again).contains("ADDED"));
			}
		}
		finally {
			things.close();
		}
	}

	@Test
	void aChangeThatIsAbandonedWithoutAStopIsLikeAnyFailure(CapturedOutput output) throws Exception {
		Abandoning handler = new Abandoning();
		handler.stopped.countDown();
		handler.abandons = true;
		this.things.informer.addEventHandler(handler);
		this.things.startWith("1", Thing.of("a", "1"));
		await().untilAsserted(() -> assertThat(output)
			.contains("a listener failed on ADDED default/a of the initial list. It continues with the next change"));
	}

	@Test
	void anAttemptThatADrainEndsIsTheLastAndTheQueueIsDelivered(CapturedOutput output) throws Exception {
		Abandoning handler = new Abandoning();
		handler.last = () -> {
			handler.abandons = false;
			handler.handled.add("dead letter");
			return new IllegalStateException("it has failed for good");
		};
		HandlerRegistration registration = abandoning(handler);
		join(registration.drain());
		assertThat(handler.handled).containsExactly("dead letter", "b ADDED");
		assertThat(output).contains("It continues with the next change").doesNotContain("does not count as received");
	}

	@Test
	void anAttemptThatARemovalEndsIsTheLast(CapturedOutput output) throws Exception {
		Abandoning handler = new Abandoning();
		handler.last = () -> {
			handler.handled.add("dead letter");
			return new IllegalStateException("it has failed for good");
		};
		HandlerRegistration registration = abandoning(handler);
		join(registration.remove());
		assertThat(handler.handled).containsExactly("dead letter");
		assertThat(output).contains("a listener failed on ADDED default/a of the initial list. It was removed: ")
			.doesNotContain("continues with the next change");
	}

	/** Adds a handler that is between two attempts at one change, and another waits. */
	private HandlerRegistration abandoning(Abandoning handler) throws Exception {
		handler.abandons = true;
		HandlerRegistration registration = this.things.informer.addEventHandler(handler);
		Recorder later = new Recorder();
		this.things.informer.addEventHandler(later);
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("a", "1"));
		watch.added(Thing.of("b", "2"));
		handler.called.await();
		// a change is queued for the handlers in the order in which they were added
		later.awaitChanges("+a@1 initial", "+b@2");
		return registration;
	}

	/** A handler that makes no further attempts when it is stopped. */
	private static final class Abandoning implements ResourceEventHandler<Thing> {

		final CountDownLatch called = new CountDownLatch(1);

		final CountDownLatch stopped = new CountDownLatch(1);

		final List<String> handled = new CopyOnWriteArrayList<>();

		volatile boolean abandons;

		volatile Supplier<Throwable> last = IllegalStateException::new;

		@Override
		public void onStop() {
			this.stopped.countDown();
		}

		@Override
		public void onChange(Change<Thing> change) {
			this.called.countDown();
			if (this.abandons) {
				try {
					this.stopped.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				throw new DeliveryAbandonedException("it has failed", new IllegalStateException(), this.last);
			}
			this.handled.add(change.key().name() + " " + change.type());
		}

	}

	/** A handler that waits for a permit in each call. */
	private static final class Blocking implements ResourceEventHandler<Thing> {

		final Semaphore go = new Semaphore(0);

		final AtomicInteger calls = new AtomicInteger();

		final AtomicInteger mostAtOnce = new AtomicInteger();

		final List<String> completed = new CopyOnWriteArrayList<>();

		final List<String> interrupted = new CopyOnWriteArrayList<>();

		volatile boolean deaf;

		private final AtomicInteger atOnce = new AtomicInteger();

		private final String name;

		Blocking(String name) {
			this.name = name;
		}

		@Override
		public String name() {
			return this.name;
		}

		@Override
		public void onChange(Change<Thing> change) {
			this.calls.incrementAndGet();
			this.mostAtOnce.accumulateAndGet(this.atOnce.incrementAndGet(), Math::max);
			String told = ((change.type() == Change.Type.ADDED) ? "+" : "~") + change.object();
			try {
				if (this.deaf) {
					this.go.acquireUninterruptibly();
				}
				else {
					this.go.acquire();
				}
				this.completed.add(told);
			}
			catch (InterruptedException ex) {
				this.interrupted.add(told);
			}
			finally {
				this.atOnce.decrementAndGet();
			}
		}

	}

}
